"""What the layers of compiled languages have in common: one method for each kind of declaration, names of types, words
that the language keeps for itself."""

# The numbers of C in Rust and in Julia.
NUMBERS = {
    "char": ("c_char", "UInt8"),
    "double": ("f64", "Float64"),
    "float": ("f32", "Float32"),
    "int": ("c_int", "Cint"),
    "int32_t": ("i32", "Int32"),
    "int64_t": ("i64", "Int64"),
    "intptr_t": ("isize", "Int"),
    "size_t": ("usize", "Csize_t"),
    "uint8_t": ("u8", "UInt8"),
    "uint32_t": ("u32", "UInt32"),
    "uint64_t": ("u64", "UInt64"),
    "void": ("c_void", "Cvoid"),
}


class Layer:
    column: int  # of NUMBERS
    keywords: frozenset

    def text(self, declaration: dict) -> str:
        """That of a section, constant, alias, opaque type, callback, struct or function."""
        return getattr(self, declaration["kind"])(declaration)

    def number(self, name: str) -> str:
        """A type without pointers; all but numbers are called as in C."""
        return NUMBERS[name][self.column] if name in NUMBERS else name

    def word(self, name: str) -> str:
        return f"{name}_" if name in self.keywords else name
