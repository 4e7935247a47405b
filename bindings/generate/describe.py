"""chord.h, read with libclang, as one description: what it declares, with documentation, sizes and offsets."""
import re
import subprocess
from pathlib import Path

from clang.cindex import CursorKind, Index, TokenKind, TranslationUnit, TypeKind

# Macros that mean something to C compilers alone.
NOT_CONSTANTS = re.compile(r"CHORD_API|CHORD_CHORD_H|CHORD_(\w+_)?INIT")
RULE = re.compile(r"^-{10,} ?")


def describe(header: Path) -> list[dict]:
    """All declarations in the header's order."""
    # libclang from PyPI has no stddef.h of its own; the machine's compiler has.
    headers = subprocess.check_output(["cc", "-print-file-name=include"], text=True).strip()
    unit = Index.create().parse(
        str(header), args=["-x", "c", "-std=c99", "-isystem", headers], options=TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
    )
    for problem in unit.diagnostics:
        raise SystemExit(f"{header}: {problem.spelling}")
    comments = Comments(unit)
    cursors = [c for c in unit.cursor.get_children() if c.location.file and c.location.file.name == str(header)]
    cursors.sort(key=lambda c: c.extent.start.offset)

    found: list[dict] = []
    previous = None  # a function without a comment that follows another one directly shares its comment
    for cursor in cursors:
        declaration = declared(cursor, comments)
        if declaration is None or any(d["name"] == declaration["name"] for d in found):
            continue
        if not declaration["doc"] and previous and previous.extent.end.line + 1 == cursor.extent.start.line:
            declaration["doc"] = found[-1]["doc"] if found[-1]["kind"] == declaration["kind"] == "function" else ""
        found += [*comments.sections_before(cursor.extent.start.line), declaration]
        previous = cursor
    return found


class Comments:
    """The comments of a file, found by the lines they begin and end in."""

    def __init__(self, unit):
        self.trailing, self.standing, self.sections = {}, {}, {}
        code_ends = 0
        for token in unit.cursor.get_tokens():
            first, last = token.extent.start.line, token.extent.end.line
            if token.kind != TokenKind.COMMENT:
                code_ends = last
                continue
            text = plain(token.spelling)
            if text.startswith("SparseChord:"):
                self.sections[first] = {"kind": "section", "name": "Conventions", "doc": text}
            elif RULE.match(text):
                title, _, words = RULE.sub("", text).partition("\n")
                self.sections[first] = {"kind": "section", "name": title, "doc": words.strip()}
            elif first == code_ends:
                self.trailing[first] = text
            else:
                self.standing[last] = text

    def of(self, cursor) -> str:
        """The comment that ends in the line above, or the one behind in the same line."""
        return self.above(cursor) or self.behind(cursor)

    def above(self, cursor) -> str:
        return self.standing.get(cursor.extent.start.line - 1, "")

    def behind(self, cursor) -> str:
        return self.trailing.get(cursor.extent.end.line, "")

    def sections_before(self, line: int) -> list[dict]:
        """Those that begin before the line and were not asked for yet."""
        return [self.sections.pop(start) for start in sorted(self.sections) if start < line]


def plain(comment: str) -> str:
    lines = comment.removeprefix("/*").removesuffix("*/").strip().splitlines()
    return "\n".join(re.sub(r"^\s*\* ?", "", line).rstrip() for line in lines).strip()


def declared(cursor, comments) -> dict | None:
    kinds = {
        CursorKind.MACRO_DEFINITION: constant,
        CursorKind.TYPEDEF_DECL: alias,
        CursorKind.STRUCT_DECL: struct,
        CursorKind.FUNCTION_DECL: function,
    }
    return kinds[cursor.kind](cursor, comments) if cursor.kind in kinds else None


def constant(cursor, comments) -> dict | None:
    if NOT_CONSTANTS.fullmatch(cursor.spelling):
        return None
    text = "".join(token.spelling for token in list(cursor.get_tokens())[1:])
    if not re.fullmatch(r"\(?-?\d+\)?", text):
        raise SystemExit(f"{cursor.spelling}: {text} is no integer")
    return {
        "kind": "constant",
        "name": cursor.spelling,
        "value": int(text.strip("()")),
        "doc": comments.behind(cursor) or comments.above(cursor),
    }


def alias(cursor, comments) -> dict | None:
    target = cursor.underlying_typedef_type
    if target.get_canonical().kind == TypeKind.RECORD:
        return None  # its struct is a declaration already
    described = {"name": cursor.spelling, "doc": comments.of(cursor)}
    pointee = target.get_pointee()
    if pointee.kind in (TypeKind.FUNCTIONPROTO, TypeKind.UNEXPOSED):
        parameters = [c for c in cursor.get_children() if c.kind == CursorKind.PARM_DECL]
        return {"kind": "callback"} | described | {
            "returns": type_of(pointee.get_canonical().get_result()),
            "parameters": [parameter(p) for p in parameters],
        }
    return {"kind": "alias"} | described | {"type": type_of(target)}


def struct(cursor, comments) -> dict:
    described = {"name": cursor.spelling, "doc": comments.of(cursor)}
    if not cursor.is_definition():
        return {"kind": "opaque"} | described
    record = cursor.type
    members = [
        {
            "name": field.spelling,
            "type": type_of(field.type),
            "offset": record.get_offset(field.spelling) // 8,
            "doc": comments.behind(field),
        }
        for field in record.get_fields()
    ]
    return {"kind": "struct"} | described | {"size": record.get_size(), "members": members}


def function(cursor, comments) -> dict:
    return {
        "kind": "function",
        "name": cursor.spelling,
        "doc": comments.above(cursor),
        "returns": type_of(cursor.result_type),
        "parameters": [parameter(p) for p in cursor.get_arguments()],
    }


def parameter(cursor) -> dict:
    return {"name": cursor.spelling, "type": type_of(cursor.type)}


def type_of(ctype) -> dict:
    """A type as its name and what is around it: {"name": "char", "const": true, "pointers": 2} is const char**."""
    described = {}
    if ctype.kind == TypeKind.CONSTANTARRAY:
        described["array"] = ctype.element_count
        ctype = ctype.element_type
    pointers = 0
    while ctype.kind == TypeKind.POINTER:
        pointers, ctype = pointers + 1, ctype.get_pointee()
    name = ctype.spelling.removeprefix("const ").removeprefix("struct ")
    name = "int32_t" if name == "int" else name  # what callbacks return, whose types libclang has resolved
    described = {"name": name} | described
    if ctype.is_const_qualified():
        described["const"] = True
    if pointers:
        described["pointers"] = pointers
    return described
