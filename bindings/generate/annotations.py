"""What a header cannot say, from annotations.toml, checked against it and put into the description.

One line for each function: when it returns, then what its pointers are.
    at once      after no work to speak of, or files and host memory alone
    queues       when the work is queued
    waits        when the work queued before is done
    works        after long work of its own, during which it may call back
    name?        may be NULL
    name[length] an array, of so many elements (a parameter, a number, or a member in words)
    name of x    a result that belongs to the parameter x, or to the `library` for as long as the process runs;
                 results that are handles belong to the caller
"""
import re
import tomllib
from pathlib import Path

WHEN = ("at once", "queues", "waits", "works")


def annotate(declarations: list[dict], path: Path) -> None:
    notes = tomllib.loads(path.read_text())
    functions = {d["name"]: d for d in declarations if d["kind"] == "function"}
    missing, unknown = functions.keys() - notes.keys(), notes.keys() - functions.keys()
    if missing or unknown:
        raise SystemExit(f"{path.name} lacks {sorted(missing)} and has {sorted(unknown)}, which chord.h has not")
    for name, function in functions.items():
        function["when"], *items = [part.strip() for part in notes[name].split(";")]
        if function["when"] not in WHEN:
            raise SystemExit(f"{path.name}: {name}: {function['when']!r} is none of {WHEN}")
        for item in items:
            apply(item, function, f"{path.name}: {name}: {item!r}")
        require_lengths(function, f"{path.name}: {name}")


def apply(item: str, function: dict, where: str) -> None:
    match = re.fullmatch(r"(\w+)(\?)?(?:\[(.+)\])?(?: of (\w+))?", item)
    parameters = {p["name"]: p for p in function["parameters"]}
    if not match or (match[1] not in parameters and match[1] != "result"):
        raise SystemExit(f"{where} names no parameter")
    target = parameters.get(match[1], function)
    for key, value in (("nullable", bool(match[2])), ("length", match[3]), ("owner", match[4])):
        if value:
            target[key] = value


def require_lengths(function: dict, where: str) -> None:
    """Pointers to bare memory have a length, and texts that come back an owner."""
    for parameter in function["parameters"]:
        kind = parameter["type"]
        returned_text = kind.get("pointers") == 2 and kind["name"] in ("char", "void")
        if returned_text and kind.get("const") and "owner" not in parameter:
            raise SystemExit(f"{where}: whose is {parameter['name']}?")
        constant_array = kind.get("pointers") == 1 and kind.get("const") and kind["name"] in ("int64_t", "double", "void")
        if constant_array and "length" not in parameter:
            raise SystemExit(f"{where}: how long is {parameter['name']}?")
