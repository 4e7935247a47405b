#!/usr/bin/env python3
"""Objective and gradient of a factorisation, this library against PyTorch in float64 on the CPU.

Needs PyTorch (pip install torch) and a built library:  python3 bench/against_pytorch.py build/runtime/lib/libchord.so

Both compute half the squared distance of a random matrix from a product of ceil(log2 n) Chord factors, and its gradient
with respect to all of them. PyTorch does it in three ways (dense factors, gathered rows, sparse factors), of which the
fastest counts. The library is timed by whole iterations of a fit, which do more than that. Rounds are interleaved; the
best of each counts.
"""
import argparse
import ctypes
import math
import time

import torch


class Options(ctypes.Structure):  # chord_factorize_options
    _fields_ = [("struct_size", ctypes.c_size_t), ("factors", ctypes.c_int64), ("constraint", ctypes.c_int32),
                ("precision", ctypes.c_int32), ("restarts", ctypes.c_int32), ("reserved", ctypes.c_int32),
                ("seed", ctypes.c_uint64), ("iterations", ctypes.c_int64), ("seconds", ctypes.c_double),
                ("gradient_tolerance", ctypes.c_double), ("improvement_tolerance", ctypes.c_double),
                ("resume", ctypes.c_void_p), ("checkpoint", ctypes.c_char_p), ("checkpoint_seconds", ctypes.c_double),
                ("callback", ctypes.c_void_p), ("user", ctypes.c_void_p), ("callback_seconds", ctypes.c_double)]


class Library:
    def __init__(self, path, device):
        self.chord = ctypes.CDLL(path)
        self.chord.chord_last_error.restype = ctypes.c_char_p
        self.context = ctypes.c_void_p()
        self.check(self.chord.chord_context_create(device.encode(), ctypes.byref(self.context)))

    def check(self, status):
        if status != 0:
            raise SystemExit(self.chord.chord_last_error().decode())

    def seconds_per_iteration(self, x, iterations):
        n = x.shape[0]
        pattern, matrix, result = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        values = ctypes.cast(x.data_ptr(), ctypes.POINTER(ctypes.c_double))
        self.check(self.chord.chord_pattern_create_chord(self.context, ctypes.c_int64(n), ctypes.c_int64(2),
                                                         ctypes.c_int64(0), ctypes.byref(pattern)))
        self.check(self.chord.chord_matrix_create_dense(ctypes.c_int64(n), values, ctypes.byref(matrix)))
        options = Options(struct_size=ctypes.sizeof(Options), restarts=1, iterations=iterations)
        begin = time.perf_counter()
        self.check(self.chord.chord_factorize(pattern, matrix, ctypes.byref(options), ctypes.byref(result)))
        seconds = time.perf_counter() - begin
        self.chord.chord_factorization_destroy(result)
        self.chord.chord_matrix_destroy(matrix)
        self.chord.chord_pattern_destroy(pattern)
        return seconds / iterations


def pytorch_ways(n):
    factors, links = math.ceil(math.log2(n)), math.floor(math.log2(n)) + 1
    offsets = torch.tensor([0] + [2**k for k in range(links - 1)])
    columns = (torch.arange(n)[:, None] + offsets) % n
    rows = torch.arange(n)[:, None].expand(n, links)
    starts = torch.arange(0, n * links + 1, links)
    order = columns.argsort(dim=1)
    weights = (torch.randn(factors, n, links, dtype=torch.float64) / links).requires_grad_()

    def dense(w, v):
        return torch.zeros(n, n, dtype=torch.float64).index_put((rows, columns), w, accumulate=True) @ v

    def gathered(w, v):
        return torch.einsum("ik,ikc->ic", w, v[columns])

    def sparse(w, v):
        values = w.gather(1, order).reshape(-1)
        return torch.sparse_csr_tensor(starts, columns.gather(1, order).reshape(-1), values, (n, n)) @ v

    def evaluate(step, x):
        weights.grad = None
        v = torch.eye(n, dtype=torch.float64)
        for w in weights:
            v = step(w, v)
        loss = 0.5 * ((v - x) ** 2).sum()
        loss.backward()

    return {"dense": lambda x: evaluate(dense, x), "gathered": lambda x: evaluate(gathered, x),
            "sparse": lambda x: evaluate(sparse, x)}


def seconds_of(action, least=0.3):
    count, begin = 0, time.perf_counter()
    while count == 0 or time.perf_counter() - begin < least:
        action()
        count += 1
    return (time.perf_counter() - begin) / count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", help="libchord.so")
    parser.add_argument("--device", default="host")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs="+", default=[256, 1024])
    arguments = parser.parse_args()
    library = Library(arguments.library, arguments.device)
    print(f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads; milliseconds, best of {arguments.rounds}")
    print(f"{'n':>6} {'chord':>9} {'dense':>9} {'gathered':>9} {'sparse':>9} {'ratio':>7}")
    for n in arguments.sizes:
        x = torch.rand(n, n, dtype=torch.float64)
        ways = pytorch_ways(n)
        best = {}
        for _ in range(arguments.rounds):
            round_ = {"chord": library.seconds_per_iteration(x, max(10, 20_000_000 // (n * n)))}
            for name, way in list(ways.items()):
                try:
                    round_[name] = seconds_of(lambda: way(x))
                except RuntimeError as error:  # not every build of PyTorch can go back through sparse products
                    print(f"PyTorch, {name}: {str(error).splitlines()[0]}")
                    del ways[name]
            for name, seconds in round_.items():
                best[name] = min(seconds, best.get(name, math.inf))
        columns = [f"{best[name] * 1e3:9.2f}" if name in best else f"{'-':>9}"
                   for name in ("chord", "dense", "gathered", "sparse")]
        fastest = min(seconds for name, seconds in best.items() if name != "chord")
        print(f"{n:6} {' '.join(columns)} {fastest / best['chord']:6.1f}x")


if __name__ == "__main__":
    main()
