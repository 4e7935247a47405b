"""One function of PTX as a function of C: registers, operands, and the places that the tables of the module tell of."""
import re

from ptx_text import Instruction, parse_variables, split_list, statements
from ptx_types import Unsupported, is_float, is_signed, register_type, size, untyped, value_type, width

# What instructions are counted as.
CLASSES = (
    "int32 int64 int_division fp32 fp64 special convert compare move branch call load_param store_param "
    "load_global store_global load_shared store_shared load_generic store_generic load_const local atomic barrier warp "
    "fence"
).split()

HANDLERS = {}


def handles(*opcodes):
    """Marks a function that translates an instruction: (body, instruction) -> C."""

    def register(function):
        HANDLERS.update((opcode, function) for opcode in opcodes)
        return function

    return register


def c_name(prefix, ptx_name):
    return prefix + re.sub(r"\W", "_", ptx_name)


LANE_MASKS = {
    "eq": "(1u << T->lane)",
    "lt": "((1u << T->lane) - 1)",
    "le": "((2u << T->lane) - 1)",
    "gt": "~((2u << T->lane) - 1)",
    "ge": "~((1u << T->lane) - 1)",
}
SPECIAL_REGISTERS = {
    "%laneid": "T->lane",
    "%warpid": "(T->linear >> 5)",
    "%nwarpid": "((T->ntid[0] * T->ntid[1] * T->ntid[2] + 31) >> 5)",
    "%dynamic_smem_size": "T->dynamic_shared",
    **{f"%{name}.{'xyz'[i]}": f"T->{name}[{i}]" for name in ("tid", "ntid", "ctaid", "nctaid") for i in range(3)},
    **{f"%lanemask_{name}": mask for name, mask in LANE_MASKS.items()},
}


