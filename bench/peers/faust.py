#!/usr/bin/env python3
"""chord-factorize beside FAµST (palm4MSA and its hierarchical form) and the truncated SVD, at equal numbers and at equal
bytes: FAµST keeps a place, 4 bytes, with each number, 8 bytes; ours and the SVD's have none.

    bench/peers/faust.py --seconds=15 FILE…

needs pyfaust, NumPy, SciPy and the package sparsechord (bindings/python)."""
import argparse
import time
from pathlib import Path

import numpy as np
import pyfaust.fact
import sparsechord
from pyfaust.factparams import ConstraintInt, ParamsHierarchical, ParamsPalm4MSA, StoppingCriterion

FACTORS, ITERATIONS = 4, 60
BACKEND = 2020  # the faster of the two that pyfaust has


def sparse(n, numbers):
    return ConstraintInt("sp", n, n, max(n, numbers))


def palm(x, numbers):
    n = len(x)
    each = [sparse(n, numbers // 2)] * 2
    return pyfaust.fact.palm4msa(x, ParamsPalm4MSA(each, StoppingCriterion(num_its=4 * ITERATIONS)), backend=BACKEND)


def hierarchical(x, numbers):
    n = len(x)
    factors = [sparse(n, numbers // FACTORS)] * (FACTORS - 1)
    residuals = [sparse(n, numbers * (FACTORS - 1 - k) // FACTORS) for k in range(FACTORS - 1)]
    stop = StoppingCriterion(num_its=ITERATIONS)
    return pyfaust.fact.hierarchical(x, ParamsHierarchical(factors, residuals, stop, stop), backend=BACKEND)


def timed(function):
    began = time.perf_counter()
    return function(), time.perf_counter() - began


def compare(path, seconds):
    matrix = sparsechord.Matrix(path)
    x, n = matrix.dense(), matrix.n
    numbers = n * sparsechord.Pattern.chord(n).links * int(np.ceil(np.log2(n)))
    ours, took = timed(lambda: sparsechord.factorize(matrix, numbers=numbers, seconds=seconds).info)
    values = np.linalg.svd(x, compute_uv=False)
    row = [f"{ours.error:.4g} ({took:.0f} s)", f"{np.linalg.norm(values[numbers // (2 * n + 1):]):.4g}"]
    for method in (palm, hierarchical):
        for kept in (numbers, numbers * 8 // 12):
            found, took = timed(lambda: method(x, kept))
            row.append(f"{np.linalg.norm(found.toarray() - x):.4g} ({took:.0f} s)")
    print("| " + " | ".join([Path(path).stem, str(n), str(numbers), *row]) + " |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--seconds", type=float, default=15)
    given = parser.parse_args()
    titles = ["matrix", "N", "numbers", "chord-factorize", "truncated SVD"]
    titles += ["palm4MSA", "at equal bytes", "hierarchical", "at equal bytes"]
    print("| " + " | ".join(titles) + " |\n" + "|---" * len(titles) + "|")
    for file in given.files:
        compare(file, given.seconds)
