"""What chains and factorisations have in common: they are matrices that are applied."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ._library import Handle
from .context import Context
from .tensor import Array, Tensor, as_given, as_tensor


class LinearMap(Handle):
    """A matrix that is never formed, N×N or, a factorisation's, as X is: `A @ v`, `A.T @ v`, single rows, the dense matrix."""

    context: Context
    n: int
    dtype: np.dtype
    batch: int | None = None  # how many matrices it is, where each sequence has its own

    def _apply(self, v: Tensor, z: Tensor, transposed: bool) -> None:
        raise NotImplementedError

    def _rows(self, indices: list[int], out: Tensor) -> None:
        raise NotImplementedError

    def _dense(self, out: Tensor) -> None:
        raise NotImplementedError

    @property
    def shape(self) -> tuple[int, int]:
        return self.n, self.n

    def apply(self, v: Array, out: Tensor | None = None, *, transposed: bool = False) -> Array:
        """The matrix, or its transpose, times v: [N], [N, D] or [B, N, D]. A NumPy array gives one, a tensor (or `out`)
        a tensor."""
        given = np.asarray(v) if isinstance(v, (list, tuple)) else v
        vector = getattr(given, "ndim", 2) == 1
        rows, columns = self.shape[::-1] if transposed else self.shape
        panel = given.view((columns, 1)) if vector and isinstance(given, Tensor) else given[:, None] if vector else given
        tensor = as_tensor(panel, self.context, self.dtype)
        z = out if out is not None else Tensor.empty((*tensor.shape[:-2], rows, tensor.shape[-1]), tensor.dtype, self.context)
        self._apply(tensor, z, transposed)
        if out is not None:
            return out
        product = as_given(z, given)
        return product.reshape(-1) if vector and isinstance(product, np.ndarray) else product

    def __matmul__(self, v: Array) -> Array:
        return self.apply(v)

    @property
    def T(self) -> Transposed:
        return Transposed(self)

    def rows(self, indices: Sequence[int]) -> np.ndarray:
        """Single rows of the matrix, [count, columns], without forming it."""
        wanted = [int(i) for i in indices]
        batch = () if self.batch is None else (self.batch,)
        out = Tensor.empty((*batch, len(wanted), self.shape[1]), self.dtype, self.context)
        self._rows(wanted, out)
        return out.numpy()

    def dense(self) -> np.ndarray:
        """The matrix itself."""
        batch = () if self.batch is None else (self.batch,)
        out = Tensor.empty((*batch, *self.shape), self.dtype, self.context)
        self._dense(out)
        return out.numpy()

    def linear_operator(self) -> Any:
        """The same for scipy.sparse.linalg: eigenvalues, solvers."""
        from scipy.sparse.linalg import LinearOperator

        def times(v: np.ndarray) -> np.ndarray:
            return self.apply(np.ascontiguousarray(v, self.dtype))

        def transposed_times(v: np.ndarray) -> np.ndarray:
            return self.apply(np.ascontiguousarray(v, self.dtype), transposed=True)

        return LinearOperator(self.shape, matvec=times, rmatvec=transposed_times, matmat=times,
                              rmatmat=transposed_times, dtype=self.dtype)


class Transposed:
    """The transpose of a linear map."""

    def __init__(self, of: LinearMap):
        self.T = of

    @property
    def shape(self) -> tuple[int, int]:
        return self.T.shape[::-1]

    def __matmul__(self, v: Array) -> Array:
        return self.T.apply(v, transposed=True)

    def __repr__(self) -> str:
        return f"<transpose of {self.T!r}>"
