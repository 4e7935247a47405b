#!/usr/bin/env python3
"""Training steps and inference of the paper's model, SparseChord beside PyTorch, on this machine's CPU.

Tasks: all six of the paper, adding and order at several lengths. For each, all begin with the same parameters and must
agree with float64 on loss and gradients; then they take turns, and the best step of each counts. README.md says what is
compared and how.
"""
import argparse
import contextlib
import json
import multiprocessing
import os
import pathlib
import platform
import signal
import statistics
import sys
import tempfile
import time

import numpy as np

import package
import tasks

HERE = pathlib.Path(__file__).resolve().parent
TOLERANCE = 1e-3
SECONDS_PER_TURN = 0.3
# So small that the model stays as it is. It would soon know the one batch by heart, and gradients that vanish cost a
# processor many times as much: ListOps' third step took 48 times as long as its second, with a loss of 0.
LEARNING_RATE = 1e-9
TORCH = {"torch gather": ("gather", False), "torch rolls": ("rolls", False),
         "torch rolls compiled": ("rolls", True), "torch gather compiled": ("gather", True)}
CHORD = {"chord host": "host", "chord cpu": "cpu"}
REFERENCE = "torch float64"


# ------------------------------------------------------------------- Runners: each in a process of its own

class TorchRunner:
    def __init__(self, name, options):
        import torch
        self.torch = torch
        torch.set_num_threads(options["threads"])
        self.form, self.compiled = TORCH.get(name, ("rolls", False))
        self.float64 = name == REFERENCE
        self.about = f"PyTorch {torch.__version__}"

    def prepare(self, description, file, inputs, labels):
        import psf_torch
        torch = self.torch
        torch.manual_seed(1)
        if self.compiled:
            torch.compiler.reset()
        self.module = psf_torch.load(file, description, self.form) if file else psf_torch.PSF(description, self.form)
        self.loss = psf_torch.loss_function(description)
        self.dropout = any(description.get(f"dropout_{where}") for where in ("input", "values", "output"))
        if self.float64:
            self.module.double()
        self.optimizer = torch.optim.Adam(self.module.parameters(), lr=LEARNING_RATE, fused=True)
        self.model = torch.compile(self.module, dynamic=False) if self.compiled else self.module
        self.inputs, self.labels = torch.from_numpy(inputs), torch.from_numpy(labels)

    def gradients(self):
        """Loss and gradients without dropout; the reference takes a few sequences at a time, for want of memory."""
        self.module.train(not self.dropout)  # without dropout both modes are one, and compiled only once
        self.module.zero_grad()
        total, count = 0.0, len(self.labels)
        cast = (lambda x: x.double() if x.is_floating_point() else x) if self.float64 else (lambda x: x)
        size = 4 if self.float64 else count
        for inputs, labels in zip(self.inputs.split(size), self.labels.split(size)):
            loss = self.loss(self.model(cast(inputs)), cast(labels)) * (len(labels) / count)
            loss.backward()
            total += loss.item()
        gradients = {name: parameter.grad.numpy().copy() for name, parameter in self.module.named_parameters()}
        self.module.zero_grad()
        return total, gradients

    def train(self):
        self.module.train()
        self.optimizer.zero_grad()
        loss = self.loss(self.model(self.inputs), self.labels)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def infer(self):
        self.module.eval()
        with self.torch.inference_mode():
            return self.model(self.inputs).numpy()


class ChordRunner:
    def __init__(self, name, options):
        self.chord = package.load(options["library"])
        self.context = self.chord.Context(CHORD[name])
        self.about = package.about(self.context)
        self.model = None

    def prepare(self, description, file, inputs, labels):
        if self.model:
            self.model.close()
        self.inputs, self.labels = inputs, labels
        if file:
            self.model = self.chord.Model.load(file, description, self.context)
        else:
            self.model = self.chord.Model(description, seed=1, context=self.context)

    def save(self, file):
        self.model.save(file)

    def gradients(self):
        """Loss and gradients without dropout."""
        loss = self.model.gradients(self.inputs, self.labels).loss
        return loss, {name: self.model.gradient(name).to_host() for name in self.model.parameter_names}

    def train(self):
        return self.model.train_step(self.inputs, self.labels, learning_rate=LEARNING_RATE).loss

    def infer(self):
        return self.model(self.inputs)


def seconds_of(action):
    """Seconds of each of as many calls as a turn has time for."""
    seconds = []
    while sum(seconds) < SECONDS_PER_TURN:
        begin = time.perf_counter()
        action()
        seconds.append(time.perf_counter() - begin)
    return seconds


