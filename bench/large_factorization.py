#!/usr/bin/env python3
"""Factorising matrices that are never formed: the error beside that of a randomised SVD with as many numbers, seconds
and memory, for a graph's Laplacian, a resolvent, a kernel matrix given as a function, a band plus a low rank, and what
a trained network attends to.

    bench/large_factorization.py [--n=16384] [--seconds=60] [--matrix=laplacian,resolvent,kernel,banded,attention]
    bench/large_factorization.py --growth     # time per column and parameter, N = 2¹² to 2¹⁶

needs NumPy, SciPy and the package sparsechord (bindings/python)."""
import argparse
import resource
import time

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import LinearOperator, aslinearoperator, splu
from scipy.special import erf

import sparsechord


def laplacian(n, random):
    """Of a ring whose nodes have random links, too (Watts and Strogatz): degrees of about 8."""
    nodes = np.arange(n)
    ends = [(nodes, (nodes + step) % n) for step in (1, 2)] + [(nodes, random.integers(n, size=n)) for _ in range(2)]
    rows, columns = (np.concatenate(side) for side in zip(*ends))
    links = sparse.coo_array((np.ones(len(rows)), (rows, columns)), (n, n)).tocsr()
    links = ((links + links.T) > 0).astype(float)
    return aslinearoperator((sparse.diags(links.sum(axis=1)) - links).tocsr())


def kernel(n, random):
    """exp(−|x − y| / length) of sorted points, entry by entry where it is above 1e-12; two lengths."""
    points = np.sort(random.uniform(0, n, size=n))
    reach = 12 * np.log(10)

    def of_length(length):
        last = np.searchsorted(points, points + reach * length)
        counts = last - np.arange(n)
        rows = np.repeat(np.arange(n), counts)
        columns = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts) + rows
        values = np.exp((points[rows] - points[columns]) / length)
        upper = sparse.csr_array((values, (rows, columns)), (n, n))
        return upper + sparse.triu(upper, 1).T

    return aslinearoperator((of_length(2.0) + 0.5 * of_length(8.0)).tocsr())


def banded(n, random):
    """A band of nine diagonals with random values, and a matrix of rank 20 and the same norm."""
    band = sparse.dia_array((random.normal(size=(9, n)), np.arange(-4, 5)), (n, n)).tocsr()
    u, v = random.normal(size=(2, n, 20)) / np.sqrt(n)
    size = np.sqrt(9 / 20)

    def times(x):
        return band @ x + size * np.sqrt(n) * (u @ (v.T @ x))

    def transposed_times(x):
        return band.T @ x + size * np.sqrt(n) * (v @ (u.T @ x))

    return LinearOperator((n, n), times, transposed_times, times, rmatmat=transposed_times, dtype=float)


def resolvent(n, random):
    """(L + 0.05)⁻¹, L being the Laplacian of a grid of √n × √n nodes; it is solved for, not formed."""
    side = int(np.sqrt(n))
    path = sparse.diags([2.0, -1.0, -1.0], [0, 1, -1], shape=(side, side)).tolil()
    path[0, 0] = path[-1, -1] = 1
    grid = sparse.kron(path, sparse.identity(side)) + sparse.kron(sparse.identity(side), path)
    shifted = (grid + 0.05 * sparse.identity(n)).tocsc()
    solve = splu(shifted, permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True}).solve

    def times(x):
        return solve(np.ascontiguousarray(x))

    return LinearOperator((n, n), times, times, times, rmatmat=times, dtype=float)


def attention(n, random, steps=60, batch=4):
    """The product of the factors that a network makes of a sequence of the adding problem, after some training."""
    model = sparsechord.Model("adding", length=n, seed=1)
    data = sparsechord.Dataset("adding", length=n, count=steps * batch)
    for inputs, labels in data.batches(batch):
        loss = model.train_step(inputs, labels, learning_rate=3e-3).loss
    print(f"attention {n}: loss {loss:.4f} after {steps} steps of {batch} sequences", flush=True)
    state = {name: np.asarray(value, float) for name, value in model.state_dict().items()}
    values = inputs[0].astype(float) @ state["init_linear.weight"].T + state["init_linear.bias"]

    def factor(number):
        first, second = (f"fs.{number}.network.{layer}." for layer in (0, 2))
        hidden = values @ state[first + "weight"].T + state[first + "bias"]
        hidden *= (1 + erf(hidden / np.sqrt(2))) / 2
        return hidden @ state[second + "weight"].T + state[second + "bias"]

    factors = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("fs."))
    chain = sparsechord.Chain(np.stack([factor(number) for number in range(factors)]))
    there, back = (lambda x: chain @ np.ascontiguousarray(x)), (lambda x: chain.T @ np.ascontiguousarray(x))
    return LinearOperator((n, n), there, back, there, rmatmat=back, dtype=float)


def growth(iterations=20, factors=4):
    """Of a turn of the descent: its sketch, which has four columns for each number of a row in panels of 64, the
    iterations, and the estimate at the end. Best of three."""
    first = None
    for n in (1 << power for power in range(12, 17)):
        operator, pattern = laplacian(n, np.random.default_rng(0)), sparsechord.Pattern.symmetric(n)
        columns = -(-4 * factors * pattern.links // 64) * 64
        started = sparsechord.factorize(operator, pattern, factors=factors, rank=-1, iterations=1)
        seconds = []
        for seed in range(3):
            began = time.perf_counter()
            sparsechord.factorize(operator, resume=started, factors=factors, rank=-1, iterations=iterations,
                                  seed=seed)
            seconds.append(time.perf_counter() - began)
        each = min(seconds) / iterations / columns / (factors * n * pattern.links)
        first = first or each
        print(f"N = {n}: {min(seconds):.2f} s, {columns} columns, {each * 1e12:.1f} ps for each column and parameter, "
              f"{each / first:.2f} times that of {1 << 12}", flush=True)


def run(name, n, seconds, seed):
    operator = globals()[name](n, np.random.default_rng(seed))
    pattern = sparsechord.Pattern.symmetric(n)
    numbers = n * pattern.links * int(np.ceil(np.log2(n)))
    rank = numbers // (2 * n)
    svd, both = {"factors": -1, "rank": rank}, {"numbers": numbers, "seconds": seconds}
    for label, options in (("randomised SVD", svd), ("found", both)):
        began = time.perf_counter()
        found = sparsechord.factorize(operator, pattern, seed=seed, **options).info
        deviation = found.standard_error / found.error * found.relative_error
        print(f"{name} {n} {label}: {found.relative_error:.5f} ± {deviation:.5f}, {found.factors} factors, "
              f"{found.nonzeros} numbers, {time.perf_counter() - began:.1f} s, "
              f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GB", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=1 << 14)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--matrix", default="laplacian,resolvent,kernel,banded,attention")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--growth", action="store_true")
    given = parser.parse_args()
    if given.growth:
        growth()
        raise SystemExit
    for which in given.matrix.split(","):
        run(which, given.n, given.seconds, given.seed)
