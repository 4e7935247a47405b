"""The raw layer of Julia, in the syntax of 1.5."""
from words import by_kind, documentation

NUMBERS = {"int32_t": "Int32", "int64_t": "Int64", "uint64_t": "UInt64", "size_t": "Csize_t", "intptr_t": "Int",
           "double": "Float64", "float": "Float32", "char": "UInt8", "void": "Cvoid", "int": "Cint", "uint8_t": "UInt8",
           "uint32_t": "UInt32"}
WORDS = {"type": "type_", "function": "function_", "end": "end_", "module": "module_"}

HEAD = '''"""
Generated from chord.h by bindings/generate; not to be edited. Functions and types have the names of C. Structs have a
constructor with keywords: all else is zero, and `struct_size` is set.
"""
module LibChord

# Found by this name once SparseChord has loaded the library from wherever it is.
const libchord = "libchord.so.{abi}"

zero_of(::Type{{T}}) where {{T<:Number}} = zero(T)
zero_of(::Type{{Ptr{{T}}}}) where {{T}} = Ptr{{T}}(C_NULL)
zero_of(::Type{{NTuple{{N,T}}}}) where {{N,T}} = ntuple(_ -> zero(T), N)

'''


def julia(declarations: list[dict]) -> str:
    of = by_kind(declarations)
    abi = next(d["value"] for d in of["constant"] if d["name"] == "CHORD_ABI_VERSION")
    opaque = {d["name"] for d in of["opaque"]}
    callbacks = {d["name"] for d in of["callback"]}
    types = Types(opaque, callbacks)
    return HEAD.format(abi=abi) + "\n".join(types.text(d) for d in declarations) + "\nend\n"


class Types:
    def __init__(self, opaque: set, callbacks: set):
        self.opaque, self.callbacks = opaque, callbacks

    def text(self, d: dict) -> str:
        doc = docstring(d)
        if d["kind"] == "section":
            return f"# {d['name']}\n"
        if d["kind"] == "constant":
            return f"{doc}const {d['name']} = Int32({d['value']})"
        if d["kind"] == "alias":
            return f"{doc}const {d['name']} = {self.of(d['type'])}"
        if d["kind"] == "opaque":
            return f"{doc}abstract type {d['name']} end"
        if d["kind"] == "callback":
            signature = ", ".join(f"{p['name']}::{self.of(p['type'])}" for p in d["parameters"])
            return f"# {d['name']}: a C function ({signature}) -> {self.of(d['returns'])}"
        return doc + (self.struct(d) if d["kind"] == "struct" else self.function(d))

    def struct(self, d: dict) -> str:
        name, members = d["name"], d["members"]
        fields = "".join(f"    {word(m['name'])}::{self.of(m['type'])}\n" for m in members)
        rest = [m for m in members if m["name"] != "struct_size"]
        keywords = ", ".join(f"{word(m['name'])}=zero_of({self.of(m['type'])})" for m in rest)
        values = ", ".join(["sizeof(" + name + ")"] + [word(m["name"]) for m in rest])
        offsets = ", ".join(str(m["offset"]) for m in members)
        return (
            f"struct {name}\n{fields}end\n"
            f"{name}(; {keywords}) =\n    {name}({values})\n"
            f"@assert sizeof({name}) == {d['size']}\n"
            f"@assert [fieldoffset({name}, i) for i in 1:{len(members)}] == [{offsets}]\n"
        )

    def function(self, d: dict) -> str:
        names = [word(p["name"]) for p in d["parameters"]]
        kinds = [self.argument(p["type"]) for p in d["parameters"]]
        tuple_of = "(" + "".join(k + ", " for k in kinds).rstrip() + ")" if kinds else "()"
        arguments = "".join(", " + n for n in names)
        return (
            f"{d['name']}({', '.join(names)}) =\n"
            f"    ccall((:{d['name']}, libchord), {self.of(d['returns'])}, {tuple_of}{arguments})\n"
        )

    def argument(self, t: dict) -> str:
        """Texts can be given as Julia has them; Ptr takes arrays and Refs by itself."""
        if t["name"] == "char" and t.get("pointers") == 1:
            return "Cstring"
        return self.of(t)

    def of(self, t: dict) -> str:
        name = "Ptr{Cvoid}" if t["name"] in self.callbacks else NUMBERS.get(t["name"], t["name"])
        for _ in range(t.get("pointers", 0)):
            name = f"Ptr{{{name}}}"
        return f"NTuple{{{t['array']},{name}}}" if "array" in t else name


def docstring(d: dict) -> str:
    """Markdown, in which the header's identifiers and formulas must stand as they are."""
    lines = documentation(d)
    if d["kind"] == "struct":
        lines = lines + [f"{m['name']}: {' '.join(m['doc'].split())}" for m in d["members"] if m["doc"]]
    if not lines:
        return ""
    body = "\n".join(lines).replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
    return f'"""\n```text\n{body}\n```\n"""\n'


def word(name: str) -> str:
    return WORDS.get(name, name)
