"""Fitting factors to a matrix: here and now, or as a job that runs beside."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ._library import Callback, Handle, Info, after, check, ffi, lib, listed, path_bytes, record, result, struct
from .chain import Pattern
from .context import Context, default_context
from .factorization import Factorization
from .matrix import Matrix
from .progress import Progress, telling

Offsets = Sequence[int]


def constraints() -> list[str]:
    """The names of the constraints that factorize takes."""
    return [c.name for c in listed("chord_name_info", lib.chord_constraint_count, lib.chord_constraint_get_info)]


@after("chord_factorize")
def factorize(
    matrix: Any, pattern: Pattern | Offsets | None = None, *, factors: int = 0, rank: int = 0,
    entries: int = 0, numbers: int = 0, constraint: str = "none", seconds: float = 0, iterations: int = 0, seed: int = 0,
    restarts: int = 0, precision: int = 0,
    gradient_tolerance: float = 0, improvement_tolerance: float = 0, resume: Factorization | None = None,
    checkpoint: Any = None, progress: Progress = None, exact_error: bool = False, context: Context | None = None,
) -> Factorization:
    """Fits factors to a matrix: an array, a scipy.sparse matrix, a file's path, or a Matrix; or to one that is
    never formed, an operator with shape, matmat and rmatmat, as scipy.sparse.linalg.LinearOperator is one.

    pattern: a Pattern, or offsets; without it the chord pattern of base 2. constraint: one of constraints(). rank, entries:
    of a low-rank part and of single entries beside the factors; numbers: of all parts together, to be split between factors
    and a low rank as it turns out best; -1 for factors or rank: none.
    progress: a function that is told now and then (error, best_error, relative_error, iteration, seconds, …) and stops
    the run by returning something true; a bar like tqdm's, whose update() is called; or True for a bar of rich where it
    is installed, in terminals and notebooks, else a line. Ctrl-C ends the run as it ends any Python code.
    exact_error: an operator's, at the end; info.standard_error tells how far an estimate may be off.

    >>> X = np.add.outer(np.arange(16.0), np.arange(16.0))
    >>> factorize(X, iterations=300).info.relative_error < 0.05
    True
    """
    with telling(progress, seconds, iterations) as tell:
        callback = Callback("chord_factorize_callback", lambda now, user: bool(tell(record(now))) if tell else 0)
        run = _Run(
            matrix, pattern, context, resume, constraint, checkpoint, factors=factors, rank=rank, entries=entries,
            numbers=numbers, seconds=seconds, seed=seed,
            iterations=iterations, restarts=restarts, precision=precision, gradient_tolerance=gradient_tolerance,
            improvement_tolerance=improvement_tolerance, exact_error=exact_error,
        )
        run.options.callback = callback.pointer
        return callback.run(lambda: Factorization(run.fit(), run.context))


@after("chord_factorize_start")
def start_factorize(
    matrix: Any, pattern: Pattern | Offsets | None = None, *, resume: Factorization | None = None,
    context: Context | None = None, **options: Any,
) -> Job:
    """Begins what factorize() would do with the same options, in a thread of the library's, and returns at once.

    >>> with start_factorize(np.eye(16), iterations=100) as job:
    ...     job.result().info.iterations <= 100
    True
    """
    run = _Run(matrix, pattern, context, resume, **options)
    return Job(run.start("chord_job*", lib.chord_factorize_start), run.context)


class Job(Handle):
    """A factorisation that runs beside, to be looked at and ended from any thread. It is cancelled where its `with` ends,
    by close(), and with its last reference."""

    _destroy = "chord_job_destroy"

    def __init__(self, pointer: Any, context: Context):
        super().__init__(pointer)
        self.context = context

    @property
    def done(self) -> bool:
        """Whether it has come to its end, whichever."""
        done = ffi.new("chord_flag*")
        check(lib.chord_job_poll(self._pointer, done, ffi.NULL))
        return bool(done[0])

    @property
    @after("chord_job_poll")
    def progress(self) -> Info:
        """Where it is: error, best_error, relative_error, iteration, seconds, …; zeros before the first of it."""
        now = struct("chord_factorize_progress")
        check(lib.chord_job_poll(self._pointer, ffi.NULL, now))
        return record(now)

    @after("chord_job_cancel")
    def cancel(self) -> None:
        """Asks it to end soon with its best result so far."""
        check(lib.chord_job_cancel(self._pointer))

    @after("chord_job_wait")
    def wait(self, seconds: float | None = None) -> bool:
        """Waits until it is done, or for so many seconds, and tells whether it is. Ctrl-C ends the waiting."""
        left = float("inf") if seconds is None else seconds
        slice_of_time = 0.05  # Python hears of signals between two of them
        done = ffi.new("chord_flag*")
        while True:
            check(lib.chord_job_wait(self._pointer, max(0.0, min(left, slice_of_time)), done))
            left -= slice_of_time
            if done[0] or left <= 0:
                return bool(done[0])

    @after("chord_job_get_factorization")
    def result(self) -> Factorization:
        """Waits, and gives the factors, or raises what ended it."""
        self.wait()
        pointer = result("chord_factorization*", lib.chord_job_get_factorization, self._pointer)
        return Factorization(pointer, self.context)

    def __repr__(self) -> str:
        if not self._pointer:
            return "<Job, closed>"
        now = self.progress
        state = "done" if self.done else "running"
        return f"<Job, {state}: iteration {now.iteration}, relative error {now.relative_error:.4g}>"


class _Run:
    """A run's matrix, pattern and options as the library takes them."""

    def __init__(self, matrix: Any, pattern: Pattern | Offsets | None, context: Context | None,
                 resume: Factorization | None, constraint: str = "none", checkpoint: Any = None, **options: Any):
        self._operator = hasattr(matrix, "matmat") and hasattr(matrix, "rmatmat")
        self.matrix = matrix if self._operator or isinstance(matrix, Matrix) else Matrix(matrix)
        if self._operator and matrix.shape[0] != matrix.shape[1]:
            raise ValueError(f"an operator must be square, not {matrix.shape}")
        n = matrix.shape[0] if self._operator else self.matrix.n
        known = constraints()
        if constraint not in known:
            raise ValueError(f"constraint must be one of {', '.join(known)}; not {constraint!r}")
        self.context = pattern.context if isinstance(pattern, Pattern) else context or default_context()
        if pattern is None:
            pattern = resume.pattern if resume else Pattern.chord(n, context=self.context)
        elif not isinstance(pattern, Pattern):
            pattern = Pattern.custom(n, pattern, self.context)
        self.pattern, self._resume = pattern, resume
        self._file = None if checkpoint is None else ffi.new("char[]", path_bytes(checkpoint))
        self.options = struct(
            "chord_factorize_options", constraint=known.index(constraint), checkpoint=self._file,
            resume=resume._pointer if resume else None, **options,
        )

    def fit(self) -> Any:
        """The handle of the result, when it is done."""
        if not self._operator:
            return self.start("chord_factorization*", lib.chord_factorize)
        apply = Callback("chord_operator_apply", self._apply)
        return apply.run(lambda: result("chord_factorization*", lib.chord_factorize_operator, self.pattern._pointer,
                                        apply.pointer, ffi.NULL, self.options))

    def _apply(self, given: Any, out: Any, columns: int, transposed: int, user: Any) -> int:
        shape = self.pattern.n, columns
        panel, product = (np.frombuffer(ffi.buffer(values, 8 * shape[0] * columns)).reshape(shape) for values in (given, out))
        product[:] = self.matrix.rmatmat(panel) if transposed else self.matrix.matmat(panel)
        return 0

    def start(self, kind: str, function: Any) -> Any:
        if self._operator:
            raise TypeError("an operator is Python code, which no thread of the library's runs: use factorize()")
        return result(kind, function, self.pattern._pointer, self.matrix._pointer, self.options)
