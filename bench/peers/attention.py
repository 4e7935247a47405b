#!/usr/bin/env python3
"""From which length on it pays: one attention layer of SparseChord beside PyTorch's dense attention, on this CPU.

Both stand between the same input layer and the same head, which reads the first row: an inference and a training step
(forward, loss, backward, Adam) of one sequence, for N = 2⁷ … 2¹⁵, in time and in the memory of the process. README.md
says more.
"""
import argparse
import json
import math
import multiprocessing
import os
import pathlib
import resource
import sys
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
FEATURES, WIDTH = 8, 32
RUNNERS = {"SparseChord": "#1a5fd0", "PyTorch, dense attention": "#c4480a"}
SECONDS, STEPS = 0.6, 50  # of a turn: at least one step, and no more than these


def sparse(length, library):
    """Training step and inference of a model of one layer."""
    import package
    chord = package.load(library)
    description = {"input": "reals", "features": FEATURES, "length": length, "width": WIDTH, "channels": WIDTH,
                   "hidden_f": WIDTH, "hidden_g": WIDTH, "residual": True, "pooling": "cls", "classes": 1, "loss": "mse"}
    model = chord.Model(description, seed=1, context=chord.Context("host"))
    inputs, label = batch(length)
    return lambda: model.train_step(inputs, label), lambda: model(inputs)


def dense(length, _):
    """The same with scaled dot products of all pairs."""
    import torch
    from torch import nn
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))

    class Dense(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.all, self.head = nn.Linear(FEATURES, WIDTH), nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, 1)

        def forward(self, inputs):
            q, k, v = self.all(self.first(inputs)).unsqueeze(1).chunk(3, -1)
            return self.head(nn.functional.scaled_dot_product_attention(q, k, v)[:, 0, 0])[:, 0]

    model = Dense()
    optimizer = torch.optim.Adam(model.parameters(), fused=True)
    inputs, label = (torch.from_numpy(array) for array in batch(length))

    def train():
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(inputs), label)
        loss.backward()
        optimizer.step()
        return loss.item()

    def infer():
        with torch.inference_mode():
            return model(inputs).numpy()

    return train, infer


def batch(length):
    random = np.random.default_rng(1)
    return random.standard_normal((1, length, FEATURES), np.float32), np.ones(1, np.float32)


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measure(make, length, library, pipe):
    """A process of its own: what a layer takes beyond what the libraries take by themselves."""
    for action in make(2, library):  # loads whatever is loaded at the first use
        action()
    before = peak()
    best = {}
    for name, action in zip(("train", "infer"), make(length, library)):
        action()
        steps = []
        while sum(steps) < SECONDS and len(steps) < STEPS:
            begin = time.perf_counter()
            action()
            steps.append(time.perf_counter() - begin)
        best[name] = min(steps)
    pipe.send({**best, "bytes": peak() - before})


def run(name, length, library):
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(False)
    process = context.Process(target=measure, args=(MAKERS[name], length, library, theirs))
    process.start()
    theirs.close()
    try:
        return ours.recv()
    except EOFError:
        raise SystemExit(f"{name}, N = {length}: its process ended with {process.exitcode}") from None
    finally:
        process.join()


MAKERS = dict(zip(RUNNERS, (sparse, dense)))


# ------------------------------------------------------------------------------------------------ The chart

def ticks(low, high):
    return [10.0**k for k in range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)]


def panel(title, unit, curves, left):
    """Curves over N, both axes logarithmic."""
    width, height, top = 250, 230, 60
    xs = [n for points in curves.values() for n, _ in points]
    ys = [y for points in curves.values() for _, y in points]
    x_low, x_high = math.log2(min(xs)), math.log2(max(xs))
    y_low, y_high = math.log10(min(ys)) - 0.1, math.log10(max(ys)) + 0.1

    def place(n, y):
        return (left + (math.log2(n) - x_low) / (x_high - x_low) * width,
                top + height - (math.log10(y) - y_low) / (y_high - y_low) * height)

    lines = [f'<text x="{left}" y="{top - 12}" class="title">{title}</text>',
             f'<rect x="{left}" y="{top}" width="{width}" height="{height}" class="frame"/>']
    for value in ticks(10**y_low, 10**y_high):
        _, y = place(min(xs), value)
        lines.append(f'<line x1="{left}" x2="{left + width}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>'
                     f'<text x="{left - 6}" y="{y + 4:.1f}" class="end">{value:g} {unit}</text>')
    for n in sorted(set(xs))[::2]:
        x, _ = place(n, ys[0])
        lines.append(f'<text x="{x:.1f}" y="{top + height + 18}" class="middle">{n}</text>')
    for name, points in curves.items():
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in points))
        lines.append(f'<polyline points="{path}" stroke="{RUNNERS[name]}"/>')
        lines += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{RUNNERS[name]}"/>'
                  for x, y in (place(*point) for point in points)]
    return "\n".join(lines)


