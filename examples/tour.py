"""Factorises a picture and applies the result, then trains a network: tour.py PICTURE [PASSES]"""
import sys

import numpy as np
import sparsechord as sc


def bits(values: np.ndarray) -> int:
    """The FNV-1a hash of numbers' bytes."""
    hashed = 14695981039346656037
    for byte in values.tobytes():
        hashed = (hashed ^ byte) * 1099511628211 % 2**64
    return hashed


def factorize(path: str) -> None:
    factors = sc.factorize(path, iterations=30, seed=1)
    sums = factors @ np.ones(factors.n)
    print(f"picture: {factors.n} rows, relative error {factors.info.relative_error:.4f}, bits {bits(sums):016x}")


def train(passes: int) -> None:
    model = sc.Model("adding", length=32, seed=1)
    data = sc.Dataset("adding", length=32, count=200, seed=1)
    for epoch in range(passes):
        for inputs, labels in data.batches(40, shuffle=True, seed=1, epoch=epoch):
            loss = model.train_step(inputs, labels).loss
    print(f"adding: loss {loss:.4f}, bits {bits(model.flat_parameters.to_host()):016x}")


if __name__ == "__main__":
    factorize(sys.argv[1])
    train(int(sys.argv[2]) if len(sys.argv) > 2 else 20)
