"""One exception for each status of chord.h; all are Errors, and most are what Python has for such a thing as well."""
from __future__ import annotations

from . import _raw


class Error(Exception):
    """A call that failed. `status` is its CHORD_ERROR_…, the text says what, where and what was expected."""

    status = 0

    def __init__(self, text: str):
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return self.text


class InvalidArgumentError(Error, ValueError):
    status = _raw.CHORD_ERROR_INVALID_ARGUMENT


class InvalidHandleError(Error, ValueError):
    status = _raw.CHORD_ERROR_INVALID_HANDLE


class InvalidShapeError(Error, ValueError):
    status = _raw.CHORD_ERROR_INVALID_SHAPE


class InvalidTypeError(Error, TypeError):
    status = _raw.CHORD_ERROR_INVALID_TYPE


class TooLargeError(Error, OverflowError):
    status = _raw.CHORD_ERROR_TOO_LARGE


class OutOfMemoryError(Error, MemoryError):
    status = _raw.CHORD_ERROR_OUT_OF_MEMORY


class NoSuchDeviceError(Error, LookupError):
    status = _raw.CHORD_ERROR_NO_SUCH_DEVICE


class DeviceFailureError(Error, RuntimeError):
    status = _raw.CHORD_ERROR_DEVICE_FAILURE


class CompilationFailedError(Error, RuntimeError):
    status = _raw.CHORD_ERROR_COMPILATION_FAILED


class IoFailureError(Error, OSError):
    status = _raw.CHORD_ERROR_IO_FAILURE


class ForkedError(Error, RuntimeError):
    status = _raw.CHORD_ERROR_FORKED


class UnsupportedError(Error, NotImplementedError):
    status = _raw.CHORD_ERROR_UNSUPPORTED


class ContextMismatchError(Error, ValueError):
    status = _raw.CHORD_ERROR_CONTEXT_MISMATCH


class InternalError(Error, RuntimeError):
    status = _raw.CHORD_ERROR_INTERNAL


class InvalidFileError(Error, ValueError):
    status = _raw.CHORD_ERROR_INVALID_FILE


class StoppedError(Error):
    status = _raw.CHORD_ERROR_STOPPED


_BY_STATUS = {kind.status: kind for kind in Error.__subclasses__()}


def error_of(status: int, text: str) -> Error:
    """The exception for a status; a plain Error for one this package does not know yet."""
    error = _BY_STATUS.get(status, Error)(text)
    error.status = status
    return error