def serve(name, options, pipe):
    """A runner's process: does what it is told, and answers with the result or what went wrong."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    runner = None
    with contextlib.suppress(EOFError):
        while True:
            command, *arguments = pipe.recv()
            try:
                if command == "open":
                    runner = (ChordRunner if name in CHORD else TorchRunner)(name, options)
                    answer = runner.about
                elif command == "time":
                    answer = seconds_of(getattr(runner, arguments[0]))
                else:
                    answer = getattr(runner, command)(*arguments)
                pipe.send((True, answer))
            except Exception as error:  # whatever it is, the parent reports it
                pipe.send((False, str(error).strip() or repr(error)))


class RunnerFailed(Exception):
    pass


class Runner:
    """A runner's process seen from here."""

    def __init__(self, name, options):
        self.name = name
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(name, options, theirs), daemon=True)
        self.process.start()
        theirs.close()

    def __call__(self, *command):
        try:
            self.pipe.send(command)
            worked, answer = self.pipe.recv()
        except (EOFError, BrokenPipeError, ConnectionResetError):
            self.process.join()
            raise RunnerFailed(f"{self.name}: its process ended with {self.process.exitcode}") from None
        if not worked:
            raise RunnerFailed(f"{self.name}: {answer}")
        return answer

    def close(self):
        self.pipe.close()
        self.process.join()


# --------------------------------------------------------------------------------------------- Comparison

def say(message):
    print(message, file=sys.stderr, flush=True)


def cases(chord, wanted, lengths, size):
    """Every task with its model and a batch: of the paper's size, or at most `size`."""
    random = np.random.default_rng(1)
    for task in wanted:
        for length in lengths if task in tasks.ANY_LENGTH else [None]:
            description = tasks.model(chord, task, length)
            count = min(tasks.TASKS[task].batch, size or sys.maxsize)
            yield (task, description, *tasks.batch(task, description, count, random))


def relative(difference, expected):
    return float(np.linalg.norm(difference) / max(np.linalg.norm(expected), np.finfo(np.float32).tiny))


def disagreement(expected, found):
    """The largest relative difference of the loss or any parameter's gradient, and where."""
    if expected[1].keys() != found[1].keys():
        return float("inf"), f"names of parameters: {sorted(expected[1].keys() ^ found[1].keys())}"
    differences = {"the loss": abs(found[0] - expected[0]) / abs(expected[0])}
    for name, gradient in expected[1].items():
        if gradient.shape != found[1][name].shape:
            return float("inf"), f"the shape of {name}: {found[1][name].shape}, not {gradient.shape}"
        differences[name] = relative(found[1][name] - gradient, gradient)
    where = max(differences, key=lambda name: float("inf") if np.isnan(differences[name]) else differences[name])
    return differences[where], where


def check(runners, reference):
    """Largest relative differences from float64, by runner; those that are too large are an error. What torch.compile
    cannot do here is taken off the list."""
    expected = reference("gradients")
    found = {}
    for runner in list(runners):
        say(f"  {runner.name}: loss and gradients")
        try:
            found[runner.name], where = disagreement(expected, runner("gradients"))
        except RunnerFailed as error:
            if not TORCH.get(runner.name, ("", False))[1]:
                raise
            say(f"  left out, it does not compile: {error}")
            runners.remove(runner)
            continue
        if not found[runner.name] < TOLERANCE:
            raise SystemExit(f"{runner.name} disagrees with float64 by {found[runner.name]:.2g} in {where}; "
                             f"allowed is {TOLERANCE:g}.")
    say(f"  all agree with float64: relative differences up to {max(found.values(), default=0):.1g}")
    return found


def measure(runners, repeat):
    """Seconds of all steps and inferences, by runner; all take turns, in an order that changes."""
    found = {runner.name: {"train": [], "infer": []} for runner in runners}
    for runner in runners:
        say(f"  {runner.name}: warming up")
        for what in ("train", "train", "infer", "infer"):
            runner(what)
    for turn in range(repeat):
        say(f"  turn {turn + 1} of {repeat}")
        for k in range(len(runners)):
            runner = runners[(k + turn) % len(runners)]
            for what in ("train", "infer"):
                found[runner.name][what] += runner("time", what)
    return found


def compare(task, description, inputs, labels, runners, reference, repeat):
    length, batch = description["length"], len(labels)
    say(f"{task}, length {length}, batch {batch}")
    with tempfile.TemporaryDirectory() as folder:
        file = None
        maker = next((runner for runner in runners if runner.name in CHORD), None)
        if maker:
            file = str(pathlib.Path(folder, "model.safetensors"))
            maker("prepare", description, None, inputs, labels)
            maker("save", file)
        for runner in runners + [reference]:
            runner("prepare", description, file, inputs, labels)
    differences = check(runners, reference)
    result = {"task": task, "length": length, "batch": batch, "runners": []}
    for name, seconds in measure(runners, repeat).items():
        entry = {"name": name, "difference": differences[name]}
        for what, values in seconds.items():
            best = min(values)
            entry[what] = {"ms": best * 1e3, "median_ms": statistics.median(values) * 1e3, "steps": len(values),
                           "sequences_per_second": batch / best}
        result["runners"].append(entry)
    return result


