"""The raw layer of Rust, for chord-sys."""
from words import by_kind, documentation

NUMBERS = {"int32_t": "i32", "int64_t": "i64", "uint64_t": "u64", "size_t": "usize", "intptr_t": "isize",
           "double": "f64", "float": "f32", "char": "c_char", "void": "c_void", "int": "c_int", "uint8_t": "u8",
           "uint32_t": "u32"}
WORDS = {"type": "type_", "in": "in_", "ref": "ref_", "match": "match_"}


def rust(declarations: list[dict]) -> str:
    of = by_kind(declarations)
    parts = ["// Generated from chord.h by bindings/generate; not to be edited."]
    parts += [text(d) for d in declarations if d["kind"] != "function"]
    parts.append('extern "C" {\n' + "\n".join(text(f) for f in of["function"]) + "}\n")
    parts.append(layout(of["struct"]))
    return "\n".join(parts)


def text(d: dict) -> str:
    doc = comment(d)
    if d["kind"] == "section":
        return f"// {d['name']}\n"
    if d["kind"] == "constant":
        return f"{doc}pub const {d['name']}: i32 = {d['value']};"
    if d["kind"] == "alias":
        return f"{doc}pub type {d['name']} = {type_of(d['type'])};"
    if d["kind"] == "opaque":
        return f"{doc}#[repr(C)]\npub struct {d['name']} {{\n    _private: [u8; 0],\n}}\n"
    if d["kind"] == "callback":
        return f"{doc}pub type {d['name']} = Option<unsafe extern \"C\" fn({parameters(d)}){result(d)}>;\n"
    if d["kind"] == "function":
        return f"{comment(d, '    ')}    pub fn {d['name']}({parameters(d)}){result(d)};\n"
    members = "".join(f"{comment(m, '    ')}    pub {word(m['name'])}: {type_of(m['type'])},\n" for m in d["members"])
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
    return f"{doc}#[repr(C)]\n#[derive(Clone, Copy)]\npub struct {d['name']} {{\n{members}}}\n{zeroed}"


def comment(d: dict, indent: str = "") -> str:
    return "".join(f"{indent}/// {line}".rstrip() + "\n" for line in documentation(d))


def word(name: str) -> str:
    return WORDS.get(name, name)


def parameters(d: dict) -> str:
    return ", ".join(f"{word(p['name'])}: {type_of(p['type'])}" for p in d["parameters"])


def result(d: dict) -> str:
    kind = type_of(d["returns"])
    return "" if kind == "c_void" else f" -> {kind}"


def type_of(t: dict) -> str:
    name = NUMBERS.get(t["name"], t["name"])
    pointers = t.get("pointers", 0)
    if pointers:
        name = "*mut " * (pointers - 1) + ("*const " if t.get("const") else "*mut ") + name
    return f"[{name}; {t['array']}]" if "array" in t else name


def layout(structs: list[dict]) -> str:
    sizes = [f"const _: [(); {s['size']}] = [(); core::mem::size_of::<{s['name']}>()];" for s in structs]
    offsets = []
    for s in structs:
        members = ", ".join(f"({m['offset']}, {word(m['name'])})" for m in s["members"])
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
