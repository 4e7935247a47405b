"""The reference of the C interface as one HTML page."""
import html

from words import annotations

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>SparseChord {version}: the C interface</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; }}
code, pre {{ font: 14px/1.45 ui-monospace, monospace; }}
pre {{ background: #f4f4f2; padding: .6rem .8rem; overflow-x: auto; border-radius: 4px; }}
article {{ margin: 1.6rem 0; }}
h3 {{ margin: 0; font: 600 15px ui-monospace, monospace; }} h3 a {{ color: inherit; text-decoration: none; }}
p.words {{ white-space: pre-line; margin: .4rem 0; }} ul.notes {{ color: #555; margin: .2rem 0; }}
td {{ vertical-align: top; padding: .1rem .8rem .1rem 0; }} nav a {{ margin-right: 1rem; }}
@media (prefers-color-scheme: dark) {{
  body {{ background: #16181a; color: #e8e6e3; }} pre {{ background: #23262a; }} ul.notes {{ color: #aaa; }}
  a {{ color: #8ab4f8; }}
}}
</style>
<h1>SparseChord {version}: the C interface</h1>
<nav>{links}</nav>
{sections}
</html>
"""


def reference(declarations: list[dict]) -> str:
    values = {d["name"]: d["value"] for d in declarations if d["kind"] == "constant"}
    version = ".".join(str(values[f"CHORD_VERSION_{part}"]) for part in ("MAJOR", "MINOR", "PATCH"))
    titles = [d["name"] for d in declarations if d["kind"] == "section"]
    links = "".join(f'<a href="#{slug(t)}">{html.escape(t)}</a>' for t in titles)
    body = "".join(heading(d) if d["kind"] == "section" else article(d) for d in declarations)
    return PAGE.format(version=version, links=links, sections=body)


def heading(d: dict) -> str:
    words = f'<p class="words">{html.escape(paragraphs(d["doc"]))}</p>\n' if d["doc"] else ""
    return f'<h2 id="{slug(d["name"])}">{html.escape(d["name"])}</h2>\n{words}'


def article(d: dict) -> str:
    kinds = {"function": signature, "callback": signature, "struct": members, "constant": value}
    code = kinds.get(d["kind"], lambda d: "")(d)
    notes = annotations(d) if d["kind"] == "function" else []
    listed = "".join(f"<li>{html.escape(n)}</li>" for n in notes)
    return (
        f'<article id="{d["name"]}"><h3><a href="#{d["name"]}">{d["name"]}</a></h3>\n{code}'
        + (f'<p class="words">{html.escape(paragraphs(d["doc"]))}</p>\n' if d["doc"] else "")
        + (f'<ul class="notes">{listed}</ul>\n' if listed else "") + "</article>\n"
    )


def paragraphs(doc: str) -> str:
    """The header's lines are as long as its columns; only new sentences about something else begin a line here."""
    text = ""
    for line in doc.splitlines():
        apart = not line or line.startswith((" ", "Ownership:", "Threads:"))
        text += ("\n" if apart else " ") + line
    return text.strip()


def signature(d: dict) -> str:
    arguments = ",\n    ".join(f"{c_type(p['type'])} {p['name']}" for p in d["parameters"]) or "void"
    return f"<pre>{html.escape(c_type(d['returns']))} {d['name']}(\n    {html.escape(arguments)})</pre>\n"


def members(d: dict) -> str:
    rows = "".join(
        f"<tr><td><code>{html.escape(c_type(m['type']))} {m['name']}{array(m['type'])}</code>"
        f"<td>{html.escape(m['doc'])}\n" for m in d["members"]
    )
    return f"<table>{rows}</table>\n"


def value(d: dict) -> str:
    return f"<pre>#define {d['name']} {d['value']}</pre>\n"


def c_type(t: dict) -> str:
    return ("const " if t.get("const") else "") + t["name"] + "*" * t.get("pointers", 0)


def array(t: dict) -> str:
    return f"[{t['array']}]" if "array" in t else ""


def slug(title: str) -> str:
    return title.lower().replace(" ", "-")
