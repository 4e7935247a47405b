"""Types of PTX and how C holds them: a register is an unsigned integer of its width, a predicate an int."""
import re

FLOATS = ("f32", "f64")


class Unsupported(Exception):
    """Something of PTX that is not translated."""


def width(ptx_type):
    """Bits."""
    if ptx_type == "pred":
        return 1
    if not re.fullmatch(r"[bus](8|16|32|64)|f(32|64)", ptx_type):
        raise Unsupported(f"type .{ptx_type}")
    return int(ptx_type[1:])


def size(ptx_type):
    """Bytes in memory."""
    return width(ptx_type) // 8


def is_float(ptx_type):
    return ptx_type in FLOATS


def is_signed(ptx_type):
    return ptx_type[0] == "s"


def untyped(ptx_type):
    """The bits alone: what moving a value is about."""
    return ptx_type if ptx_type == "pred" else f"b{width(ptx_type)}"


def register_type(ptx_type):
    return "int" if ptx_type == "pred" else f"uint{width(ptx_type)}_t"


def value_type(ptx_type):
    """What an operation computes with."""
    if is_float(ptx_type):
        return "double" if ptx_type == "f64" else "float"
    return f"int{width(ptx_type)}_t" if is_signed(ptx_type) else register_type(ptx_type)
