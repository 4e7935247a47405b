"""Patterns, products of one factor, and chains of them."""
from __future__ import annotations

from functools import cached_property
from typing import Any, Sequence

import numpy as np

from ._library import Handle, after, check, ffi, lib, result
from .context import Context, default_context
from .linear_map import LinearMap
from .tensor import Array, Tensor, as_given, as_tensor


class Pattern(Handle):
    """Where the non-zeros of a factor are: row i has them at columns (i + o_k) mod N.

    >>> Pattern.chord(16).offsets
    [0, 1, 2, 4, 8]
    """

    _destroy = "chord_pattern_destroy"

    def __init__(self, pointer: Any, context: Context):
        super().__init__(pointer)
        self.context = context

    @classmethod
    @after("chord_pattern_create_chord")
    def chord(cls, n: int, base: int = 2, links: int = 0, context: Context | None = None) -> Pattern:
        """Offsets 0, 1, b, b², …"""
        context = context or default_context()
        create = lib.chord_pattern_create_chord
        return cls(result("chord_pattern*", create, context._pointer, n, base, links), context)

    @classmethod
    @after("chord_pattern_create_symmetric")
    def symmetric(cls, n: int, base: int = 2, links: int = 0, context: Context | None = None) -> Pattern:
        """Offsets 0, 1, −1, b, −b, …"""
        context = context or default_context()
        create = lib.chord_pattern_create_symmetric
        return cls(result("chord_pattern*", create, context._pointer, n, base, links), context)

    @classmethod
    @after("chord_pattern_create_custom")
    def custom(cls, n: int, offsets: Sequence[int], context: Context | None = None) -> Pattern:
        """Any offsets."""
        context = context or default_context()
        create = lib.chord_pattern_create_custom
        return cls(result("chord_pattern*", create, context._pointer, n, len(offsets), list(offsets)), context)

    @cached_property
    def _size(self) -> tuple[int, int]:
        n, links = ffi.new("int64_t*"), ffi.new("int64_t*")
        check(lib.chord_pattern_get_size(self._pointer, n, links))
        return n[0], links[0]

    @property
    def n(self) -> int:
        return self._size[0]

    @property
    def links(self) -> int:
        return self._size[1]

    @property
    def offsets(self) -> list[int]:
        found = ffi.new("int64_t[]", self.links)
        check(lib.chord_pattern_get_offsets(self._pointer, found, self.links))
        return list(found)

    def __repr__(self) -> str:
        return f"<Pattern of {self.n} rows, {self.links} links>" if self._pointer else "<Pattern, closed>"


@after("chord_full_chain_length")
def full_chain_length(n: int, base: int = 2) -> int:
    """How many factors connect every row with every column."""
    return result("int64_t", lib.chord_full_chain_length, n, base)


@after("chord_product")
def product(pattern: Pattern, w: Tensor, v: Tensor, z: Tensor, accumulate: bool = False) -> None:
    """z (+)= the factor w times v, queued."""
    check(lib.chord_product(pattern._pointer, w._pointer, v._pointer, z._pointer, accumulate))


@after("chord_product_gradient_values")
def product_gradient_values(pattern: Pattern, w: Tensor, dz: Tensor, dv: Tensor, accumulate: bool = False) -> None:
    """dv (+)= the transposed factor times dz, queued."""
    check(lib.chord_product_gradient_values(pattern._pointer, w._pointer, dz._pointer, dv._pointer, accumulate))


@after("chord_product_gradient_weights")
def product_gradient_weights(pattern: Pattern, dz: Tensor, v: Tensor, dw: Tensor, accumulate: bool = False) -> None:
    """dw (+)= the gradient of the factor, queued."""
    check(lib.chord_product_gradient_weights(pattern._pointer, dz._pointer, v._pointer, dw._pointer, accumulate))


class Chain(LinearMap):
    """M factors that share a pattern, applied in stored order: chain @ v = W_M ⋯ W_2 W_1 v.

    >>> chain = Chain(np.full((4, 16, 5), 0.2))
    >>> bool(np.allclose(chain @ np.ones(16), 1))
    True
    """

    _destroy = "chord_chain_destroy"

    @after("chord_chain_create")
    def __init__(self, weights: Array, pattern: Pattern | Sequence[int] | None = None, residual: bool = False,
                 context: Context | None = None):
        """weights: [M, N, L] or [M, B, N, L], looked at, not copied, where that can be. pattern: a Pattern, or offsets;
        without it, the chord pattern of base 2 with L links."""
        if isinstance(pattern, Pattern):
            context = pattern.context
        context = context or getattr(weights, "context", None) or default_context()
        tensor = as_tensor(weights, context)
        n, links = tensor.shape[-2:] if tensor.ndim >= 3 else (0, 0)
        if pattern is None:
            pattern = Pattern.chord(n, 2, links, context)
        elif not isinstance(pattern, Pattern):
            pattern = Pattern.custom(n, pattern, context)
        pointer = result("chord_chain*", lib.chord_chain_create, pattern._pointer, tensor._pointer, residual)
        self._set(pointer, pattern, tensor, residual)

    def _set(self, pointer: Any, pattern: Pattern, weights: Tensor, residual: bool) -> None:
        Handle.__init__(self, pointer)
        self.context, self.pattern, self.weights, self.residual = weights.context, pattern, weights, residual
        self.n, self.dtype = pattern.n, weights.dtype
        self.batch = weights.shape[1] if weights.ndim == 4 else None

    def _apply(self, v: Tensor, z: Tensor, transposed: bool) -> None:
        if transposed:
            check(lib.chord_chain_apply_transposed(self._pointer, v._pointer, z._pointer))
        else:
            check(lib.chord_chain_apply(self._pointer, v._pointer, z._pointer, ffi.NULL))

    def _rows(self, indices: list[int], out: Tensor) -> None:
        check(lib.chord_chain_rows(self._pointer, indices, len(indices), out._pointer))

    def _dense(self, out: Tensor) -> None:
        check(lib.chord_chain_dense(self._pointer, out._pointer))

    @after("chord_chain_gradient")
    def gradient(self, v: Array, g: Array) -> tuple[Array, Array]:
        """The gradients of ⟨g, chain @ v⟩ with respect to the weights and to v, [N, D] or [B, N, D]."""
        values, upstream = (as_tensor(x, self.context, self.dtype) for x in (v, g))
        dw = Tensor.empty(self.weights.shape, self.dtype, self.context)
        dv = Tensor.empty(values.shape, self.dtype, self.context)
        check(lib.chord_chain_gradient(self._pointer, values._pointer, ffi.NULL, upstream._pointer, dw._pointer,
                                       dv._pointer, 0))
        return as_given(dw, v), as_given(dv, v)

    def __repr__(self) -> str:
        if not self._pointer:
            return "<Chain, closed>"
        return f"<Chain of {self.weights.shape[0]} factors, {self.n}×{self.n}, {self.pattern.links} links, {self.dtype}>"
