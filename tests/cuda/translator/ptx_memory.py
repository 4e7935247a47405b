"""Instructions that touch memory: loads and stores, vectors of them too, atomics, addresses of other spaces, fences."""
import re

from ptx_body import handles
from ptx_text import split_list
from ptx_types import Unsupported, is_float, is_signed, register_type, size, untyped, value_type, width


def moves(body, instruction, values, pointer, offset=0):
    """C that moves values between registers and bytes at a C pointer."""
    ptx_type = instruction.type
    bytes_, code = size(ptx_type), []
    for i, value in enumerate(values):
        place = f"{pointer} + {offset + i * bytes_}"
        if instruction.opcode == "st":
            x = body.untyped_value(value, ptx_type)
            code.append(f"{{ {register_type(ptx_type)} x = {x}; memcpy({place}, &x, {bytes_}); }}")
        else:
            loaded = ptx_type if is_signed(ptx_type) else untyped(ptx_type)
            store = body.assign(value, loaded, "x")
            code.append(f"{{ {value_type(loaded)} x; memcpy(&x, {place}, {bytes_}); {store} }}")
    return " ".join(code)


@handles("ld", "st", "ldu")
def load_or_store(body, instruction):
    is_store, space = instruction.opcode == "st", instruction.space()
    verb, kind = ("store", "PTX_STORE") if is_store else ("load", "PTX_LOAD")
    where, value = instruction.operands if is_store else reversed(instruction.operands)
    values = split_list(value.strip("{} ")) if value.startswith("{") else [value]
    if space == "param":
        body.count(f"{verb}_param")
        name, offset = body.split_address(where)
        if name not in body.parameters:
            raise Unsupported(f"parameter '{name}'")
        return moves(body, instruction, values, body.parameters[name], offset)
    body.count("local" if space == "local" else f"{verb}_{space}")
    bytes_ = size(instruction.type) * len(values)
    site = body.new_site(instruction, kind, bytes_)
    if instruction.one_of("acquire", "release", "relaxed", "volatile", "mmio"):
        kind = "PTX_ATOMIC"
    access = body.access(space, bytes_, kind, site)
    return f"{{ uint64_t a = {body.address(where, space)}; {access} {moves(body, instruction, values, 'p')} }}"


@handles("atom", "red")
def atomic(body, instruction):
    """Any operation by comparing and exchanging until nobody came between."""
    body.count("atomic")
    space, ptx_type = instruction.space(), instruction.type
    operation = instruction.one_of("add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec")
    if operation is None or width(ptx_type) < 32 or any(re.fullmatch(r"v\d", m) for m in instruction.modifiers):
        raise Unsupported("atomic operation")
    operands = instruction.operands if instruction.opcode == "atom" else ["_"] + instruction.operands
    if is_float(ptx_type):
        old, new = f"as_{ptx_type}(old)", f"as_{ptx_type}(b)"
    else:
        old, new = f"({value_type(ptx_type)})old", f"({value_type(ptx_type)})b"
    result = {
        "add": f"of_{ptx_type}({old} + {new})" if is_float(ptx_type) else "old + b",
        "min": f"{old} < {new} ? old : b",
        "max": f"{old} > {new} ? old : b",
        "and": "old & b",
        "or": "old | b",
        "xor": "old ^ b",
        "exch": "b",
        "cas": "old == b ? c : old",
        "inc": "old >= b ? 0 : old + 1",
        "dec": "old == 0 || old > b ? b : old - 1",
    }[operation]
    bytes_, word = size(ptx_type), register_type(ptx_type)
    site = body.new_site(instruction, "PTX_ATOMIC", bytes_)
    b = body.untyped_value(operands[2], ptx_type)
    c = body.untyped_value(operands[3], ptx_type) if operation == "cas" else "0"
    return (
        f"{{ uint64_t a = {body.address(operands[1], space)}; {body.access(space, bytes_, 'PTX_ATOMIC', site)} "
        f"{word} b = {b}, c = {c}, old = __atomic_load_n(({word}*)p, __ATOMIC_RELAXED), x; do x = {result}; "
        f"while (!__atomic_compare_exchange_n(({word}*)p, &old, x, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)); (void)c; "
        f"{body.assign(operands[0], untyped(ptx_type), 'old')} }}"
    )


@handles("cvta")
def convert_address(body, instruction):
    """Only shared memory has addresses of its own."""
    body.count("move")
    address = body.value(instruction.operands[1], instruction.type)
    if instruction.space() == "shared":
        address += " - SHARED_WINDOW" if instruction.has("to") else " + SHARED_WINDOW"
    return body.assign(instruction.operands[0], instruction.type, address)


@handles("isspacep")
def is_address_of_space(body, instruction):
    body.count("compare")
    test = {
        "shared": "ptx_is_shared({0})",
        "global": "{0} - T->base < T->size",
        "local": "{0} - T->stack_low < T->stack_high - T->stack_low",
    }[instruction.space()]
    return body.assign(instruction.operands[0], "pred", test.format(body.value(instruction.operands[1], "u64")))


@handles("membar", "fence")
def fence(body, instruction):
    body.count("fence")
    return "__atomic_thread_fence(__ATOMIC_SEQ_CST);"


@handles("prefetch", "prefetchu")
def hint(body, instruction):
    return ";"
