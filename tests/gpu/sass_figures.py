#!/usr/bin/env python3
"""What the machine code of our kernels for an A100 (sm_80) looks like, and whether it is as good as it was.

    tests/gpu/sass_figures.py LISTING LOG

LISTING is nvdisasm's, LOG ptxas's with --verbose. Prints a line for each kernel in float32 and each figure that is a goal;
returns 1 where a goal that had been reached is missed.

An innermost loop is a jump back that no other one lies within. Shares of 128 bits are of the bytes that loads and stores of
global memory move, each instruction counted once; where a kernel has a second way for what is not aligned, the loop that
moves most with 128 bits speaks for it. Divisions and roots that round as IEEE wants them have a part in a function of its
own, for numbers that hardly occur; those calls are no fault.
"""
import collections
import re
import sys

GLOBAL = {"LDG", "STG"}
GENERIC = {"LD", "ST"}
# A loop that does a layer of a network: so many instructions, a larger share of FFMA, and none of SPECIAL, which
# activations have.
LONG, ARITHMETIC, SPECIAL = 100, 0.25, "MUFU"


class Instruction:
    def __init__(self, text):
        words = text.split()
        self.text = text
        self.conditional = words[0].startswith("@")
        self.name = words[1] if self.conditional else words[0]
        self.kind = self.name.split(".")[0]
        self.target = (re.search(r"`\((\S+?)\)", text) or [None, None])[1]

    @property
    def bytes(self):
        for width in (128, 64, 16):
            if f".{width}" in self.name:
                return width // 8
        return 1 if re.search(r"\.[US]8", self.name) else 4

    @property
    def ends(self):
        return self.kind in ("EXIT", "RET", "BPT") and not self.conditional


class Kernel:
    def __init__(self, name):
        self.name, self.code, self.labels = name, [], {}
        self.registers = self.spills = 0

    def loops(self):
        """[first, last] of every jump back."""
        found = []
        for at, each in enumerate(self.code):
            start = self.labels.get(each.target)
            if each.kind == "BRA" and start is not None and start <= at:
                found.append((start, at))
        # The last instruction jumps to itself for ever.
        return [(start, at) for start, at in found if start != at]

    def innermost(self):
        loops = self.loops()
        return [a for a in loops if not any(b != a and b[0] >= a[0] and b[1] <= a[1] for b in loops)]

    def share(self, kind, loop):
        part = self.code[loop[0] : loop[1] + 1]
        return sum(each.kind == kind for each in part) / len(part)

    def count(self, test):
        return sum(bool(test(each)) for each in self.code)

    def calls(self):
        return self.count(lambda i: i.kind == "CALL" and is_function(i) and not is_ieee(i))

    def divisions(self):
        return self.count(lambda i: i.kind == "CALL" and re.search(r"(div|rem)_[us]64", i.text))

    def generic(self):
        return self.count(lambda i: i.kind in GENERIC)

    def wide_share(self, loop=None):
        """Of the bytes that the global accesses of a loop, or of all, move: those by 128 bits."""
        part = self.code if loop is None else self.code[loop[0] : loop[1] + 1]
        moved = [each.bytes for each in part if each.kind in GLOBAL]
        return sum(b for b in moved if b == 16) / sum(moved) if moved else None

    def shortest(self, start, ends):
        """The fewest instructions from one to the first of those, both counted; None where there is no way."""
        steps, queue = {start: 1}, collections.deque([start])
        while queue:
            at = queue.popleft()
            if at in ends:
                return steps[at]
            each = self.code[at]
            following = []
            if not each.ends and not (each.kind == "BRA" and not each.conditional):
                following.append(at + 1)
            if each.kind == "BRA" and each.target in self.labels:
                following.append(self.labels[each.target])
            for next_one in following:
                if next_one < len(self.code) and next_one not in steps:
                    steps[next_one] = steps[at] + 1
                    queue.append(next_one)
        return None


def is_function(call):
    """Not a jump of the assembler's own, which it writes as a call that never returns."""
    return call.target is not None and call.target.startswith("$")


def is_ieee(call):
    return "$__internal_" in call.text and not re.search(r"(div|rem)_[us]64", call.text)


