"""The tasks' sequences."""
from __future__ import annotations

from typing import Any, Callable, Iterator

import numpy as np

from ._library import Callback, Handle, Info, after, check, ffi, info, lib, listed, path_bytes, result, struct, text
from .tensor import DTYPES


@after("chord_task_get_info")
def tasks() -> list[Info]:
    """The tasks there are."""
    return listed("chord_task_info", lib.chord_task_count, lib.chord_task_get_info)


class Dataset(Handle):
    """Labelled sequences of a task, generated or from files.

    >>> data = Dataset("adding", length=16, count=10, seed=1)
    >>> inputs, labels = data[:4]
    >>> inputs.shape, labels.shape
    ((4, 16, 2), (4,))
    """

    _destroy = "chord_dataset_destroy"

    @after("chord_dataset_create")
    def __init__(self, task: str, split: str = "train", *, data: Any = None, length: int = 0, count: int = 0,
                 seed: int = 0, sample: int = 0, encoding: str | None = None,
                 progress: Callable[[int, int], Any] | None = None):
        """progress: told (done, total) while files are decoded; something true stops it."""
        texts = [None if t is None else ffi.new("char[]", t)
                 for t in (task.encode(), split.encode(), None if data is None else path_bytes(data),
                           None if encoding is None else encoding.encode())]

        def told(done: int, total: int, user: Any) -> int:
            return int(bool(progress(done, total))) if progress else 0

        callback = Callback("chord_progress_callback", told)
        options = struct("chord_dataset_options", task=texts[0], split=texts[1], data=texts[2], encoding=texts[3],
                         length=length, count=count, seed=seed, sample=sample, progress=callback.pointer)
        super().__init__(callback.run(lambda: result("chord_dataset*", lib.chord_dataset_create, options)))
        self.info = info("chord_dataset_info", lib.chord_dataset_get_info, self._pointer)

    def __len__(self) -> int:
        return self.info.count

    @property
    def encoding(self) -> str:
        """What a model that learns from these must keep to encode raw inputs as they were: JSON."""
        return text(result("char const*", lib.chord_dataset_encoding, self._pointer))

    def _arrays(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        about = self.info
        features = (about.features,) if about.features else ()
        inputs = np.empty((count, about.length, *features), DTYPES[about.input_type])
        return inputs, np.empty((count,), DTYPES[about.label_type])

    @after("chord_dataset_read")
    def read(self, first: int, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Sequences in the dataset's own order: inputs and labels."""
        inputs, labels = self._arrays(count)
        places = [(ffi.cast("void*", x.ctypes.data), x.nbytes) for x in (inputs, labels)]
        check(lib.chord_dataset_read(self._pointer, first, count, *places[0], *places[1]))
        return inputs, labels

    def __getitem__(self, places: slice) -> tuple[np.ndarray, np.ndarray]:
        first, end, step = places.indices(len(self))
        if step != 1:
            raise ValueError("sequences are read one after the other")
        return self.read(first, max(0, end - first))

    def batches(self, batch: int, *, shuffle: bool = False, seed: int = 0, epoch: int = 0, first: int = 0,
                drop_last: bool = False, part_first: int = 0, part_count: int = 0) -> Batches:
        """One pass over the data, batch by batch, prepared ahead by a thread of its own; with a part, these places of each
        batch alone."""
        return Batches(self, batch, shuffle=shuffle, seed=seed, epoch=epoch, first=first, drop_last=drop_last,
                       part_first=part_first, part_count=part_count)


class Batches(Handle):
    """An iterator over (inputs, labels); each batch is yours to keep."""

    _destroy = "chord_batches_destroy"

    def __init__(self, data: Dataset, batch: int, **order: int):
        options = struct("chord_batches_options", batch=batch, **order)
        super().__init__(result("chord_batches*", lib.chord_batches_create, data._pointer, options))
        self._data = data

    def __len__(self) -> int:
        return result("int64_t", lib.chord_batches_count, self._pointer)

    def __iter__(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        return self

    def __next__(self) -> tuple[np.ndarray, np.ndarray]:
        places, count = [ffi.new("void const**"), ffi.new("void const**")], ffi.new("int64_t*")
        check(lib.chord_batches_next(self._pointer, *places, count))
        if count[0] == 0:
            raise StopIteration
        arrays = self._data._arrays(count[0])
        for array, place in zip(arrays, places):
            ffi.memmove(ffi.cast("void*", array.ctypes.data), place[0], array.nbytes)
        return arrays


class Encoder(Handle):
    """Makes tokens of a task's raw inputs: the bytes of a review, a ListOps expression, a PNG."""

    _destroy = "chord_encoder_destroy"

    @after("chord_encoder_create")
    def __init__(self, task: str, encoding: str | None = None, length: int = 0):
        given = ffi.NULL if encoding is None else encoding.encode()
        super().__init__(result("chord_encoder*", lib.chord_encoder_create, task.encode(), given, length))
        self.info = info("chord_encoder_info", lib.chord_encoder_get_info, self._pointer)

    @after("chord_encoder_encode")
    def encode(self, raw: bytes | str) -> tuple[np.ndarray, int]:
        """The tokens, and how many positions come before the padding."""
        raw = raw.encode() if isinstance(raw, str) else bytes(raw)
        tokens, used = np.empty(self.info.length, np.int32), ffi.new("int64_t*")
        place = ffi.cast("int32_t*", tokens.ctypes.data)
        check(lib.chord_encoder_encode(self._pointer, raw, len(raw), place, tokens.size, used))
        return tokens, used[0]

    @after("chord_encoder_symbol")
    def symbol(self, token: int) -> str:
        """A token for people."""
        return text(result("char const*", lib.chord_encoder_symbol, self._pointer, token))
