"""Instructions about where threads go and whom they wait for: branches, calls, barriers, exchanges within a warp."""
import re

from ptx_body import c_name, handles
from ptx_types import Unsupported


@handles("bra")
def branch(body, instruction):
    body.count("branch")
    return f"goto {c_name('L_', instruction.operands[0])};"


@handles("brx")
def branch_by_table(body, instruction):
    body.count("branch")
    index, table = instruction.operands
    cases = (f"case {i}: goto {c_name('L_', label)};" for i, label in enumerate(body.jump_tables[table]))
    return f"switch ({body.value(index, 'u32')}) {{ {' '.join(cases)} }} {body.new_block()}"


@handles("ret")
def leave_function(body, instruction):
    body.count("branch")
    return "return;"


@handles("exit", "trap")
def stop(body, instruction):
    body.function.waits = True
    why = '"trap"' if instruction.opcode == "trap" else "0"
    return f"T->host->stop(T, {why}, {body.new_site(instruction, 'PTX_OTHER')});"


@handles("call")
def call(body, instruction):
    """Parameters go through memory of the caller. The way of the calls tells barriers of one function apart."""
    body.count("call")
    rest = instruction.text.partition(" ")[2]
    found = re.fullmatch(r"(?:\(([^)]*)\)\s*,\s*)?([$\w]+)\s*(?:,\s*\(([^)]*)\))?", rest)
    if not found or found.group(2) not in body.module.names:
        raise Unsupported("call of something without a body")
    results, name, arguments = found.groups()
    places = [part.strip() for part in f"{results or ''},{arguments or ''}".split(",")]
    passed = ["T"] + [body.parameters[place] for place in places if place]
    body.function.calls.add(name)
    place = len(body.module.sites) * 31 + len(body.module.blocks)
    return (
        f"{{ uint32_t path = T->path; T->path = path * 31 + {place}; "
        f"{c_name('ptx_', name)}({', '.join(passed)}); T->path = path; }} {body.new_block()}"
    )


@handles("bar", "barrier")
def barrier(body, instruction):
    body.function.waits = True
    if instruction.has("warp"):
        body.count("warp")
        mask = body.value(instruction.operands[0], "u32")
        return f"{{ uint64_t all[32]; T->host->meet(T, {mask}, 0, all, {body.new_site(instruction, 'PTX_OTHER')}); }}"
    if not instruction.has("sync"):
        raise Unsupported("kind of barrier")
    body.count("barrier")
    number, threads = (body.value(operand, "u32") for operand in (instruction.operands + ["0"])[:2])
    return f"T->host->barrier(T, {number}, {threads}, {body.new_site(instruction, 'PTX_OTHER')});"


def meeting(body, instruction, value):
    """C in which the lanes of a mask exchange a value each: `all`, `mine` and the lanes that `came`."""
    body.function.waits = True
    mask = body.value(instruction.operands[-1], "u32")
    site = body.new_site(instruction, "PTX_OTHER")
    return f"uint64_t all[32], mine = {value}; uint32_t came = T->host->meet(T, {mask}, mine, all, {site});"


@handles("shfl")
def shuffle(body, instruction):
    body.count("warp")
    if not instruction.has("sync"):
        raise Unsupported("shfl without .sync")
    destination, _, inside = instruction.operands[0].partition("|")
    mode = instruction.one_of("up", "down", "bfly", "idx").upper()
    lane, bounds = (body.value(operand, "u32") for operand in instruction.operands[2:4])
    code = meeting(body, instruction, body.value(instruction.operands[1], "b32"))
    code += f" int from = shuffle_source(SHUFFLE_{mode}, T->lane, {lane}, {bounds}); "
    code += body.assign(destination, "b32", "from < 0 ? mine : came >> from & 1 ? all[from] : 0xffffffffu")
    return f"{{ {code} {body.assign(inside, 'pred', 'from >= 0') if inside else ''} }}"


@handles("vote")
def vote(body, instruction):
    body.count("warp")
    if not instruction.has("sync"):
        raise Unsupported("vote without .sync")
    kind = instruction.one_of("all", "any", "uni", "ballot")
    result = {"all": "x == came", "any": "x != 0", "uni": "x == 0 || x == came", "ballot": "x"}[kind]
    code = meeting(body, instruction, body.value(instruction.operands[1], "pred"))
    code += " uint32_t x = 0; for (int i = 0; i < 32; i++) if (came >> i & 1) x |= (uint32_t)(all[i] != 0) << i; "
    return f"{{ {code} {body.assign(instruction.operands[0], 'b32' if kind == 'ballot' else 'pred', result)} }}"
