#!/usr/bin/env python3
"""Whether SparseChord and PyTorch learn the same: from the same start, with the same batches and without dropout, the
losses of all steps side by side, for each of the paper's models.

Batches are random (tasks.py), learning rates the paper's. PyTorch in float64 takes the same steps, which tells how much
of a difference is rounding: both ought to be about as far from it. SparseChord may be as far as the tolerance, or ten
times as far as PyTorch in float32 where training itself magnifies what rounding does, as ListOps' does.
"""
import argparse
import json
import os
import pathlib
import sys
import tempfile

import numpy as np
import torch

import package
import psf_torch
import tasks

HERE = pathlib.Path(__file__).resolve().parent


class TorchLearner:
    def __init__(self, file, description, learning_rate, dtype):
        self.dtype = dtype
        self.model = psf_torch.load(file, description).to(dtype)
        self.loss = psf_torch.loss_function(description)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=learning_rate)

    def step(self, inputs, labels):
        inputs, labels = (torch.from_numpy(x) for x in (inputs, labels))
        inputs, labels = (x.to(self.dtype) if x.is_floating_point() else x for x in (inputs, labels))
        self.optimizer.zero_grad()
        loss = self.loss(self.model(inputs), labels)
        loss.backward()
        self.optimizer.step()
        return loss.item()


class ChordLearner:
    def __init__(self, model, learning_rate):
        self.model, self.learning_rate = model, learning_rate

    def step(self, inputs, labels):
        return self.model.train_step(inputs, labels, learning_rate=self.learning_rate).loss


def learn(chord, context, task, steps, size):
    """The losses of all steps, by learner."""
    description = tasks.model(chord, task)
    for where in ("input", "values", "output"):
        description[f"dropout_{where}"] = 0.0
    rate, random = tasks.TASKS[task].learning_rate, np.random.default_rng(1)
    ours = ChordLearner(chord.Model(description, seed=1, context=context), rate)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "model.safetensors")
        ours.model.save(file)
        learners = {"chord": ours, "torch": TorchLearner(file, description, rate, torch.float32),
                    "float64": TorchLearner(file, description, rate, torch.float64)}
    losses = {name: [] for name in learners}
    for _ in range(steps):
        inputs, labels = tasks.batch(task, description, size, random)
        for name, learner in learners.items():
            losses[name].append(learner.step(inputs, labels))
    ours.model.close()
    return losses


def difference(one, other):
    """The largest of all steps, relative to the mean loss: a single step's may be next to nothing."""
    one, other = np.array(one), np.array(other)
    return float(np.abs(one - other).max() / np.abs(other).mean())


def parse():
    parser = argparse.ArgumentParser(prog="bench/peers/run parity", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=lambda text: text.split(","), default=list(tasks.TASKS),
                        help=",".join(tasks.TASKS))
    parser.add_argument("--steps", type=int, help="of every task (200, of the larger models 50, 30 or 10)")
    parser.add_argument("--batch", type=int, default=8, help="sequences a step (8)")
    parser.add_argument("--device", default="host", help="of SparseChord (host)")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="of PyTorch (all cores)")
    parser.add_argument("--tolerance", type=float, default=1e-4, help="of the distance to float64 (1e-4)")
    parser.add_argument("--library", default=str(HERE.parent.parent / "build/runtime/lib/libchord.so"),
                        help="libchord.so (build/runtime/lib/libchord.so)")
    parser.add_argument("--json", action="store_true", help="JSON with all losses instead of a table")
    options = parser.parse_args()
    for name in options.tasks:
        if name not in tasks.TASKS:
            parser.error(f"there is no '{name}'; there are: {', '.join(tasks.TASKS)}")
    if options.batch < 1 or (options.steps is not None and options.steps < 1):
        parser.error("--batch and --steps must be at least 1")
    if not os.path.exists(options.library):
        parser.error(f"no library at {options.library}: make build, or --library=…")
    return options


def main():
    options = parse()
    torch.set_num_threads(options.threads)
    chord = package.load(options.library)
    context = chord.Context(options.device)
    results = []
    if not options.json:
        print(f"{'task':12}{'steps':>6}{'first loss':>12}{'last loss':>12}   largest difference, of the mean loss\n"
              f"{'':42}   {'to PyTorch':>12}{'to float64':>12}{'PyTorch to float64':>21}")
    for task in options.tasks:
        steps = options.steps or tasks.TASKS[task].steps
        print(f"{task}, {steps} steps", file=sys.stderr, flush=True)
        losses = learn(chord, context, task, steps, options.batch)
        found = {"task": task, "steps": steps, "batch": options.batch,
                 "difference": difference(losses["chord"], losses["torch"]),
                 "chord_to_float64": difference(losses["chord"], losses["float64"]),
                 "torch_to_float64": difference(losses["torch"], losses["float64"]), "losses": losses}
        results.append(found)
        if not options.json:
            print(f"{task:12}{steps:6}{losses['chord'][0]:12.6f}{losses['chord'][-1]:12.6f}"
                  f"   {found['difference']:12.1e}{found['chord_to_float64']:12.1e}{found['torch_to_float64']:21.1e}",
                  flush=True)
    if options.json:
        print(json.dumps({"device": package.about(context), "torch": torch.__version__, "tasks": results}, indent=1))
    apart = [found["task"] for found in results
             if not found["chord_to_float64"] <= max(options.tolerance, 10 * found["torch_to_float64"])]
    if apart:
        raise SystemExit(f"Too far from float64: {', '.join(apart)}")


if __name__ == "__main__":
    main()