def chart(results, machine):
    """Three panels as an SVG file."""
    def curves(what, factor):
        return {name: [(row["length"], max(row[name][what] * factor, 1e-3)) for row in results] for name in RUNNERS}

    panels = [panel("training step", "ms", curves("train", 1e3), 80), panel("inference", "ms", curves("infer", 1e3), 415),
              panel("memory of training", "MB", curves("bytes", 1e-6), 750)]
    legend = "".join(f'<circle cx="{86 + 170 * i}" cy="18" r="5" fill="{colour}"/>'
                     f'<text x="{96 + 170 * i}" y="22">{name}</text>' for i, (name, colour) in enumerate(RUNNERS.items()))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1020 350" font-family="system-ui, sans-serif" font-size="12">
<style>text {{ fill: #444 }} .title {{ font-size: 14px; font-weight: 600 }} .end {{ text-anchor: end }}
.middle {{ text-anchor: middle }} .frame {{ fill: none; stroke: #bbb }} .grid {{ stroke: #e4e4e4 }}
polyline {{ fill: none; stroke-width: 2 }}</style>
<rect width="1020" height="350" fill="#fff"/>
{legend}
{chr(10).join(panels)}
<text x="80" y="340">N, positions of one sequence; one layer of width {WIDTH}; {machine}</text>
</svg>
"""


# ----------------------------------------------------------------------------------------------- The program

def crossover(results, what):
    """The length from which on ours is faster at every length measured."""
    ours, theirs = RUNNERS
    since = None
    for row in results:
        since = (since or row["length"]) if row[ours][what] < row[theirs][what] else None
    return since


def parse():
    parser = argparse.ArgumentParser(prog="bench/peers/run attention", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lengths", type=lambda text: [int(n) for n in text.split(",")],
                        default=[2**k for k in range(7, 16)], help="128,256,…,32768")
    parser.add_argument("--repeat", type=int, default=2, help="turns of each; the best step counts (2)")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="of both (all cores)")
    parser.add_argument("--library", default=str(HERE.parent.parent / "build/runtime/lib/libchord.so"),
                        help="libchord.so (build/runtime/lib/libchord.so)")
    parser.add_argument("--svg", help="a file for the chart")
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")
    options = parser.parse_args()
    if min(options.lengths) < 2 or options.repeat < 1 or options.threads < 1:
        parser.error("lengths must be at least 2, --repeat and --threads at least 1")
    if not os.path.exists(options.library):
        parser.error(f"no library at {options.library}: make build, or --library=…")
    return options


def main():
    options = parse()
    os.environ.update(OMP_NUM_THREADS=str(options.threads), MKL_NUM_THREADS=str(options.threads))
    results = []
    for length in sorted(options.lengths):
        row = {"length": length}
        for turn in range(options.repeat):
            for name in RUNNERS:
                print(f"N = {length}, turn {turn + 1} of {options.repeat}: {name}", file=sys.stderr, flush=True)
                found = run(name, length, os.path.abspath(options.library))
                row[name] = {key: min(value, row[name][key]) if name in row else value for key, value in found.items()}
        results.append(row)
    from compare import cpu_name
    machine = f"{cpu_name()}, {options.threads} threads"
    if options.svg:
        pathlib.Path(options.svg).write_text(chart(results, machine))
    pays = {what: crossover(results, what) for what in ("train", "infer", "bytes")}
    if options.json:
        print(json.dumps({"machine": machine, "width": WIDTH, "lengths": results, "pays_from": pays}, indent=1))
        return
    print(f"{machine}, one sequence, width {WIDTH}, best of {options.repeat} turns")
    print(f"{'N':>6}  {'training step, ms':>24}   {'inference, ms':>24}   {'memory, MB':>16}")
    print(f"{'':>6}  {'ours':>10} {'dense':>7} {'ratio':>5}   {'ours':>10} {'dense':>7} {'ratio':>5}   {'ours':>8} {'dense':>7}")
    for row in results:
        a, b = (row[name] for name in RUNNERS)
        cells = [f"{a[w] * 1e3:10.2f} {b[w] * 1e3:7.1f} {b[w] / a[w]:5.1f}" for w in ("train", "infer")]
        print(f"{row['length']:6}  {cells[0]}   {cells[1]}   {a['bytes'] / 1e6:8.1f} {b['bytes'] / 1e6:7.1f}")
    for what, words in (("train", "a training step"), ("infer", "inference")):
        print(f"{words}: " + (f"faster from N = {pays[what]} on" if pays[what] else "not faster at the longest"))


if __name__ == "__main__":
    main()
