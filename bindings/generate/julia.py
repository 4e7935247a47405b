"""The raw layer of Julia, in the syntax of 1.5."""
from layer import Layer
from words import by_kind, documentation

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
    layer = Julia({d["name"] for d in of["callback"]})
    return HEAD.format(abi=abi) + "\n".join(layer.text(d) for d in declarations) + "\nend\n"


class Julia(Layer):
    column = 1
    keywords = frozenset({"type", "function", "end", "module"})

    def __init__(self, callbacks: set):
        self.callbacks = callbacks

    def section(self, d: dict) -> str:
        return f"# {d['name']}\n"

    def constant(self, d: dict) -> str:
        return f"{docstring(d)}const {d['name']} = Int32({d['value']})"

    def alias(self, d: dict) -> str:
        return f"{docstring(d)}const {d['name']} = {self.type_of(d['type'])}"

    def opaque(self, d: dict) -> str:
        return f"{docstring(d)}abstract type {d['name']} end"

    def callback(self, d: dict) -> str:
        signature = ", ".join(f"{p['name']}::{self.type_of(p['type'])}" for p in d["parameters"])
        return f"# {d['name']}: a C function ({signature}) -> {self.type_of(d['returns'])}"

    def struct(self, d: dict) -> str:
        name, members = d["name"], d["members"]
        fields = "".join(f"    {self.word(m['name'])}::{self.type_of(m['type'])}\n" for m in members)
        rest = [m for m in members if m["name"] != "struct_size"]
        keywords = ", ".join(f"{self.word(m['name'])}=zero_of({self.type_of(m['type'])})" for m in rest)
        values = ", ".join(["sizeof(" + name + ")"] + [self.word(m["name"]) for m in rest])
        offsets = ", ".join(str(m["offset"]) for m in members)
        return (
            f"{docstring(d)}struct {name}\n{fields}end\n"
            f"{name}(; {keywords}) =\n    {name}({values})\n"
            f"@assert sizeof({name}) == {d['size']}\n"
            f"@assert [fieldoffset({name}, i) for i in 1:{len(members)}] == [{offsets}]\n"
        )

    def function(self, d: dict) -> str:
        names = [self.word(p["name"]) for p in d["parameters"]]
        kinds = [self.argument(p["type"]) for p in d["parameters"]]
        tuple_of = "(" + "".join(k + ", " for k in kinds).rstrip() + ")" if kinds else "()"
        arguments = "".join(", " + n for n in names)
        return (
            f"{docstring(d)}{d['name']}({', '.join(names)}) =\n"
            f"    ccall((:{d['name']}, libchord), {self.type_of(d['returns'])}, {tuple_of}{arguments})\n"
        )

    def argument(self, t: dict) -> str:
        """Texts can be given as Julia has them; Ptr takes arrays and Refs by itself."""
        if t["name"] == "char" and t.get("pointers") == 1:
            return "Cstring"
        return self.type_of(t)

    def type_of(self, t: dict) -> str:
        name = "Ptr{Cvoid}" if t["name"] in self.callbacks else self.number(t["name"])
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
