#!/usr/bin/env python3
"""Factorising matrices that are never formed: the error beside that of a randomised SVD with as many numbers, seconds
and memory, for a graph's Laplacian, a kernel matrix given as a function, and a band plus a low rank.

    bench/large_factorization.py [--n=16384] [--seconds=60] [--matrix=laplacian,kernel,banded] [--seed=0]

needs NumPy, SciPy and the package sparsechord (bindings/python)."""
import argparse
import resource
import time

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import LinearOperator, aslinearoperator

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
    parser.add_argument("--matrix", default="laplacian,kernel,banded")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    for which in given.matrix.split(","):
        run(which, given.n, given.seconds, given.seed)
