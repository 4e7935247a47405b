"""The reference of the C interface as one HTML page: words on the right, an index on the left."""
import html
import re
from itertools import groupby

from words import annotations

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>SparseChord {version}: the C interface</title>
<style>
:root {{ color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --soft: #f4f4f2; --faint: #666; --link: #0b57a4; }}
@media (prefers-color-scheme: dark) {{
  :root {{ --ink: #e8e6e3; --paper: #16181a; --soft: #23262a; --faint: #a5a29d; --link: #8ab4f8; }}
}}
* {{ box-sizing: border-box; }}
body {{ margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }}
code, pre, h3 {{ font: 14px/1.45 ui-monospace, monospace; }}
a {{ color: var(--link); text-decoration: none; }} a:hover {{ text-decoration: underline; }}
nav {{ position: fixed; inset: 0 auto 0 0; width: 20rem; overflow: auto; padding: 1rem; background: var(--soft); }}
nav a {{ display: block; overflow: hidden; text-overflow: ellipsis; }}
nav summary {{ cursor: pointer; margin-top: .3rem; font-weight: 600; }} nav summary a {{ display: inline; }}
nav details > a {{ padding-left: 1rem; }}
main {{ margin-left: 20rem; padding: 1rem 2rem 4rem; max-width: 64rem; overflow-wrap: anywhere; }}
h2 {{ margin-top: 3rem; border-bottom: 1px solid var(--soft); }}
h3 {{ margin: 0 0 .3rem; font-weight: 600; }} h3 a {{ color: inherit; }}
pre {{ background: var(--soft); padding: .6rem .8rem; margin: 0; overflow-x: auto; border-radius: 4px; }}
article {{ margin: 1.8rem 0; }} article:target {{ outline: 2px solid var(--link); outline-offset: .5rem; }}
p {{ margin: .5rem 0; }} dt {{ font-weight: 600; }} dd {{ margin: 0 0 .5rem 1.2rem; }}
ul {{ margin: .3rem 0; padding-left: 1.2rem; color: var(--faint); font-size: 15px; }}
table {{ border-collapse: collapse; }} td {{ vertical-align: top; padding: .1rem 1rem .1rem 0; }}
td:nth-child(-n + 2) {{ white-space: nowrap; overflow-wrap: normal; }} td:nth-child(2) {{ text-align: right; }} table.members td:nth-child(2) {{ text-align: left; }}
@media (max-width: 50rem) {{
  nav {{ position: static; width: auto; }} main {{ margin: 0; padding: 1rem; }} nav details:not([open]) {{ margin: 0; }}
}}
@media (max-width: 40rem) {{
  pre {{ white-space: pre-wrap; }} table, tbody, tr {{ display: block; }} tr {{ margin-bottom: .4rem; }}
  td:nth-child(-n + 2) {{ display: inline-block; max-width: 100%; white-space: normal; overflow-wrap: anywhere; }}
  td:nth-child(3) {{ display: block; padding-left: 1rem; }}
}}
@media print {{
  nav {{ display: none; }} main {{ margin: 0; padding: 0; max-width: none; }} pre {{ white-space: pre-wrap; }}
  h2, h3 {{ break-after: avoid; }} article, tr {{ break-inside: avoid; }}
}}
</style>
<nav><a href="#top"><b>SparseChord {version}</b></a>{index}</nav>
<main id="top"><h1>The C interface of SparseChord {version}</h1>
{body}</main>
</html>
"""


def reference(declarations: list[dict]) -> str:
    values = {d["name"]: d["value"] for d in declarations if d["kind"] == "constant"}
    version = ".".join(str(values[f"CHORD_VERSION_{part}"]) for part in ("MAJOR", "MINOR", "PATCH"))
    names = {d["name"] for d in declarations if d["kind"] != "section"}
    return PAGE.format(version=version, index=index(declarations), body=Body(names).of(declarations))


def index(declarations: list[dict]) -> str:
    """A list for each section, that opens; constants are found beside their types."""
    text = ""
    for d in declarations:
        if d["kind"] == "section":
            text += ("</details>" if text else "") + f'<details><summary><a href="#{slug(d)}">{d["name"]}</a></summary>'
        elif text and d["kind"] != "constant":
            text += f'<a href="#{d["name"]}"><code>{d["name"]}</code></a>'
    return text + "</details>"


class Body:
    """The page's main part, in which every name of the interface is a link."""

    def __init__(self, names: set[str]):
        self.name = re.compile(r"\b(" + "|".join(sorted(names, key=len, reverse=True)) + r")\b")

    def of(self, declarations: list[dict]) -> str:
        """Constants that follow each other are one table."""
        text = ""
        for constants, group in groupby(declarations, lambda d: d["kind"] == "constant"):
            text += self.constants(list(group)) if constants else "".join(map(self.entry, group))
        return text

    def entry(self, d: dict) -> str:
        if d["kind"] == "section":
            return f'<h2 id="{slug(d)}">{html.escape(d["name"])}</h2>\n{self.words(d["doc"])}'
        return (
            f'<article id="{d["name"]}"><h3><a href="#{d["name"]}">{d["name"]}</a></h3>\n'
            + getattr(self, d["kind"])(d) + "</article>\n"
        )

    def constants(self, group: list[dict]) -> str:
        rows = "".join(
            f'<tr id="{d["name"]}"><td><code>{d["name"]}</code><td><code>{d["value"]}</code><td>{self.line(d["doc"])}\n'
            for d in group
        )
        return f"<article><table>{rows}</table></article>\n"

    def alias(self, d: dict) -> str:
        return f"<pre>typedef {c_type(d['type'])} {d['name']};</pre>\n{self.words(d['doc'])}"

    def opaque(self, d: dict) -> str:
        return f"<pre>struct {d['name']};</pre>\n{self.words(d['doc'])}"

    def callback(self, d: dict) -> str:
        return f"<pre>{self.linked(signature(d, '(*' + d['name'] + ')'))}</pre>\n{self.words(d['doc'])}"

    def function(self, d: dict) -> str:
        doc, *notes = re.split(r"\b(?=(?:Ownership|Threads): )", d["doc"])
        listed = "".join(f"<li>{self.line(note)}</li>" for note in notes + annotations(d))
        return f"<pre>{self.linked(signature(d, d['name']))}</pre>\n{self.words(doc)}<ul>{listed}</ul>\n"

    def struct(self, d: dict) -> str:
        rows = "".join(
            f"<tr><td><code>{self.linked(c_type(m['type']))}</code><td><code>{m['name']}{array(m['type'])}</code>"
            f"<td>{self.line(m['doc'])}\n" for m in d["members"]
        )
        return f'{self.words(d["doc"])}<table class="members">{rows}</table>\n'

    def words(self, doc: str) -> str:
        """Paragraphs, and lists of terms as the header sets them: two spaces, the term, and words beside it."""
        text = ""
        for part in re.split(r"\n\n|^Conventions\n", doc.strip(), flags=re.M):
            terms = re.split(r"^  (\w+)  +", part, flags=re.M)
            text += f"<p>{self.line(terms[0])}</p>\n" if terms[0].strip() else ""
            listed = zip(terms[1::2], terms[2::2])
            text += "".join(f"<dl><dt>{term}<dd>{self.line(words)}</dl>\n" for term, words in listed)
        return text

    def line(self, text: str) -> str:
        return self.linked(" ".join(text.split()))

    def linked(self, text: str) -> str:
        linked = self.name.sub(r'<a href="#\1">\1</a>', html.escape(text, quote=False))
        return re.sub(r"`([^`]+)`", r"<code>\1</code>", linked)


def signature(d: dict, name: str) -> str:
    """In one line, or with a line for each parameter."""
    start = f"{c_type(d['returns'])} {name}("
    arguments = [f"{c_type(p['type'])} {p['name']}" for p in d["parameters"]] or ["void"]
    line = start + ", ".join(arguments) + ");"
    return line if len(line) <= 100 else start + "".join(f"\n    {a}," for a in arguments)[:-1] + ");"


def c_type(t: dict) -> str:
    return ("const " if t.get("const") else "") + t["name"] + "*" * t.get("pointers", 0)


def array(t: dict) -> str:
    return f"[{t['array']}]" if "array" in t else ""


def slug(section: dict) -> str:
    return section["name"].lower().replace(" ", "-")
