"""Arrays in a context's memory, shared with NumPy and DLPack without copies wherever that can be."""
from __future__ import annotations

import itertools
from functools import cached_property
from typing import Any, Sequence

import numpy as np

from . import _dlpack, _raw
from ._library import Handle, Info, after, check, ffi, info, lib, path_bytes, result
from .context import Context, default_context

TYPES: dict[np.dtype, int] = {
    np.dtype(np.float32): _raw.CHORD_FLOAT32,
    np.dtype(np.float64): _raw.CHORD_FLOAT64,
    np.dtype(np.int32): _raw.CHORD_INT32,
    np.dtype(np.int64): _raw.CHORD_INT64,
}
DTYPES: dict[int, np.dtype] = {value: dtype for dtype, value in TYPES.items()}
DLPACK_CPU, DLPACK_CUDA = 1, 2

_wrapped: dict[int, Any] = {}  # arrays whose memory the library looks at
_keys = itertools.count(1)


@ffi.callback("void(void*)")
def _release(user: Any) -> None:
    _wrapped.pop(int(ffi.cast("intptr_t", user)), None)


class Tensor(Handle):
    """An array in a context's memory. np.asarray, np.from_dlpack and torch.from_dlpack look at it without a copy where
    the device's memory can be read by the host."""

    _destroy = "chord_tensor_destroy"

    def __init__(self, pointer: Any, context: Context):
        super().__init__(pointer)
        self.context = context

    @classmethod
    @after("chord_tensor_create")
    def empty(cls, shape: Sequence[int], dtype: Any = np.float32, context: Context | None = None) -> Tensor:
        """A new tensor, its values undefined."""
        context = context or default_context()
        create = lib.chord_tensor_create
        pointer = result("chord_tensor*", create, context._pointer, type_of(dtype), len(shape), list(shape))
        return cls(pointer, context)

    @classmethod
    @after("chord_tensor_create_from_host")
    def copy_of(cls, values: Any, context: Context | None = None) -> Tensor:
        """A new tensor with a copy of an array's values."""
        context = context or default_context()
        array = np.ascontiguousarray(values)
        array = array.reshape(np.shape(values))  # which ascontiguousarray changes for a single number
        data = ffi.cast("void*", array.ctypes.data)
        create = lib.chord_tensor_create_from_host
        arguments = (context._pointer, type_of(array.dtype), array.ndim, list(array.shape), data)
        return cls(result("chord_tensor*", create, *arguments), context)

    @classmethod
    @after("chord_tensor_wrap")
    def wrap(cls, array: np.ndarray, context: Context | None = None) -> Tensor:
        """A tensor that is an array's memory; the array lives until the library no longer looks at it."""
        context = context or default_context()
        if not array.flags.writeable:
            raise ValueError("the array is read-only; Tensor.copy_of takes it")
        if any(stride % array.itemsize for stride in array.strides):
            raise ValueError("the array's strides are no multiples of its elements' size; Tensor.copy_of takes it")
        strides = [stride // array.itemsize for stride in array.strides]
        key = next(_keys)
        _wrapped[key] = array
        try:
            pointer = result(
                "chord_tensor*", lib.chord_tensor_wrap, context._pointer, type_of(array.dtype), array.ndim,
                list(array.shape), strides, ffi.cast("void*", array.ctypes.data), _release, ffi.cast("void*", key),
            )
        except BaseException:
            del _wrapped[key]
            raise
        return cls(pointer, context)

    @classmethod
    @after("chord_tensor_from_dlpack")
    def from_dlpack(cls, producer: Any, context: Context | None = None) -> Tensor:
        """A tensor that is the memory of anything with __dlpack__: of NumPy, PyTorch, JAX and others."""
        here = context or default_context()
        kind, _ = producer.__dlpack_device__()
        # The producer orders its work before the stream that ours is on.
        order = {"stream": context_stream(here)} if int(kind) == DLPACK_CUDA else {}

        def take(managed: Any) -> Any:
            return result("chord_tensor*", lib.chord_tensor_from_dlpack, here._pointer, managed)

        return cls(_dlpack.consume(producer, take, **order), here)

    @classmethod
    @after("chord_tensor_read_npy")
    def read_npy(cls, path: Any, context: Context | None = None) -> Tensor:
        """The tensor in a file of NumPy's."""
        context = context or default_context()
        return cls(result("chord_tensor*", lib.chord_tensor_read_npy, context._pointer, path_bytes(path)), context)

    @after("chord_tensor_write_npy")
    def write_npy(self, path: Any) -> None:
        """Writes a file that numpy.load reads."""
        check(lib.chord_tensor_write_npy(self._pointer, path_bytes(path)))

    @cached_property
    def _info(self) -> Info:
        return info("chord_tensor_info", lib.chord_tensor_get_info, self._pointer)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self._info.shape[: self._info.rank])

    @property
    def strides(self) -> tuple[int, ...]:
        """Counted in elements."""
        return tuple(self._info.strides[: self._info.rank])

    @property
    def dtype(self) -> np.dtype:
        return DTYPES[self._info.type]

    @property
    def ndim(self) -> int:
        return self._info.rank

    @after("chord_tensor_view")
    def view(self, shape: Sequence[int], strides: Sequence[int] | None = None, offset: int = 0) -> Tensor:
        """Another look at the same memory."""
        places = list(strides) if strides is not None else ffi.NULL
        arguments = (self._pointer, len(shape), list(shape), places, offset)
        return Tensor(result("chord_tensor*", lib.chord_tensor_view, *arguments), self.context)

    def numpy(self) -> np.ndarray:
        """The values, when the work queued so far is done: in place where the host can read the device's memory, else
        a copy. Work queued later writes into an array that is in place; wait for the context before you read it."""
        if not self.context.device.host_readable:
            return self.to_host()
        self.context.wait()
        return np.asarray(_InPlace(self))

    @after("chord_tensor_to_host")
    def to_host(self, out: np.ndarray | None = None) -> np.ndarray:
        """A copy of the values, in `out` if given."""
        out = np.empty(self.shape, self.dtype) if out is None else out
        if out.dtype != self.dtype or out.shape != self.shape or not out.flags.c_contiguous:
            raise ValueError(f"out must be a contiguous array of {self.dtype} with the shape {self.shape}")
        check(lib.chord_tensor_to_host(self._pointer, ffi.cast("void*", out.ctypes.data), out.nbytes))
        return out

    @after("chord_tensor_from_host")
    def assign(self, values: Any) -> Tensor:
        """Takes over an array's values; a number is every element's."""
        array = np.ascontiguousarray(np.broadcast_to(np.asarray(values, self.dtype), self.shape))
        check(lib.chord_tensor_from_host(self._pointer, ffi.cast("void*", array.ctypes.data), array.nbytes))
        return self

    @after("chord_tensor_fill")
    def fill(self, value: float) -> Tensor:
        """Makes every element this value."""
        check(lib.chord_tensor_fill(self._pointer, value))
        return self

    @after("chord_tensor_copy")
    def copy_to(self, other: Tensor) -> None:
        """Copies the values to a tensor of the same type and shape."""
        check(lib.chord_tensor_copy(self._pointer, other._pointer))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self.numpy()
        return array.copy() if copy else array if dtype is None else array.astype(dtype, copy=False)

    def __dlpack_device__(self) -> tuple[int, int]:
        if self.context.device.host_readable:
            return DLPACK_CPU, 0
        number = ffi.new("int32_t*")
        check(lib.chord_context_get_cuda_stream(self.context._pointer, number, ffi.new("void**")))
        return DLPACK_CUDA, number[0]

    def __dlpack__(self, *, stream: int | None = None, max_version: tuple[int, int] | None = None,
                   dl_device: Any = None, copy: bool | None = None) -> Any:
        if dl_device is not None and tuple(map(int, dl_device)) != self.__dlpack_device__():
            raise BufferError("the values are not on that device")
        if copy:
            return Tensor.copy_of(self.numpy(), self.context).__dlpack__(stream=stream, max_version=max_version)
        if self.__dlpack_device__()[0] == DLPACK_CUDA:
            order = 1 if stream is None else stream  # the legacy default stream
            export = lib.chord_tensor_to_dlpack_on_cuda_stream
            managed = result("struct DLManagedTensorVersioned*", export, self._pointer, order)
        else:
            managed = result("struct DLManagedTensorVersioned*", lib.chord_tensor_to_dlpack, self._pointer)
        if max_version is not None and max_version[0] >= 1:
            return _dlpack.capsule(managed, _dlpack.NEW)
        return _dlpack.capsule(_dlpack.to_old(managed), _dlpack.OLD)

    def __repr__(self) -> str:
        return f"<Tensor {self.shape} {self.dtype} in {self.context.device.selector}>" if self._pointer else "<Tensor, closed>"


