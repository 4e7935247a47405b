"""What the layers have in common."""


def by_kind(declarations: list[dict]) -> dict[str, list[dict]]:
    kinds = ("constant", "alias", "opaque", "struct", "callback", "function")
    return {kind: [d for d in declarations if d["kind"] == kind] for kind in kinds}


def documentation(d: dict) -> list[str]:
    """The header's words, and the annotations' in a line of their own."""
    lines = d["doc"].splitlines()
    notes = annotations(d) if d.get("kind") == "function" else []
    return lines + ([""] if lines and notes else []) + notes


def annotations(function: dict) -> list[str]:
    found = [f"Returns: {RETURNS[function['when']]}."]
    for p in function["parameters"]:
        facts = []
        if "length" in p:
            facts.append(f"an array [{p['length']}]")
        if p.get("nullable"):
            facts.append("NULL allowed")
        if "owner" in p:
            facts.append("valid as long as the process" if p["owner"] == "library" else f"owned by `{p['owner']}`")
        if facts:
            found.append(f"`{p['name']}`: {', '.join(facts)}.")
    return found


RETURNS = {
    "at once": "at once",
    "queues": "when the work is queued",
    "waits": "after waiting for work",
    "works": "after long work of its own",
}