def fastest(result, what, kind):
    return min((entry[what]["ms"] for entry in result["runners"] if entry["name"] in kind), default=None)


def table(results):
    lines = [f"{'task':10} {'N':>6} {'batch':>5}  {'runner':22} {'training step':>24}         {'inference':>24}",
             f"{'':10} {'':>6} {'':>5}  {'':22} {'ms':>10} {'sequences/s':>13} {'ratio':>7} {'ms':>10} "
             f"{'sequences/s':>13} {'ratio':>7}"]
    for result in results:
        ours = {what: fastest(result, what, CHORD) for what in ("train", "infer")}
        for entry in result["runners"]:
            cells = []
            for what in ("train", "infer"):
                ratio = f"{entry[what]['ms'] / ours[what]:6.2f}x" if ours[what] else f"{'–':>7}"
                cells.append(f"{entry[what]['ms']:10.2f} {entry[what]['sequences_per_second']:13.0f} {ratio}")
            case = f"{result['task']:10} {result['length']:6} {result['batch']:5}"
            lines.append(f"{case}  {entry['name']:22} {' '.join(cells)}")
    lines.append("ratio: the time beside that of the faster of SparseChord's devices; above 1 SparseChord is faster.")
    return "\n".join(lines)


def cpu_name():
    with contextlib.suppress(OSError):
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def open_runners(names, options):
    runners = []
    for name in names:
        say(f"opening {name}")
        runner = Runner(name, options)
        try:
            say(f"  {runner('open')}")
            runners.append(runner)
        except RunnerFailed as error:
            say(f"  left out: {error}")
    return runners


def parse():
    known = list(CHORD) + list(TORCH)
    usual = [name for name in known if name != "torch gather compiled"]
    parser = argparse.ArgumentParser(prog="bench/peers/run", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lengths", type=lambda text: [int(n) for n in text.split(",")], default=[128, 512, 2048],
                        help="of adding and order (128,512,2048; the paper goes to 16384)")
    parser.add_argument("--tasks", type=lambda text: text.split(","), default=list(tasks.TASKS),
                        help=",".join(tasks.TASKS))
    parser.add_argument("--batch", type=int, help="sequences at most, where memory is short (the paper's batches)")
    parser.add_argument("--repeat", type=int, default=5, help="turns of each runner; the best step counts (5)")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="of every runner (all cores)")
    parser.add_argument("--library", default=str(HERE.parent.parent / "build/runtime/lib/libchord.so"),
                        help="libchord.so (build/runtime/lib/libchord.so)")
    parser.add_argument("--runners", type=lambda text: text.split(","), default=usual,
                        help=f"of: {', '.join(known)} (all but the last)")
    parser.add_argument("--skip-compile", action="store_true", help="no torch.compile, which takes minutes to start")
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")
    options = parser.parse_args()
    for given, allowed in ((options.runners, known), (options.tasks, list(tasks.TASKS))):
        for name in given:
            if name not in allowed:
                parser.error(f"there is no '{name}'; there are: {', '.join(allowed)}")
    if options.skip_compile:
        options.runners = [name for name in options.runners if not TORCH.get(name, ("", False))[1]]
    if min(options.lengths) < 2 or options.repeat < 1 or options.threads < 1 or not options.runners:
        parser.error("lengths must be at least 2, --repeat and --threads at least 1, and something must run")
    if options.batch is not None and options.batch < 1:
        parser.error("--batch must be at least 1")
    if not os.path.exists(options.library):
        parser.error(f"no library at {options.library}: make build, or --library=…")
    return options


def main():
    options = parse()
    threads = str(options.threads)
    os.environ.update(OMP_NUM_THREADS=threads, MKL_NUM_THREADS=threads, DPCPP_CPU_NUM_CUS=threads)
    shared = {"threads": options.threads, "library": os.path.abspath(options.library)}
    runners = open_runners(options.runners, shared)
    if any(name in CHORD for name in options.runners) and not any(runner.name in CHORD for runner in runners):
        raise SystemExit("No device of SparseChord could be opened: nothing to compare.")
    results = []
    try:
        reference = Runner(REFERENCE, shared)
        reference("open")
        for case in cases(package.load(shared["library"]), options.tasks, options.lengths, options.batch):
            results.append(compare(*case, runners, reference, options.repeat))
    except RunnerFailed as error:
        raise SystemExit(str(error)) from None
    machine = {"cpu": cpu_name(), "threads": options.threads, "repeat": options.repeat}
    if options.json:
        print(json.dumps({"machine": machine, "cases": results}, indent=1))
    else:
        print(f"{machine['cpu']}, {threads} threads, best of {options.repeat} turns")
        print(table(results))
    for runner in runners + [reference]:
        runner.close()


if __name__ == "__main__":
    main()
