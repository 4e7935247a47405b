"""Given matrices: what is to be factorised."""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from ._library import Handle, Info, after, check, ffi, info, lib, path_bytes, result
from .errors import UnsupportedError


class Matrix(Handle):
    """A matrix in host memory, dense or sparse: what is to be factorised."""

    _destroy = "chord_matrix_destroy"

    def __init__(self, values: Any):
        """values: an array, a scipy.sparse matrix, or the path of a file: MatrixMarket, npy, PNG, safetensors."""
        super().__init__(_made(values))

    @property
    def info(self) -> Info:
        return info("chord_matrix_info", lib.chord_matrix_get_info, self._pointer)

    @property
    def n(self) -> int:
        """Rows and columns; the larger of the two where they differ."""
        return self.info.n

    @property
    def shape(self) -> tuple[int, int]:
        about = self.info
        return about.rows, about.columns

    @after("chord_matrix_to_dense")
    def dense(self) -> np.ndarray:
        """All values."""
        values = np.empty(self.shape)
        check(lib.chord_matrix_to_dense(self._pointer, ffi.cast("double*", values.ctypes.data), values.nbytes))
        return values

    @after("chord_matrix_rows")
    def rows(self, indices: Any) -> np.ndarray:
        """Some rows."""
        places = np.ascontiguousarray(indices, np.int64)
        values = np.empty((places.size, self.shape[1]))
        check(lib.chord_matrix_rows(self._pointer, ffi.cast("int64_t*", places.ctypes.data), places.size,
                                    ffi.cast("double*", values.ctypes.data)))
        return values

    @after("chord_matrix_truncated_svd")
    def truncated_svd(self, rank: int) -> tuple[np.ndarray, float]:
        """The best approximation of a rank, and its error; by NumPy's LAPACK where the library finds none."""
        try:
            return self._truncated_svd(rank)
        except UnsupportedError:
            left, values, right = np.linalg.svd(self.dense(), full_matrices=False)
            best = (left[:, :rank] * values[:rank]) @ right[:rank]
            return best, float(np.linalg.norm(values[rank:]))

    def _truncated_svd(self, rank: int) -> tuple[np.ndarray, float]:
        best, error = np.empty(self.shape), ffi.new("double*")
        place = ffi.cast("double*", best.ctypes.data)
        check(lib.chord_matrix_truncated_svd(self._pointer, rank, error, ffi.NULL, place))
        return best, error[0]

    def __repr__(self) -> str:
        about = self.info
        return f"<Matrix {about.rows}×{about.columns}, {'sparse' if about.sparse else 'dense'}, {about.nonzeros} non-zeros>"


def _made(values: Any) -> Any:
    if isinstance(values, (str, os.PathLike)):
        return result("chord_matrix*", lib.chord_matrix_read, path_bytes(values))
    if hasattr(values, "tocoo"):
        entries = values.tocoo()
        rows, columns = (np.ascontiguousarray(x, np.int64) for x in (entries.row, entries.col))
        numbers = np.ascontiguousarray(entries.data, np.float64)
        places = [ffi.cast("int64_t*", x.ctypes.data) for x in (rows, columns)]
        create = lib.chord_matrix_create_sparse_rectangle
        data = ffi.cast("double*", numbers.ctypes.data)
        return result("chord_matrix*", create, *entries.shape, len(numbers), *places, data)
    dense = np.ascontiguousarray(values, np.float64)
    if dense.ndim != 2:
        raise ValueError(f"a matrix has two dimensions, not {dense.ndim}")
    data = ffi.cast("double*", dense.ctypes.data)
    return result("chord_matrix*", lib.chord_matrix_create_rectangle, *dense.shape, data)
