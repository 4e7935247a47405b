"""Instructions that compute: integers, floats, bits, comparisons, conversions."""
from ptx_body import handles
from ptx_text import split_list
from ptx_types import Unsupported, is_float, is_signed, register_type, untyped, value_type, width

ROUNDINGS_TO_INTEGER = {"rni": "rint", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}


def count_arithmetic(body, ptx_type):
    if is_float(ptx_type):
        body.count(f"fp{width(ptx_type)}")
    else:
        body.count(f"int{max(width(ptx_type), 32)}")


def values_of(body, instruction):
    return [body.value(operand, instruction.type) for operand in instruction.operands[1:]]


def assign_float(body, instruction, expression):
    """With the modifiers that change a result afterwards."""
    for modifier in ("ftz", "sat"):
        if instruction.has(modifier):
            if instruction.type != "f32":
                raise Unsupported(f".{modifier}")
            expression = f"{modifier}({expression})"
    return body.assign(instruction.operands[0], instruction.type, expression)


def refuse_directed_rounding(instruction):
    if is_float(instruction.type) and instruction.one_of("rz", "rm", "rp"):
        raise Unsupported("rounding other than to nearest")


@handles("add", "sub", "mul", "mad", "fma")
def add_or_multiply(body, instruction):
    ptx_type = instruction.type
    if instruction.has("wide"):
        return multiply_wide(body, instruction)
    if instruction.has("hi"):
        return multiply_high(body, instruction)
    if instruction.has("cc"):
        raise Unsupported("carry")
    count_arithmetic(body, ptx_type)
    form = {"add": "{0} + {1}", "sub": "{0} - {1}", "mul": "{0} * {1}", "mad": "{0} * {1} + {2}"}
    if not is_float(ptx_type):  # as unsigned: they wrap around
        x = [f"({register_type(ptx_type)})({value})" for value in values_of(body, instruction)]
        return body.assign(instruction.operands[0], untyped(ptx_type), form[instruction.opcode].format(*x))
    refuse_directed_rounding(instruction)
    form["mad"] = form["fma"] = "fma({0}, {1}, {2})" if ptx_type == "f64" else "fmaf({0}, {1}, {2})"
    return assign_float(body, instruction, form[instruction.opcode].format(*values_of(body, instruction)))


def multiply_wide(body, instruction):
    """The whole product, of twice the width."""
    ptx_type = instruction.type
    product_type = ptx_type[0] + str(2 * width(ptx_type))
    count_arithmetic(body, product_type)
    wide = value_type(product_type)
    a, b = (body.value(operand, ptx_type) for operand in instruction.operands[1:3])
    expression = f"({wide}){a} * ({wide}){b}"
    if instruction.opcode == "mad":
        expression += f" + {body.value(instruction.operands[3], product_type)}"
    return body.assign(instruction.operands[0], product_type, expression)


def multiply_high(body, instruction):
    """The upper half of the product."""
    ptx_type = instruction.type
    count_arithmetic(body, ptx_type)
    if width(ptx_type) == 64:
        wide = "__int128" if is_signed(ptx_type) else "unsigned __int128"
    else:
        wide = "int64_t" if is_signed(ptx_type) else "uint64_t"
    x = values_of(body, instruction)
    expression = f"({value_type(ptx_type)})((({wide}){x[0]} * ({wide}){x[1]}) >> {width(ptx_type)})"
    return body.assign(
        instruction.operands[0], ptx_type, expression + (f" + {x[2]}" if instruction.opcode == "mad" else "")
    )


@handles("div", "rem")
def divide(body, instruction):
    ptx_type, (a, b) = instruction.type, values_of(body, instruction)
    if not is_float(ptx_type):
        body.count("int_division")
        return body.assign(instruction.operands[0], ptx_type, f"{instruction.opcode}_{ptx_type}({a}, {b})")
    body.count("special")
    refuse_directed_rounding(instruction)
    return assign_float(body, instruction, f"{a} / {b}")


