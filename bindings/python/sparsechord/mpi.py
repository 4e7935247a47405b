"""Models and factorisations of several processes over MPI: chord_mpi.h, where SparseChord was built with an MPI.

    from mpi4py import MPI
    import sparsechord as sc, sparsechord.mpi

    trainer = sc.mpi.Trainer(MPI.COMM_WORLD, sc.Model("adding", length=128), batch=40)
    data = sc.Dataset("adding", length=128, count=4000)
    for inputs, labels in data.batches(40, shuffle=True, **trainer.part):
        trainer.train_step(inputs, labels)

A communicator is mpi4py's, or Fortran's number of one. All ranks make the same calls; the bits are the same for any number
of them.
"""
from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ._library import Info, ffi as _ffi, record, struct, text
from ._raw import CHORD_ABI_VERSION
from .context import Context, default_context
from .errors import error_of
from .factorization import Factorization
from .fit import _Run
from .model import Model, _options
from .tensor import Array, Tensor

_ffi.cdef("""
typedef struct chord_mpi_trainer chord_mpi_trainer;
typedef struct chord_mpi_sequence chord_mpi_sequence;
const char* chord_mpi_last_error(void);
int32_t chord_mpi_create(int32_t, chord_model*, int64_t, int64_t, chord_mpi_trainer**);
int32_t chord_mpi_destroy(chord_mpi_trainer*);
int32_t chord_mpi_get_share(const chord_mpi_trainer*, int64_t*, int64_t*);
int32_t chord_mpi_train_step(chord_mpi_trainer*, const chord_tensor*, const chord_tensor*, const chord_train_options*,
                             chord_step_result*);
int32_t chord_mpi_evaluate(chord_mpi_trainer*, const chord_tensor*, const chord_tensor*, const chord_train_options*,
                           chord_step_result*);
int32_t chord_mpi_sequence_create(int32_t, chord_context*, chord_model*, int64_t, chord_mpi_sequence**);
int32_t chord_mpi_sequence_destroy(chord_mpi_sequence*);
int32_t chord_mpi_sequence_get_share(const chord_mpi_sequence*, int64_t*, int64_t*);
int32_t chord_mpi_sequence_train_step(chord_mpi_sequence*, const chord_tensor*, const chord_tensor*,
                                      const chord_train_options*, chord_step_result*);
int32_t chord_mpi_sequence_evaluate(chord_mpi_sequence*, const chord_tensor*, const chord_tensor*, chord_step_result*);
int32_t chord_mpi_sequence_collect(chord_mpi_sequence*, chord_model*);
int32_t chord_mpi_factorize(int32_t, chord_context*, const chord_pattern*, const chord_matrix*,
                            const chord_factorize_options*, int64_t, chord_factorization**);
""")


def _load() -> Any:
    """The file that CHORD_MPI_LIBRARY names; else beside libchord, where it was built or installed; else the system's."""
    name = f"libchord_mpi.so.{CHORD_ABI_VERSION}"
    with open("/proc/self/maps") as maps:
        folders = {str(Path(line.split()[-1]).parent) for line in maps if "/libchord.so" in line}
    named = os.environ.get("CHORD_MPI_LIBRARY")
    failures = []
    for candidate in [named] if named else [f"{folder}/{name}" for folder in folders] + [name]:
        try:
            return _ffi.dlopen(candidate)
        except OSError as error:
            failures.append(str(error))
    raise ImportError("libchord_mpi was not found; build SparseChord where there is an MPI. Tried:\n  " + "\n  ".join(failures))


_mpi = _load()


def _check(status: int) -> None:
    if status:
        raise error_of(status, text(_mpi.chord_mpi_last_error()))


def _number(communicator: Any) -> int:
    return communicator.py2f() if hasattr(communicator, "py2f") else int(communicator)


def _result(kind: str, function: Any, *arguments: Any) -> Any:
    place = _ffi.new(kind + "*")
    _check(function(*arguments, place))
    return place[0]


def _share(function: Any, pointer: Any) -> tuple[int, int]:
    first, count = _ffi.new("int64_t*"), _ffi.new("int64_t*")
    _check(function(pointer, first, count))
    return first[0], count[0]


