"""The raw layer of Rust, for chord-sys."""
from layer import Layer
from words import by_kind, documentation


def rust(declarations: list[dict]) -> str:
    of, layer = by_kind(declarations), Rust()
    parts = ["// Generated from chord.h by bindings/generate; not to be edited."]
    parts += [layer.text(d) for d in declarations if d["kind"] != "function"]
    parts.append('extern "C" {\n' + "\n".join(layer.text(f) for f in of["function"]) + "}\n")
    parts.append(layout(of["struct"], layer))
    return "\n".join(parts)


class Rust(Layer):
    column = 0
    keywords = frozenset({"type", "in", "ref", "match"})

    def section(self, d: dict) -> str:
        return f"// {d['name']}\n"

    def constant(self, d: dict) -> str:
        return f"{comment(d)}pub const {d['name']}: i32 = {d['value']};"

    def alias(self, d: dict) -> str:
        return f"{comment(d)}pub type {d['name']} = {self.type_of(d['type'])};"

    def opaque(self, d: dict) -> str:
        return f"{comment(d)}#[repr(C)]\npub struct {d['name']} {{\n    _private: [u8; 0],\n}}\n"

    def callback(self, d: dict) -> str:
        return f"{comment(d)}pub type {d['name']} = Option<unsafe extern \"C\" fn{self.signature(d)}>;\n"

    def function(self, d: dict) -> str:
        return f"{comment(d, '    ')}    pub fn {d['name']}{self.signature(d)};\n"

    def struct(self, d: dict) -> str:
        members = "".join(
            f"{comment(m, '    ')}    pub {self.word(m['name'])}: {self.type_of(m['type'])},\n" for m in d["members"]
        )
        zeroed = f"""impl Default for {d['name']} {{
    /// All zero but `struct_size`.
    fn default() -> Self {{
        // SAFETY: numbers, texts, null pointers and absent callbacks are all zero.
        let mut zero: Self = unsafe {{ core::mem::zeroed() }};
        zero.struct_size = core::mem::size_of::<Self>();
        zero
    }}
}}
"""
        return f"{comment(d)}#[repr(C)]\n#[derive(Clone, Copy)]\npub struct {d['name']} {{\n{members}}}\n{zeroed}"

    def signature(self, d: dict) -> str:
        parameters = ", ".join(f"{self.word(p['name'])}: {self.type_of(p['type'])}" for p in d["parameters"])
        returns = self.type_of(d["returns"])
        return f"({parameters})" + ("" if returns == "c_void" else f" -> {returns}")

    def type_of(self, t: dict) -> str:
        name = self.number(t["name"])
        pointers = t.get("pointers", 0)
        if pointers:
            name = "*mut " * (pointers - 1) + ("*const " if t.get("const") else "*mut ") + name
        return f"[{name}; {t['array']}]" if "array" in t else name


def comment(d: dict, indent: str = "") -> str:
    return "".join(f"{indent}/// {line}".rstrip() + "\n" for line in documentation(d))


def layout(structs: list[dict], layer: Rust) -> str:
    sizes = [f"const _: [(); {s['size']}] = [(); core::mem::size_of::<{s['name']}>()];" for s in structs]
    offsets = []
    for s in structs:
        members = ", ".join(f"({m['offset']}, {layer.word(m['name'])})" for m in s["members"])
        offsets.append(f"        offsets!({s['name']}: {members});")
    return "// The sizes are those of C, or this does not compile; the offsets are tested.\n" + "\n".join(sizes) + """

#[cfg(test)]
mod layout {
    macro_rules! offsets {
        ($struct:ident: $(($offset:expr, $member:ident)),+) => {{
            let value = super::$struct::default();
            let start = core::ptr::addr_of!(value) as usize;
            $(assert_eq!(core::ptr::addr_of!(value.$member) as usize - start, $offset);)+
        }};
    }
    #[test]
    fn members_lie_where_c_has_them() {
""" + "\n".join(offsets) + "\n    }\n}\n"
