"""DLPack's capsules, of version 1 and the older ones without, to and from the library, which has version 1 alone."""
from __future__ import annotations

import ctypes
from typing import Any

from ._library import ffi

ffi.cdef("""
typedef struct { int32_t device_type; int32_t device_id; } DLDevice;
typedef struct { uint8_t code; uint8_t bits; uint16_t lanes; } DLDataType;
typedef struct {
  void* data; DLDevice device; int32_t ndim; DLDataType dtype; int64_t* shape; int64_t* strides; uint64_t byte_offset;
} DLTensor;
struct DLManagedTensorVersioned {
  uint32_t major; uint32_t minor; void* manager_ctx; void (*deleter)(DLManagedTensorVersioned*); uint64_t flags;
  DLTensor dl_tensor;
};
typedef struct DLManagedTensor {
  DLTensor dl_tensor; void* manager_ctx; void (*deleter)(struct DLManagedTensor*);
} DLManagedTensor;
""")

READ_ONLY = 1
NEW, OLD = b"dltensor_versioned", b"dltensor"

_python = ctypes.pythonapi
_python.PyCapsule_New.restype = ctypes.py_object
_python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_python.PyCapsule_GetPointer.restype = ctypes.c_void_p
_python.PyCapsule_GetPointer.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
_python.PyCapsule_IsValid.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
_python.PyCapsule_SetName.argtypes = [ctypes.c_void_p, ctypes.c_char_p]

_kept: dict[int, Any] = {}  # what converted structs stand on, until their deleter is called


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
def _unconsumed(capsule: int) -> None:
    """A capsule that nobody has consumed deletes what is in it."""
    for name, kind in ((NEW, "DLManagedTensorVersioned*"), (OLD, "DLManagedTensor*")):
        if _python.PyCapsule_IsValid(capsule, name):
            managed = ffi.cast(kind, _python.PyCapsule_GetPointer(capsule, name))
            managed.deleter(managed)


def capsule(managed: Any, name: bytes) -> Any:
    return _python.PyCapsule_New(int(ffi.cast("intptr_t", managed)), name, ctypes.cast(_unconsumed, ctypes.c_void_p))


@ffi.callback("void(DLManagedTensor*)")
def _delete_old(managed: Any) -> None:
    _, original = _kept.pop(int(ffi.cast("intptr_t", managed)))
    original.deleter(original)


@ffi.callback("void(DLManagedTensorVersioned*)")
def _delete_new(managed: Any) -> None:
    _, original = _kept.pop(int(ffi.cast("intptr_t", managed)))
    if original.deleter:
        original.deleter(original)


def to_old(managed: Any) -> Any:
    """The same for consumers that do not know version 1."""
    if managed.flags & READ_ONLY:
        managed.deleter(managed)
        raise BufferError("a read-only tensor needs a consumer that knows DLPack 1")
    old = ffi.new("DLManagedTensor*")
    old.dl_tensor, old.deleter = managed.dl_tensor, _delete_old
    _kept[int(ffi.cast("intptr_t", old))] = (old, managed)
    return old


def to_new(old: Any) -> Any:
    """What a producer without version 1 gave, for the library."""
    managed = ffi.new("DLManagedTensorVersioned*")
    managed.major, managed.dl_tensor, managed.deleter = 1, old.dl_tensor, _delete_new
    _kept[int(ffi.cast("intptr_t", managed))] = (managed, old)
    return managed


def consume(producer: Any, take: Any, **arguments: Any) -> Any:
    """take(managed) of what a producer's __dlpack__ gives, which is the library's if that succeeds."""
    try:
        given = producer.__dlpack__(max_version=(1, 0), **arguments)
    except TypeError:  # a producer from before version 1
        given = producer.__dlpack__(**arguments)
    address = id(given)
    if _python.PyCapsule_IsValid(address, NEW):
        made = take(ffi.cast("DLManagedTensorVersioned*", _python.PyCapsule_GetPointer(address, NEW)))
        _python.PyCapsule_SetName(address, b"used_dltensor_versioned")
        return made
    managed = to_new(ffi.cast("DLManagedTensor*", _python.PyCapsule_GetPointer(address, OLD)))
    try:
        made = take(managed)
    except BaseException:
        _kept.pop(int(ffi.cast("intptr_t", managed)))
        raise
    _python.PyCapsule_SetName(address, b"used_dltensor")
    return made