class Body:
    def __init__(self, module, function):
        self.module, self.function = module, function
        self.registers = {}  # name -> bits
        self.symbols = {}  # variables of this function -> C expression of their addresses
        self.jump_tables = {}
        self.line = ""  # of the source, for messages
        source = "P[%d]" if function.is_entry else "argument_%d"
        self.parameters = {name: source % i for i, (name, _) in enumerate(function.parameters)}
        self.parameters.update({name: f"result_{i}" for i, (name, _) in enumerate(function.results)})

    # ---- operands

    def register(self, name):
        return c_name("r_", name)

    def address_of(self, name):
        """C expression of the address of a variable in its own space."""
        if name in self.parameters:
            raise Unsupported("address of a parameter")
        found = self.symbols.get(name) or self.module.symbols.get(name)
        if found is None:
            raise Unsupported(f"name '{name}'")
        if shared := re.fullmatch(r"T->shared_at\[(\d+)\]", found):
            self.function.shared.add(int(shared.group(1)))
        return found

    def value(self, operand, ptx_type):
        """C expression of an operand read as a type."""
        if operand.startswith("!"):
            return "!" + self.value(operand[1:], ptx_type)
        if operand in self.registers:
            return self.register_value(operand, ptx_type)
        if operand in SPECIAL_REGISTERS:
            return f"({value_type(ptx_type)}){SPECIAL_REGISTERS[operand]}"
        if operand.startswith("%"):
            raise Unsupported(f"register {operand}")
        if operand == "WARP_SZ":
            return "32"
        if found := re.fullmatch(r"0[fFdD]([0-9a-fA-F]{8}|[0-9a-fA-F]{16})", operand):
            digits = found.group(1)
            return f"as_f{4 * len(digits)}(0x{digits}ull)" if is_float(ptx_type) else f"0x{digits}ull"
        if re.fullmatch(r"-?(0x[0-9a-fA-F]+|\d+)U?", operand):
            number = int(operand.rstrip("U"), 0)
            return str(number) if ptx_type == "pred" else f"(({value_type(ptx_type)}){hex(number % 2**64)}ull)"
        if found := re.fullmatch(r"([$\w]+)\s*(?:\+\s*(-?\d+))?", operand):
            return f"({value_type(ptx_type)})({self.address_of(found.group(1))} + {int(found.group(2) or 0)}ll)"
        raise Unsupported(f"operand '{operand}'")

    def register_value(self, name, ptx_type):
        register = self.register(name)
        if ptx_type == "pred":
            return register
        if is_float(ptx_type):
            return f"as_{ptx_type}({register})"
        same = not is_signed(ptx_type) and self.registers[name] == width(ptx_type)
        return register if same else f"({value_type(ptx_type)}){register}"

    def assign(self, destination, ptx_type, expression):
        """C statement that sets a register; signed values are extended to its width."""
        if destination == "_":
            return f"(void)({expression});"
        if destination not in self.registers:
            raise Unsupported(f"destination '{destination}'")
        register, bits = self.register(destination), self.registers[destination]
        if ptx_type == "pred":
            return f"{register} = {expression};"
        if is_float(ptx_type):
            return f"{register} = of_{ptx_type}({expression});"
        if is_signed(ptx_type) and bits > width(ptx_type):
            return f"{register} = (uint{bits}_t)(int{bits}_t)({value_type(ptx_type)})({expression});"
        return f"{register} = ({register_type(ptx_type)})({expression});"

    def split_address(self, operand):
        """[base + offset] taken apart."""
        found = re.fullmatch(r"\[\s*([%$\w]+)\s*(?:\+\s*(-?(?:0x)?[0-9a-fA-F]+))?\s*\]", operand)
        if not found:
            raise Unsupported(f"address '{operand}'")
        return found.group(1), int(found.group(2) or "0", 0)

    def address(self, operand, space):
        """C expression of an address, in its space."""
        base, offset = self.split_address(operand)
        expression = self.value(base, "u64") + (f" + (uint64_t){offset}ll" if offset else "")
        return f"(uint32_t)({expression})" if space == "shared" else expression

    # ---- the tables of the module

    def count(self, name):
        self.module.blocks[-1][CLASSES.index(name)] += 1

    def new_block(self):
        """Begins a basic block: C that counts it."""
        self.module.blocks.append([0] * len(CLASSES))
        return f"BLOCK({len(self.module.blocks) - 1});"

    def new_site(self, instruction, kind, bytes_=0):
        """The number by which messages and counts name an instruction."""
        self.module.sites.append((instruction.text + self.line, kind, bytes_))
        return len(self.module.sites) - 1

    def access(self, space, bytes_, kind, site):
        """C that announces an access to address `a` and sets `p` to its bytes, or faults."""
        generic = "SHARED_WINDOW + a" if space == "shared" else "a"
        function = {"shared": "shared_bytes", "generic": "generic_bytes", "local": "local_bytes"}.get(
            space, "global_bytes"
        )
        announce = "" if space == "local" else f"ACCESS({generic}, {bytes_}, {kind}, {site}); "
        return f"{announce}unsigned char* p = {function}(T, a, {bytes_}, {kind}, {site});"

    # ---- statements

    def signature(self):
        function = self.function
        name = c_name("ptx_", function.name)
        if function.is_entry:
            return f"void {name}(struct PtxThread* T, const unsigned char* const* P)"
        results = [f"unsigned char* result_{i}" for i in range(len(function.results))]
        arguments = [f"const unsigned char* argument_{i}" for i in range(len(function.parameters))]
        return f"void {name}({', '.join(['struct PtxThread* T'] + results + arguments)})"

    def translate(self):
        """The C function, as lines."""
        self.function.first_block, self.function.first_site = len(self.module.blocks), len(self.module.sites)
        lines, scopes, label = [self.signature() + " {", "  " + self.new_block()], [], ""
        for statement in statements(self.function.body):
            try:
                if statement == "{":
                    scopes.append(dict(self.registers))
                    lines.append("{")
                elif statement == "}":
                    self.registers = scopes.pop()
                    lines.append("};")
                elif statement.endswith(":"):
                    label = statement[:-1].strip()
                    lines.append(f"{c_name('L_', label)}: {self.new_block()}")
                elif statement.startswith(".branchtargets"):
                    self.jump_tables[label] = split_list(statement[len(".branchtargets") :])
                elif statement.startswith("."):
                    lines.append("  " + self.directive(statement))
                else:
                    lines.append("  " + self.guarded(statement))
            except Exception as error:
                why = str(error) if isinstance(error, Unsupported) else repr(error)
                raise Unsupported(f"{why}, in '{statement}' of {self.function.name}") from error
        return lines + ["}"]

    def guarded(self, statement):
        """An instruction that a predicate may switch off."""
        found = re.fullmatch(r"@(!?)(%?[\w$]+)\s+(.*)", statement)
        if not found:
            return self.instruction(Instruction.parse(statement))
        negation, predicate, rest = found.groups()
        code = f"if ({negation}{self.register(predicate)}) {{ {self.instruction(Instruction.parse(rest))} }}"
        return code + (" " + self.new_block() if rest.startswith("bra") else "")

    def instruction(self, instruction):
        handler = HANDLERS.get(instruction.opcode)
        if handler is None:
            raise Unsupported(f"opcode '{instruction.opcode}' is not known")
        return handler(self, instruction)

    def directive(self, text):
        if found := re.fullmatch(r"\.reg\s+\.(\w+)\s+(.*)", text):
            return self.declare_registers(found.group(1), found.group(2))
        if found := re.fullmatch(r"\.local\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+([\w$]+)(?:\[(\d+)\])?", text):
            align, ptx_type, name, count = found.groups()
            variable, bytes_ = c_name("local_", name), size(ptx_type) * int(count or 1)
            self.symbols[name] = f"(uint64_t)(uintptr_t){variable}"
            aligned = f"__attribute__((aligned({max(16, int(align or 1))})))"
            return f"unsigned char {variable}[{bytes_}] {aligned}; memset({variable}, 0xff, {bytes_});"
        if found := re.fullmatch(r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)\s+([\w$]+)(?:\[(\d+)\])?", text):
            ptx_type, name, count = found.groups()
            self.parameters[name] = c_name("call_", name)
            bytes_ = size(ptx_type) * int(count or 1)
            return f"unsigned char {self.parameters[name]}[{bytes_}] __attribute__((aligned(16)));"
        if re.match(r"\.(shared|global|const)\b", text):
            for variable in parse_variables(text + ";"):
                self.symbols[variable.name] = self.module.declare(variable)
            return ""
        if found := re.fullmatch(r"\.loc (\d+) (\d+)", text):
            if found.group(2) != "0":  # the compiler's own doing
                self.line = f" ({self.module.files.get(found.group(1), '?')}:{found.group(2)})"
            return ""
        if text.startswith(".pragma"):
            return ""
        raise Unsupported("directive")

    def declare_registers(self, ptx_type, declarations):
        names = []
        for declaration in split_list(declarations):
            name, count = re.fullmatch(r"(%?[\w$]+)(?:<(\d+)>)?", declaration).groups()
            names += [f"{name}{i}" for i in range(int(count))] if count else [name]
        self.registers.update((name, width(ptx_type)) for name in names)
        return f"{register_type(ptx_type)} {', '.join(self.register(name) + ' = 0' for name in names)};"

    def untyped_value(self, operand, ptx_type):
        return self.value(operand, untyped(ptx_type))
