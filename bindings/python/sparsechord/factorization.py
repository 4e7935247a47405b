"""Given matrices, and the factors fitted to them."""
from __future__ import annotations

import os
import sys
from typing import Any, Callable, Sequence

import numpy as np

from ._library import Callback, Handle, Info, after, check, ffi, info, lib, listed, path_bytes, record, result, struct
from .chain import Chain, Pattern
from .context import Context, default_context
from .errors import UnsupportedError
from .linear_map import LinearMap
from .tensor import Tensor

Progress = Callable[[Info], Any]


class Matrix(Handle):
    """A square matrix in host memory, dense or sparse: what is to be factorised."""

    _destroy = "chord_matrix_destroy"

    def __init__(self, values: Any):
        """values: an array, a scipy.sparse matrix, or the path of a file: MatrixMarket, npy, PNG, safetensors."""
        super().__init__(_made(values))

    @property
    def info(self) -> Info:
        return info("chord_matrix_info", lib.chord_matrix_get_info, self._pointer)

    @property
    def n(self) -> int:
        return self.info.n

    @after("chord_matrix_to_dense")
    def dense(self) -> np.ndarray:
        """All values."""
        values = np.empty((self.n, self.n))
        check(lib.chord_matrix_to_dense(self._pointer, ffi.cast("double*", values.ctypes.data), values.nbytes))
        return values

    @after("chord_matrix_truncated_svd")
    def truncated_svd(self, rank: int) -> tuple[np.ndarray, float]:
        """The best approximation of a rank, and its error; by NumPy's LAPACK where the library finds none."""
        try:
            return self._truncated_svd(rank)
        except UnsupportedError:
            left, values, right = np.linalg.svd(self.dense())
            best = (left[:, :rank] * values[:rank]) @ right[:rank]
            return best, float(np.linalg.norm(values[rank:]))

    def _truncated_svd(self, rank: int) -> tuple[np.ndarray, float]:
        best, error = np.empty((self.n, self.n)), ffi.new("double*")
        place = ffi.cast("double*", best.ctypes.data)
        check(lib.chord_matrix_truncated_svd(self._pointer, rank, error, ffi.NULL, place))
        return best, error[0]

    def __repr__(self) -> str:
        about = self.info
        return f"<Matrix {about.n}×{about.n}, {'sparse' if about.sparse else 'dense'}, {about.nonzeros} non-zeros>"


def _made(values: Any) -> Any:
    if isinstance(values, (str, os.PathLike)):
        return result("chord_matrix*", lib.chord_matrix_read, path_bytes(values))
    if hasattr(values, "tocoo"):
        entries = values.tocoo()
        if entries.shape[0] != entries.shape[1]:
            raise ValueError(f"the matrix must be square, not {entries.shape}")
        rows, columns = (np.ascontiguousarray(x, np.int64) for x in (entries.row, entries.col))
        numbers = np.ascontiguousarray(entries.data, np.float64)
        places = [ffi.cast("int64_t*", x.ctypes.data) for x in (rows, columns)]
        create = lib.chord_matrix_create_sparse
        data = ffi.cast("double*", numbers.ctypes.data)
        return result("chord_matrix*", create, entries.shape[0], len(numbers), *places, data)
    dense = np.ascontiguousarray(values, np.float64)
    if dense.ndim != 2 or dense.shape[0] != dense.shape[1]:
        raise ValueError(f"the matrix must be square, not {dense.shape}")
    data = ffi.cast("double*", dense.ctypes.data)
    return result("chord_matrix*", lib.chord_matrix_create_dense, dense.shape[0], data)


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
        return f"<Factorization {a.n}×{a.n}, {a.factors} factors, {a.nonzeros} numbers, relative error {a.relative_error:.4g}>"


def constraints() -> list[str]:
    """The names of the constraints that factorize takes."""
    return [c.name for c in listed("chord_name_info", lib.chord_constraint_count, lib.chord_constraint_get_info)]


@after("chord_factorize")
def factorize(
    matrix: Any, pattern: Pattern | Sequence[int] | None = None, *, factors: int = 0, constraint: str = "none",
    seconds: float = 0, iterations: int = 0, seed: int = 0, restarts: int = 0, precision: int = 0,
    gradient_tolerance: float = 0, improvement_tolerance: float = 0, resume: Factorization | None = None,
    checkpoint: Any = None, progress: Progress | bool | None = None, context: Context | None = None,
) -> Factorization:
    """Fits factors to a square matrix: an array, a scipy.sparse matrix, a file's path, or a Matrix.

    pattern: a Pattern, or offsets; without it the chord pattern of base 2. progress: a function that is told now and
    then (error, best_error, relative_error, iteration, seconds, …) and stops the run by returning something true; True
    prints a line to stderr. Ctrl-C ends it as it ends any Python code.

    >>> X = np.add.outer(np.arange(16.0), np.arange(16.0))
    >>> factorize(X, iterations=300).info.relative_error < 0.05
    True
    """
    given = matrix if isinstance(matrix, Matrix) else Matrix(matrix)
    if isinstance(pattern, Pattern):
        context = pattern.context
    context = context or default_context()
    if pattern is None:
        pattern = resume.pattern if resume else Pattern.chord(given.n, context=context)
    elif not isinstance(pattern, Pattern):
        pattern = Pattern.custom(given.n, pattern, context)
    known = constraints()
    if constraint not in known:
        raise ValueError(f"constraint must be one of {', '.join(known)}; not {constraint!r}")
    tell = _line if progress is True else progress

    def told(now: Any, user: Any) -> int:
        return int(bool(tell(record(now)))) if tell else 0

    callback = Callback("chord_factorize_callback", told)
    file = ffi.new("char[]", path_bytes(checkpoint)) if checkpoint is not None else ffi.NULL
    options = struct(
        "chord_factorize_options", factors=factors, constraint=known.index(constraint), seconds=seconds,
        iterations=iterations, seed=seed, restarts=restarts, precision=precision, checkpoint=file,
        gradient_tolerance=gradient_tolerance, improvement_tolerance=improvement_tolerance,
        resume=resume._pointer if resume else None, callback=callback.pointer,
    )
    call = ("chord_factorization*", lib.chord_factorize, pattern._pointer, given._pointer, options)
    try:
        return callback.run(lambda: Factorization(result(*call), context))
    finally:
        if progress is True:
            print(file=sys.stderr)


def _line(now: Info) -> None:
    line = f"{now.seconds:7.1f} s  iteration {now.iteration:8d}  relative error {now.relative_error:.6f}"
    print(f"\r{line}", end="", file=sys.stderr, flush=True)
