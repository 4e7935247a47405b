"""A whole module of PTX as files of C: the functions in parts that compilers can work on side by side, then tables."""
import ptx_arithmetic  # noqa: F401  (registers its instructions)
import ptx_control  # noqa: F401
import ptx_memory  # noqa: F401
from ptx_body import CLASSES, Body, c_name
from ptx_text import parse_module

SHARED_FIRST = 1024  # as in ptx_module.h
LINES_PER_PART = 4000


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def array(c_type, values):
    return f"(const {c_type}[]){{{','.join(map(str, values)) or '0'}}}"


class Module:
    def __init__(self, text):
        self.blocks = []  # of each basic block, its instructions by class
        self.sites = []  # (text, kind, bytes) of each instruction that messages or counts name
        self.shared, self.variables = [], []
        self.functions, variables, self.files, self.target = parse_module(text)
        self.names = {function.name: i for i, function in enumerate(self.functions)}
        self.symbols = {variable.name: self.declare(variable) for variable in variables}
        self.signatures = []
        for function in self.functions:
            body = Body(self, function)
            self.signatures.append(body.signature() + ";")
            function.code = body.translate()

    def declare(self, variable):
        """C expression of the address of a new variable."""
        place, where = (self.shared, "shared_at") if variable.space == "shared" else (self.variables, "variables")
        place.append(variable)
        return f"T->{where}[{len(place) - 1}]"

    def parts(self):
        """Functions, as a few texts of about the same length."""
        texts, lines = [], LINES_PER_PART
        for function in self.functions:
            if lines >= LINES_PER_PART:
                texts.append(['#include "ptx_runtime.h"'] + self.signatures)
                lines = 0
            texts[-1] += function.code
            lines += len(function.code)
        return ["\n".join(text) + "\n" for text in texts]

    def reachable(self, function):
        """Numbers of the functions it may call, its own among them."""
        seen, todo = set(), [self.names[function.name]]
        while todo:
            number = todo.pop()
            if number not in seen:
                seen.add(number)
                todo += [self.names[name] for name in self.functions[number].calls]
        return sorted(seen)

    def shared_layout(self, used):
        """Bytes before dynamic shared memory, and the place of each shared variable."""
        end, places, dynamic_align = 0, [0] * len(self.shared), 16
        for k in sorted(used):
            variable = self.shared[k]
            if variable.dynamic:
                dynamic_align = max(dynamic_align, variable.align)
                continue
            end = -(-end // variable.align) * variable.align
            places[k] = SHARED_FIRST + end
            end += variable.bytes
        if any(self.shared[k].dynamic for k in used):
            end = -(-end // dynamic_align) * dynamic_align
        for k in used:
            if self.shared[k].dynamic:
                places[k] = SHARED_FIRST + end
        return end, places

    def entry_row(self, function):
        reachable = self.reachable(function)
        used = set().union(*(self.functions[i].shared for i in reachable))
        static_shared, places = self.shared_layout(used)
        waits = any(self.functions[i].waits for i in reachable)
        sizes = [bytes_ for _, bytes_ in function.parameters]
        block = ", ".join(map(str, function.required_block))
        return (
            f"{{{quoted(function.name)}, {c_name('ptx_', function.name)}, {len(sizes)}, {array('int', sizes)}, "
            f"{int(waits)}, {static_shared}, {array('uint32_t', places)}, {array('int', reachable + [-1])}, "
            f"{function.max_threads}, {{{block}}}}}"
        )

    def tables(self):
        """The symbol ptx_module, which says what there is."""
        counts = ",\n".join(",".join(map(str, block)) for block in self.blocks)
        sites = ",\n".join(f"{{{quoted(text)}, {kind}, {bytes_}}}" for text, kind, bytes_ in self.sites + [("", 0, 0)])
        functions = [f"{{{quoted(f.name)}, {f.first_block}, {f.first_site}}}" for f in self.functions]
        functions.append(f"{{0, {len(self.blocks)}, {len(self.sites)}}}")
        variables = [
            f"{{{quoted(v.name)}, {v.bytes}, {array('unsigned char', v.value)}}}" for v in self.variables
        ] + ["{0, 0, 0}"]
        entries = [self.entry_row(function) for function in self.functions if function.is_entry] + ["{0}"]
        lines = ['#include "ptx_module.h"'] + self.signatures
        lines.append(f"static const char* const class_names[] = {{{', '.join(map(quoted, CLASSES))}}};")
        lines.append(f"static const unsigned short block_classes[] = {{{counts}}};")
        for c_type, name, rows in (
            ("PtxFunction", "functions", functions),
            ("PtxVariable", "variables", variables),
            ("PtxEntry", "entries", entries),
        ):
            rows = ",\n".join(rows)
            lines.append(f"static const struct {c_type} {name}[] = {{{rows}}};")
        lines.append(f"static const struct PtxSite sites[] = {{{sites}}};")
        lines.append(
            '__attribute__((visibility("default"))) const struct PtxModule ptx_module = {'
            f"{self.target}, {len(CLASSES)}, {len(self.blocks)}, {len(self.sites)}, {len(self.variables)}, "
            "class_names, block_classes, sites, functions, variables, entries};"
        )
        return "\n".join(lines) + "\n"
