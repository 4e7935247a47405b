"""The text of PTX taken apart: functions, variables, statements, instructions and their operands."""
import re
from dataclasses import dataclass, field

from ptx_types import Unsupported, size, width


def split_list(text):
    """Parts between commas, but for those inside brackets."""
    parts, depth, start = [], 0, 0
    for i, character in enumerate(text):
        if character in "[{(":
            depth += 1
        elif character in "]})":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return parts + [last] if last else parts


@dataclass
class Instruction:
    """opcode.modifier.modifier operand, operand"""

    text: str
    opcode: str
    modifiers: list
    operands: list

    @staticmethod
    def parse(text):
        head, _, rest = text.partition(" ")
        opcode, *modifiers = head.split(".")
        return Instruction(text, opcode, modifiers, split_list(rest))

    @property
    def type(self):
        if not self.modifiers:
            raise Unsupported("no type")
        return self.modifiers[-1]

    def has(self, modifier):
        return modifier in self.modifiers

    def one_of(self, *names):
        """The first modifier that is among these."""
        return next((m for m in self.modifiers if m in names), None)

    def space(self):
        """The memory it accesses; .shared::cta is .shared."""
        for modifier in self.modifiers:
            name, _, scope = modifier.partition("::")
            if scope == "cluster":
                raise Unsupported("shared memory of other blocks")
            if name in ("global", "local", "param", "shared", "const"):
                return name
        return "generic"


@dataclass
class Variable:
    """At module level, or shared memory of a function."""

    name: str
    space: str
    bytes: int
    align: int
    value: bytes
    dynamic: bool  # as large as the launch says


@dataclass
class Function:
    name: str
    is_entry: bool
    parameters: list  # (name, bytes)
    results: list
    required_block: list  # .reqntid, or zeros
    max_threads: int  # .maxntid, or 0
    body: str = ""
    # Found out by translating:
    calls: set = field(default_factory=set)
    shared: set = field(default_factory=set)
    waits: bool = False  # some thread may have to wait for another
    first_block: int = 0
    first_site: int = 0
    code: list = field(default_factory=list)


def without_comments(text):
    """Comments gone; .loc, the one statement that no semicolon ends, gets one."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"//[^\n\"]*$", "", text, flags=re.M)
    return re.sub(r"^\s*\.loc\s+(\d+)\s+(\d+)[^\n]*$", r".loc \1 \2;", text, flags=re.M)


def statements(body):
    """'{', '}', 'LABEL:', directives and instructions of a function, without semicolons."""
    label = re.compile(r"[$\w]+\s*:(?!:)")
    at = 0
    while at < len(body):
        if body[at].isspace() or body[at] == ";":
            at += 1
        elif body[at] in "{}":
            yield body[at]
            at += 1
        elif found := label.match(body, at):
            yield found.group(0)
            at = found.end()
        else:
            end = body.index(";", at)
            yield " ".join(body[at:end].split())
            at = end + 1


def parse_parameters(text):
    pattern = re.compile(
        r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)\s+"
        r"(?:\.ptr\s+(?:\.\w+\s+)?(?:\.align\s+\d+\s+)?)?([$\w]+)(?:\[(\d+)\])?"
    )
    parameters = []
    for part in split_list(text):
        found = pattern.fullmatch(part)
        if not found:
            raise Unsupported(f"parameter '{part}'")
        ptx_type, name, count = found.groups()
        parameters.append((name, size(ptx_type) * int(count or 1)))
    return parameters


def literal_bytes(text, ptx_type):
    """A number of an initialiser."""
    text = text.strip()
    if found := re.fullmatch(r"0[fFdD]([0-9a-fA-F]+)", text):
        value = int(found.group(1), 16)
    elif re.fullmatch(r"-?(0x[0-9a-fA-F]+|\d+)U?", text):
        value = int(text.rstrip("U"), 0)
    else:
        raise Unsupported(f"initialiser '{text}'")
    return (value % 2 ** width(ptx_type)).to_bytes(size(ptx_type), "little")


def parse_variables(text):
    """Declarations among other text."""
    pattern = re.compile(
        r"\.(global|const|shared)\s+(?:\.attribute\([^)]*\)\s+)?(?:\.align\s+(\d+)\s+)?\.(\w+)\s+"
        r"([\w$]+)((?:\[\d*\])*)(?:\s*=\s*(\{[^}]*\}|[^;]+))?\s*;"
    )
    for found in pattern.finditer(text):
        space, align, ptx_type, name, dimensions, value = found.groups()
        counts = re.findall(r"\[(\d*)\]", dimensions)
        total = size(ptx_type)
        for count in counts:
            total *= int(count or 0)
        parts = split_list(value.strip("{} \n")) if value else []
        initial = b"".join(literal_bytes(part, ptx_type) for part in parts)
        yield Variable(
            name, space, total, int(align or size(ptx_type)), initial.ljust(total, b"\0"), dynamic="" in counts
        )


def block_limits(directives):
    """.reqntid as three numbers, .maxntid as a number of threads."""

    def numbers(name):
        found = re.search(rf"\.{name}\s+([\d, ]+)", directives)
        return [int(n) for n in found.group(1).replace(",", " ").split()] if found else []

    required, most = numbers("reqntid"), numbers("maxntid")
    threads = 1
    for n in most:
        threads *= n
    return (required + [1, 1, 1])[:3] if required else [0, 0, 0], threads if most else 0


def parse_module(text):
    """Functions with bodies, variables of the module, names of source files by number, and the target's number."""
    text = without_comments(text)
    files = {n: path.split("/")[-1] for n, path in re.findall(r'^\s*\.file\s+(\d+)\s+"([^"]*)"', text, re.M)}
    target = re.search(r"\.target\s+sm_(\d+)", text)
    if not target:
        raise Unsupported("PTX without .target sm_…")
    head = re.compile(
        r"(?:\.(?:visible|weak|extern)\s+)?\.(entry|func)\s*(\([^)]*\))?\s*([\w$]+)\s*(?:\(([^)]*)\))?"
        r"\s*((?:\.\w+[^;{]*?)?)([;{])"
    )
    functions, variables, at = [], [], 0
    while found := head.search(text, at):
        kind, results, name, parameters, directives, end = found.groups()
        variables += parse_variables(text[at : found.start()])
        at = found.end()
        if end == ";":
            continue
        required, most = block_limits(directives)
        function = Function(
            name,
            kind == "entry",
            parse_parameters(parameters or ""),
            parse_parameters((results or "").strip("()")),
            required,
            most,
        )
        depth, end = 1, at
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        function.body, at = text[at : end - 1], end
        functions.append(function)
    return functions, variables, files, int(target.group(1))
