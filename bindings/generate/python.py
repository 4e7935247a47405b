"""The raw layer of Python: declarations for cffi, layouts, constants and documentation."""
from words import by_kind, documentation

HEAD = '''"""Generated from chord.h by bindings/generate; not to be edited.

DECLARATIONS are for cffi; LAYOUT has the size of every struct and the offsets of its members, DOCUMENTATION the header's
words about every function."""

'''


def python(declarations: list[dict]) -> str:
    of = by_kind(declarations)
    lines = [f"typedef struct {d['name']} {d['name']};" for d in of["opaque"] + of["struct"]]
    lines += [text(d) for d in declarations if d["kind"] in ("alias", "struct", "callback")]
    lines += [text(d) for d in of["function"]]
    values = {d["name"]: d["value"] for d in of["constant"]}
    version = ".".join(str(values[f"CHORD_VERSION_{part}"]) for part in ("MAJOR", "MINOR", "PATCH"))
    constants = f'VERSION = "{version}"\n' + "".join(f"{d['name']} = {d['value']}\n" for d in of["constant"])
    layout = {s["name"]: (s["size"], {m["name"]: m["offset"] for m in s["members"]}) for s in of["struct"]}
    layouts = "".join(f"    {name!r}: {value!r},\n" for name, value in layout.items())
    documents = "".join(
        f"    {f['name']!r}: {chr(10).join(documentation(f))!r},\n" for f in of["function"]
    )
    return (
        HEAD + constants + '\nDECLARATIONS = """\n' + "\n".join(lines) + '\n"""\n\nLAYOUT = {\n' + layouts
        + "}\n\nDOCUMENTATION = {\n" + documents + "}\n"
    )


def text(d: dict) -> str:
    if d["kind"] == "alias":
        return f"typedef {type_of(d['type'])} {d['name']};"
    if d["kind"] == "struct":
        members = "".join(f"  {member(m)};\n" for m in d["members"])
        return f"struct {d['name']} {{\n{members}}};"
    arguments = ", ".join(f"{type_of(p['type'])} {p['name']}" for p in d["parameters"]) or "void"
    if d["kind"] == "callback":
        return f"typedef {type_of(d['returns'])} (*{d['name']})({arguments});"
    return f"{type_of(d['returns'])} {d['name']}({arguments});"


def type_of(t: dict) -> str:
    return ("const " if t.get("const") else "") + t["name"] + "*" * t.get("pointers", 0)


def member(m: dict) -> str:
    array = f"[{m['type']['array']}]" if "array" in m["type"] else ""
    return f"{type_of(m['type'])} {m['name']}{array}"