class _Owned:
    """What a function of this library gave, and another takes back."""

    def __init__(self, pointer: Any, destroy: Any):
        self._pointer, self._destroy = pointer, destroy

    def close(self) -> None:
        """Called by all ranks, before MPI ends."""
        pointer, self._pointer = self._pointer, _ffi.NULL
        _check(self._destroy(pointer))

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class Trainer(_Owned):
    """A model of which each rank has a copy and a part of every batch."""

    def __init__(self, communicator: Any, model: Model, batch: int, pieces: int = 8):
        """All ranks' models get what rank 0's has learnt. No pieces, 0: MPI's own sum, whose last bits depend on the ranks."""
        made = _result("chord_mpi_trainer*", _mpi.chord_mpi_create, _number(communicator), model._pointer, batch, pieces)
        super().__init__(made, _mpi.chord_mpi_destroy)
        self.model = model

    @property
    def share(self) -> tuple[int, int]:
        """The first of this rank's sequences of every batch, and how many it has."""
        return _share(_mpi.chord_mpi_get_share, self._pointer)

    @property
    def part(self) -> dict[str, int]:
        """The same as Dataset.batches() takes it."""
        first, count = self.share
        return {"part_first": first, "part_count": count}

    def train_step(self, inputs: Array, labels: Array, **options: Any) -> Info:
        """One step on the whole batch, of which these are the rank's sequences; options as for Model.train_step."""
        return self._run(_mpi.chord_mpi_train_step, inputs, labels, options)

    def evaluate(self, inputs: Array, labels: Array, **options: Any) -> Info:
        """Loss and right answers of the whole batch."""
        return self._run(_mpi.chord_mpi_evaluate, inputs, labels, options)

    def _run(self, function: Any, inputs: Array, labels: Array, options: dict) -> Info:
        done = struct("chord_step_result")
        _check(function(self._pointer, *self.model._batch(inputs, labels), _options(self.model, options), done))
        return record(done)


class SequenceTrainer(_Owned):
    """A model whose sequences are cut along their length: each rank has some positions of them."""

    def __init__(self, communicator: Any, model: Model | None, pieces: int = 8, context: Context | None = None):
        """model: rank 0's, None elsewhere. context: where the rank computes."""
        self.context = context or (model.context if model else default_context())
        made = _result("chord_mpi_sequence*", _mpi.chord_mpi_sequence_create, _number(communicator),
                       self.context._pointer, model._pointer if model else _ffi.NULL, pieces)
        super().__init__(made, _mpi.chord_mpi_sequence_destroy)

    @property
    def share(self) -> tuple[int, int]:
        """The first of this rank's positions of every sequence, and how many it has."""
        return _share(_mpi.chord_mpi_sequence_get_share, self._pointer)

    def train_step(self, inputs: Array, labels: Array | None, **options: Any) -> Info:
        """One step on a batch, of which `inputs` has the rank's positions; labels are rank 0's, None elsewhere. Arrays
        have the model's types."""
        done = struct("chord_step_result")
        kept = self._tensor(inputs), self._tensor(labels)
        _check(_mpi.chord_mpi_sequence_train_step(self._pointer, *map(_pointer_of, kept),
                                                  struct("chord_train_options", **options), done))
        return record(done)

    def evaluate(self, inputs: Array, labels: Array | None) -> Info:
        """Loss and right answers of a batch."""
        done = struct("chord_step_result")
        kept = self._tensor(inputs), self._tensor(labels)
        _check(_mpi.chord_mpi_sequence_evaluate(self._pointer, *map(_pointer_of, kept), done))
        return record(done)

    def collect(self, model: Model | None) -> None:
        """What was learnt, into a model of rank 0's; None elsewhere."""
        _check(_mpi.chord_mpi_sequence_collect(self._pointer, model._pointer if model else _ffi.NULL))

    def _tensor(self, values: Array | None) -> Tensor | None:
        return values if values is None or isinstance(values, Tensor) else Tensor.copy_of(values, self.context)


def _pointer_of(tensor: Tensor | None) -> Any:
    return tensor._pointer if tensor is not None else _ffi.NULL


def factorize(communicator: Any, matrix: Any = None, pattern: Any = None, *, pieces: int = 8,
              context: Context | None = None, **options: Any) -> Factorization:
    """sparsechord.factorize by all ranks together. Rank 0 gives matrix, pattern and options; the others nothing."""
    context = context or default_context()
    if matrix is None:
        given: tuple = (_ffi.NULL, _ffi.NULL, _ffi.NULL)
    else:
        run = _Run(matrix, pattern, context, None, **options)
        given = (run.pattern._pointer, run.matrix._pointer, run.options)
    found = _result("chord_factorization*", _mpi.chord_mpi_factorize, _number(communicator), context._pointer, *given,
                    pieces)
    return Factorization(found, context)