@handles("rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "tanh")
def special_function(body, instruction):
    """The approximate reciprocal is as wrong as a GPU's may be; other approximations are exact, but for the last bit."""
    body.count("special")
    refuse_directed_rounding(instruction)
    f = "" if instruction.type == "f64" else "f"
    x = body.value(instruction.operands[1], instruction.type)
    if instruction.opcode == "rcp" and instruction.has("approx") and instruction.type == "f32":
        return assign_float(body, instruction, f"approximate_reciprocal({x}, T->seed)")
    forms = {"rcp": f"1 / {x}", "rsqrt": f"1 / sqrt{f}({x})", "ex2": f"exp2{f}({x})", "lg2": f"log2{f}({x})"}
    return assign_float(body, instruction, forms.get(instruction.opcode, f"{instruction.opcode}{f}({x})"))


@handles("min", "max")
def least_or_greatest(body, instruction):
    count_arithmetic(body, instruction.type)
    a, b = values_of(body, instruction)
    if not is_float(instruction.type):
        sign = "<" if instruction.opcode == "min" else ">"
        return body.assign(instruction.operands[0], instruction.type, f"{a} {sign} {b} ? {a} : {b}")
    expression = f"f{instruction.opcode}{'' if instruction.type == 'f64' else 'f'}({a}, {b})"
    if instruction.has("NaN"):
        expression = f"{a} != {a} || {b} != {b} ? NAN : {expression}"
    return assign_float(body, instruction, expression)


@handles("neg")
def negate(body, instruction):
    ptx_type = instruction.type
    count_arithmetic(body, ptx_type)
    x = body.untyped_value(instruction.operands[1], ptx_type)
    if is_float(ptx_type):
        x = f"{x} ^ ({register_type(ptx_type)})1 << {width(ptx_type) - 1}"
    else:
        x = f"0 - {x}"
    return body.assign(instruction.operands[0], untyped(ptx_type), x)


@handles("abs")
def absolute(body, instruction):
    ptx_type, (x,) = instruction.type, values_of(body, instruction)
    count_arithmetic(body, ptx_type)
    if is_float(ptx_type):
        return assign_float(body, instruction, f"fabs{'' if ptx_type == 'f64' else 'f'}({x})")
    return body.assign(instruction.operands[0], ptx_type, f"{x} < 0 ? -{x} : {x}")


@handles("copysign")
def copy_sign(body, instruction):
    """The sign comes first."""
    count_arithmetic(body, instruction.type)
    sign, x = values_of(body, instruction)
    return assign_float(body, instruction, f"copysign{'' if instruction.type == 'f64' else 'f'}({x}, {sign})")


@handles("and", "or", "xor", "not")
def logic(body, instruction):
    ptx_type = instruction.type
    if ptx_type == "pred":
        body.count("compare")
    else:
        count_arithmetic(body, ptx_type)
    x = values_of(body, instruction)
    if instruction.opcode == "not":
        return body.assign(instruction.operands[0], ptx_type, ("!" if ptx_type == "pred" else "~") + x[0])
    sign = {"and": "&", "or": "|", "xor": "^"}[instruction.opcode]
    return body.assign(instruction.operands[0], ptx_type, f"{x[0]} {sign} {x[1]}")


@handles("shl", "shr")
def shift(body, instruction):
    """By the width or more: nothing is left, or the sign."""
    ptx_type, bits = instruction.type, width(instruction.type)
    count_arithmetic(body, ptx_type)
    x, n = body.value(instruction.operands[1], ptx_type), body.value(instruction.operands[2], "u32")
    if instruction.opcode == "shr" and is_signed(ptx_type):
        return body.assign(instruction.operands[0], ptx_type, f"{x} >> ({n} < {bits} ? {n} : {bits - 1})")
    sign = "<<" if instruction.opcode == "shl" else ">>"
    return body.assign(instruction.operands[0], ptx_type, f"{n} < {bits} ? {x} {sign} {n} : 0")


@handles("shf")
def funnel_shift(body, instruction):
    """Of two registers behind each other; rotation is the case that both are one."""
    count_arithmetic(body, "b32")
    low, high, n = (body.value(operand, "u32") for operand in instruction.operands[1:])
    n = f"({n} & 31)" if instruction.has("wrap") else f"({n} < 32 ? {n} : 32)"
    both = f"(((uint64_t){high} << 32) | {low})"
    expression = f"{both} << {n} >> 32" if instruction.has("l") else f"{both} >> {n}"
    return body.assign(instruction.operands[0], "b32", f"(uint32_t)({expression})")


@handles("clz", "popc", "brev")
def count_bits(body, instruction):
    bits, x = width(instruction.type), body.value(instruction.operands[1], instruction.type)
    count_arithmetic(body, instruction.type)
    if instruction.opcode == "brev":
        return body.assign(instruction.operands[0], instruction.type, f"reversed_bits({x}, {bits})")
    suffix = "ll" if bits == 64 else ""
    expression = f"__builtin_popcount{suffix}({x})"
    if instruction.opcode == "clz":
        expression = f"{x} ? __builtin_clz{suffix}({x}) : {bits}"
    return body.assign(instruction.operands[0], "u32", expression)


@handles("bfe", "bfi", "prmt")
def bit_field(body, instruction):
    ptx_type, bits = instruction.type, width(instruction.type)
    count_arithmetic(body, ptx_type)
    first = body.value(instruction.operands[1], ptx_type)
    if instruction.opcode == "bfe":
        at, n = (body.value(operand, "u32") for operand in instruction.operands[2:])
        sign = "signed" if is_signed(ptx_type) else "unsigned"
        return body.assign(instruction.operands[0], ptx_type, f"{sign}_field({first}, {at}, {n}, {bits})")
    second = body.value(instruction.operands[2], ptx_type)
    rest = ", ".join(body.value(operand, "u32") for operand in instruction.operands[3:])
    if instruction.opcode == "bfi":
        return body.assign(instruction.operands[0], ptx_type, f"insert_field({first}, {second}, {rest}, {bits})")
    if len(instruction.modifiers) > 1:
        raise Unsupported("mode of prmt")
    return body.assign(instruction.operands[0], "b32", f"permuted_bytes({first}, {second}, {rest})")


COMPARISONS = {
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "lo": "<", "ls": "<=", "hi": ">", "hs": ">=",
}  # fmt: skip


def comparison(name, ptx_type, a, b):
    """C expression; those of floats that end in u hold for NaN, the others do not."""
    if not is_float(ptx_type):
        return f"({a} {COMPARISONS[name]} {b})"
    numbers = f"({a} == {a} && {b} == {b})"
    if name == "num":
        return numbers
    if name == "nan":
        return f"(!{numbers})"
    if name == "ne":
        return f"({a} < {b} || {a} > {b})"
    if name == "neu":
        return f"({a} != {b})"
    if name in COMPARISONS:
        return f"({a} {COMPARISONS[name]} {b})"
    return f"(!{numbers} || {a} {COMPARISONS[name[:-1]]} {b})"


@handles("setp")
def compare(body, instruction):
    """To a predicate, its opposite to a second one, both joined with a third."""
    body.count("compare")
    ptx_type, operands = instruction.type, instruction.operands
    a, b = body.value(operands[1], ptx_type), body.value(operands[2], ptx_type)
    result = comparison(instruction.modifiers[0], ptx_type, a, b)
    opposite = f"!{result}"
    if len(operands) > 3:
        sign = {"and": "&", "or": "|", "xor": "^"}[instruction.modifiers[1]]
        other = body.value(operands[3], "pred")
        result, opposite = f"({result} {sign} {other})", f"({opposite} {sign} {other})"
    destination, _, second = operands[0].partition("|")
    if not second:
        return body.assign(destination, "pred", result)
    both = f"{body.assign(destination, 'pred', 'x')} {body.assign(second, 'pred', 'y')}"
    return f"{{ int x = {result}, y = {opposite}; {both} }}"


@handles("selp")
def select(body, instruction):
    body.count("compare")
    bits, operands = untyped(instruction.type), instruction.operands
    a, b, condition = body.value(operands[1], bits), body.value(operands[2], bits), body.value(operands[3], "pred")
    return body.assign(operands[0], bits, f"{condition} ? {a} : {b}")


@handles("mov")
def move(body, instruction):
    """Of one register, or of the parts of one."""
    body.count("move")
    ptx_type, (destination, source) = instruction.type, instruction.operands
    bits = untyped(ptx_type)
    if destination.startswith("{"):
        names = split_list(destination.strip("{} "))
        each = width(ptx_type) // len(names)
        parts = (body.assign(n, f"b{each}", f"x >> {i * each}") for i, n in enumerate(names) if n != "_")
        return f"{{ {register_type(ptx_type)} x = {body.value(source, bits)}; {' '.join(parts)} }}"
    if source.startswith("{"):
        names = split_list(source.strip("{} "))
        each, whole = width(ptx_type) // len(names), register_type(ptx_type)
        parts = (f"({whole}){body.value(n, f'b{each}')} << {i * each}" for i, n in enumerate(names))
        return body.assign(destination, bits, " | ".join(parts))
    return body.assign(destination, bits, body.value(source, bits))


@handles("cvt")
def convert(body, instruction):
    body.count("convert")
    to, source = instruction.modifiers[-2:]
    destination, operand = instruction.operands
    x = body.value(operand, source)
    if instruction.has("ftz") and source == "f32":
        x = f"ftz({x})"
    if instruction.has("sat"):
        if (to, source) != ("f32", "f32"):
            raise Unsupported(".sat")
        x = f"sat({x})"
    if instruction.one_of("rz", "rm", "rp"):
        raise Unsupported("rounding other than to nearest")
    rounding = instruction.one_of(*ROUNDINGS_TO_INTEGER)
    if is_float(source) and not is_float(to):
        x = f"to_{to}({ROUNDINGS_TO_INTEGER[rounding]}((double){x}))"
    elif rounding:
        x = f"{ROUNDINGS_TO_INTEGER[rounding]}({x})"
    else:
        x = f"({value_type(to)}){x}"
    return body.assign(destination, to, x)