class _InPlace:
    """A tensor's memory in the words NumPy knows; the array keeps it, and it keeps the tensor."""

    def __init__(self, tensor: Tensor):
        self.tensor = tensor
        data = result("void*", lib.chord_tensor_data, tensor._pointer)
        size = tensor.dtype.itemsize
        overlapping = any(s == 0 and n > 1 for s, n in zip(tensor.strides, tensor.shape))
        self.__array_interface__ = {
            "version": 3,
            "typestr": tensor.dtype.str,
            "shape": tensor.shape,
            "strides": tuple(stride * size for stride in tensor.strides),
            "data": (int(ffi.cast("intptr_t", data)), overlapping),
        }


Array = Any  # a NumPy array, a Tensor, or anything with __dlpack__; what comes out follows from what went in


def type_of(dtype: Any) -> int:
    dtype = np.dtype(dtype)
    if dtype not in TYPES:
        raise TypeError(f"tensors hold float32, float64, int32 or int64, not {dtype}")
    return TYPES[dtype]


def context_stream(context: Context) -> int:
    stream = ffi.new("void**")
    check(lib.chord_context_get_cuda_stream(context._pointer, ffi.NULL, stream))
    return int(ffi.cast("intptr_t", stream[0])) or 1


def as_tensor(values: Array, context: Context, dtype: Any = None) -> Tensor:
    """A tensor with these values: itself, in place where that can be, or a copy. `dtype` converts, which copies."""
    if isinstance(values, Tensor):
        return values
    if hasattr(values, "__dlpack__") and not isinstance(values, np.ndarray):
        return Tensor.from_dlpack(values, context)
    array = np.asarray(values, dtype)
    in_place = (
        context.device.host_readable and array.flags.writeable and array.size > 0
        and all(stride > 0 and stride % array.itemsize == 0 for stride in array.strides)
    )
    return Tensor.wrap(array, context) if in_place else Tensor.copy_of(array, context)


def as_given(tensor: Tensor, like: Array) -> Array:
    """A result as its caller works: a NumPy array unless a tensor, or something with __dlpack__, was given."""
    if isinstance(like, Tensor) or (hasattr(like, "__dlpack__") and not isinstance(like, np.ndarray)):
        return tensor
    return tensor.numpy()
