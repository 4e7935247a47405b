"""What a fit gives: factors whose product approximates a matrix."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._library import Info, after, check, info, lib, path_bytes, result
from .chain import Chain, Pattern
from .context import Context, default_context
from .linear_map import LinearMap
from .tensor import Tensor


class Factorization(LinearMap):
    """X̂ ≈ X as a product of sparse factors: `X̂ @ v`, `X̂.T @ v`, rows, the dense matrix, the chain, files."""

    _destroy = "chord_factorization_destroy"

    def __init__(self, pointer: Any, context: Context):
        super().__init__(pointer)
        self.context = context
        about = self.info
        self.n, self.dtype = about.n, np.dtype(np.float64 if about.precision == 64 else np.float32)

    @classmethod
    @after("chord_factorization_load")
    def load(cls, path: Any, context: Context | None = None) -> Factorization:
        """That of a file."""
        context = context or default_context()
        load = lib.chord_factorization_load
        return cls(result("chord_factorization*", load, context._pointer, path_bytes(path)), context)

    @after("chord_factorization_save")
    def save(self, path: Any) -> None:
        """Writes a safetensors file."""
        check(lib.chord_factorization_save(self._pointer, path_bytes(path)))

    @property
    def info(self) -> Info:
        """Sizes, errors, why it stopped."""
        return info("chord_factorization_info", lib.chord_factorization_get_info, self._pointer)

    @property
    def weights(self) -> Tensor:
        """The stored factors, [M, N, L], in place."""
        return Tensor(result("chord_tensor*", lib.chord_factorization_get_weights, self._pointer), self.context)

    @property
    def pattern(self) -> Pattern:
        return Pattern(result("chord_pattern*", lib.chord_factorization_get_pattern, self._pointer), self.context)

    @property
    def chain(self) -> Chain:
        """The stored factors as a chain."""
        chain = Chain.__new__(Chain)
        pointer = result("chord_chain*", lib.chord_factorization_get_chain, self._pointer)
        chain._set(pointer, self.pattern, self.weights, False)
        return chain

    @property
    def shape(self) -> tuple[int, int]:
        about = self.info
        return about.rows, about.columns

    def _apply(self, v: Tensor, z: Tensor, transposed: bool) -> None:
        check(lib.chord_factorization_apply(self._pointer, v._pointer, z._pointer, transposed))

    def _rows(self, indices: list[int], out: Tensor) -> None:
        check(lib.chord_factorization_rows(self._pointer, indices, len(indices), out._pointer))

    def _dense(self, out: Tensor) -> None:
        check(lib.chord_factorization_dense(self._pointer, out._pointer))

    def __repr__(self) -> str:
        if not self._pointer:
            return "<Factorization, closed>"
        a = self.info
        return f"<Factorization {a.rows}×{a.columns}, {a.factors} factors, {a.nonzeros} numbers, relative error {a.relative_error:.4g}>"