def read(listing, log):
    kernels, current = {}, None
    for line in open(listing, encoding="utf-8"):
        if section := re.match(r"\s*\.section\s+\.text\.(\S+?),", line):
            current = kernels.setdefault(section[1], Kernel(section[1]))
        elif current and (label := re.match(r"\s*(\.L_\S+?|\$__\S+?):", line)):
            current.labels[label[1]] = len(current.code)
        elif current and (code := re.search(r"/\*[0-9a-f]{4,6}\*/\s+(.*?);", line)):
            current.code.append(Instruction(code[1]))
    name = None
    for line in open(log, encoding="utf-8"):
        if entry := re.search(r"Compiling entry function '(\S+)'", line):
            name = entry[1]
        elif name in kernels and (used := re.search(r"Used (\d+) registers", line)):
            kernels[name].registers = int(used[1])
        elif name in kernels and (spill := re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", line)):
            kernels[name].spills = int(spill[1]) + int(spill[2])
    return kernels


def main_loop(kernel):
    """The innermost loop that multiplies most, of those that do so by 128 bits where there are some."""
    loops = [loop for loop in kernel.innermost() if kernel.share("FFMA", loop)]
    work = lambda loop: sum(i.kind == "FFMA" for i in kernel.code[loop[0] : loop[1] + 1])
    return max(loops, key=lambda loop: ((kernel.wide_share(loop) or 0), work(loop)), default=None)


def product_instructions(kernel, links=12, links_at_once=4):
    """Of a lane of four columns: the shortest way to the loop over links, the loop, the shortest way out by a store."""
    loop = main_loop(kernel)
    if not loop:
        return None
    stores = {at for at, i in enumerate(kernel.code) if i.kind == "STG" and i.bytes == 16 and at > loop[1]}
    exits = {at for at, i in enumerate(kernel.code) if i.kind == "EXIT"}
    to_loop = kernel.shortest(0, {loop[0]})
    to_store = kernel.shortest(loop[1] + 1, stores)
    ways_out = [kernel.shortest(store, exits) for store in stores]
    if not to_loop or not to_store or not ways_out:
        return None
    return to_loop - 1 + links // links_at_once * (loop[1] - loop[0] + 1) + to_store + min(w for w in ways_out if w) - 1


class Goals:
    def __init__(self):
        self.missed = 0

    def show(self, what, found, goal, good, required=True):
        state = "reached" if good else "MISSED" if required else "not yet"
        self.missed += required and not good
        print(f"  {what:<78} {found:>16}   goal {goal:<8} {state}")

    def least(self, what, share, goal, required=True):
        found = "–" if share is None else f"{share:.0%}"
        self.show(what, found, f"≥ {goal:.0%}", share is not None and share >= goal, required)

    def most(self, what, number, goal, required=True):
        self.show(what, "–" if number is None else str(number), f"≤ {goal}", number is not None and number <= goal, required)


def loops_text(kernel):
    loops = sorted(kernel.innermost(), key=lambda loop: loop[0] - loop[1])
    said = [f"{l[1] - l[0] + 1}: {kernel.share('FFMA', l):.0%}" for l in loops if kernel.share("FFMA", l) > 0]
    return ", ".join(said[:6])


def check(kernels):
    goals = Goals()
    of = lambda name: next((k for n, k in kernels.items() if re.fullmatch(rf"chord_{name}_f32(_gpu)?", n)), None)
    for name in ("product", "product_gradient_values"):
        kernel = of(name)
        loop = main_loop(kernel)
        goals.most(f"{name}: registers", kernel.registers, 64)
        goals.least(f"{name}: share of FFMA in the loop over links", kernel.share("FFMA", loop) if loop else None, 0.25)
        goals.least(f"{name}: bytes of its loop that are moved by 128 bits", kernel.wide_share(loop), 0.90)
    kernel = of("product")
    instructions = product_instructions(kernel)
    goals.most("product: instructions for four columns, 12 links", instructions, 220)
    goals.least("product: share of FFMA in all of these", 48 / instructions if instructions else None, 0.20)
    for name in ("adam", "add_rows", "average_rows", "dropout"):
        kernel = of(name)
        wide = kernel.count(lambda i: i.kind in GLOBAL and i.bytes == 16)
        goals.show(f"{name}: accesses of 128 bits", str(wide), "≥ 1", wide >= 1)
    for name in ("mlp_forward", "mlp_backward"):
        kernel = of(name)
        goals.most(f"{name}: registers", kernel.registers, 168)
        loops = [l for l in kernel.innermost() if l[1] - l[0] >= LONG and not kernel.share(SPECIAL, l)]
        shares = [kernel.share("FFMA", loop) for loop in loops]
        shares = [share for share in shares if share > ARITHMETIC]
        goals.least(f"{name}: share of FFMA in its densest innermost loop", max(shares, default=None), 0.75)
        goals.least(f"{name}: and in every one that does a layer", min(shares, default=None), 0.60)
    everything = [k for n, k in kernels.items() if "_f32" in n or "_u32" in n or "_i32" in n]
    for what, count in (
        ("bytes of spilled registers", lambda k: k.spills),
        ("calls", Kernel.calls),
        ("divisions of 64 bits", Kernel.divisions),
        ("generic loads and stores", Kernel.generic),
    ):
        worst = max(everything, key=count)
        goals.most(f"all kernels of 32 bits: {what}" + (f" ({worst.name})" if count(worst) else ""), count(worst), 0)
    return goals.missed


def main():
    kernels = read(sys.argv[1], sys.argv[2])
    print("sm_80: kernel, instructions, registers, by 128 bits, innermost loops with FFMA (instructions: share)")
    for name, kernel in sorted(kernels.items()):
        if "_f32" not in name:
            continue
        wide = kernel.wide_share()
        print(
            f"  {name:<40} {len(kernel.code):>6} {kernel.registers:>4} "
            f"{'–' if wide is None else format(wide, '.0%'):>5}  {loops_text(kernel)}"
        )
    print("\nGoals, sm_80")
    return 1 if check(kernels) else 0


if __name__ == "__main__":
    sys.exit(main())
