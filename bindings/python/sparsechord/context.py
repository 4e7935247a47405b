"""Devices, and contexts: devices opened for work."""
from __future__ import annotations

import os
from functools import cached_property

from ._library import Handle, Info, after, check, ffi, info, lib, listed, result


@after("chord_device_get_info")
def devices() -> list[Info]:
    """The devices there are; the host is the first."""
    return listed("chord_device_info", lib.chord_device_count, lib.chord_device_get_info)


@after("chord_backend_get_info")
def backends() -> list[Info]:
    """The ways of running kernels that the library was built with."""
    return listed("chord_backend_info", lib.chord_backend_count, lib.chord_backend_get_info)


class Context(Handle):
    """A device opened for work: an in-order queue and a pool of memory.

    >>> with Context("host") as context:
    ...     context.device.selector
    'host'
    """

    _destroy = "chord_context_destroy"

    @after("chord_context_create")
    def __init__(self, device: str = "auto"):
        super().__init__(result("chord_context*", lib.chord_context_create, device.encode()))

    @classmethod
    @after("chord_context_create_on_cuda_stream")
    def on_cuda_stream(cls, device: int, stream: int) -> Context:
        """A context on somebody's CUDA stream, given by its address."""
        made = cls.__new__(cls)
        pointer = ffi.cast("void*", stream)
        create = lib.chord_context_create_on_cuda_stream
        Handle.__init__(made, result("chord_context*", create, device, pointer))
        return made

    @cached_property
    def device(self) -> Info:
        """What the device is: kind, name, selector, memory."""
        return info("chord_device_info", lib.chord_context_get_device, self._pointer)

    @property
    def memory(self) -> Info:
        """Bytes in use, the most there ever were, and what is kept for reuse."""
        return info("chord_memory_info", lib.chord_context_get_memory, self._pointer)

    @after("chord_context_wait")
    def wait(self) -> None:
        """Returns when all work queued so far is done."""
        check(lib.chord_context_wait(self._pointer))

    @after("chord_context_trim")
    def trim(self) -> None:
        """Gives memory kept for reuse back to the device."""
        check(lib.chord_context_trim(self._pointer))

    def __repr__(self) -> str:
        return f"<Context {self.device.selector}: {self.device.name}>" if self._pointer else "<Context, closed>"


_defaults: dict[int, Context] = {}


def default_context() -> Context:
    """The context that functions work in unless given another: what "auto" opens, once in a process."""
    process = os.getpid()
    if process not in _defaults:
        _defaults.clear()  # a forked child may not use its parent's
        _defaults[process] = Context("auto")
    return _defaults[process]
