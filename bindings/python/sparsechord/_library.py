"""libchord, found and loaded; what every other file calls it with."""
from __future__ import annotations

import os
import subprocess
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, TypeVar

from cffi import FFI

from . import _raw
from .errors import Error, error_of

ffi = FFI()
ffi.cdef(_raw.DECLARATIONS)
for _name, (_size, _offsets) in _raw.LAYOUT.items():
    assert ffi.sizeof(_name) == _size, _name
    for _member, _offset in _offsets.items():
        assert ffi.offsetof(_name, _member) == _offset, (_name, _member)

_SONAME = f"libchord.so.{_raw.CHORD_ABI_VERSION}"


def _candidates() -> list[str]:
    """The file that CHORD_LIBRARY names and no other; else beside this package, where pkg-config says, the system's."""
    named = os.environ.get("CHORD_LIBRARY")
    if named:
        return [named]
    found = [str(p) for p in sorted((Path(__file__).parent / "lib").glob("libchord*.so*"))]
    try:
        folder = subprocess.run(
            ["pkg-config", "--variable=libdir", "sparsechord"], capture_output=True, text=True, check=True
        ).stdout.strip()
        found.append(f"{folder}/{_SONAME}")
    except (OSError, subprocess.CalledProcessError):
        pass
    return found + [_SONAME]


def _load() -> Any:
    failures = []
    for candidate in _candidates():
        try:
            return ffi.dlopen(candidate)
        except OSError as error:
            failures.append(str(error))
    raise ImportError(
        "libchord was not found; install SparseChord, or set CHORD_LIBRARY to its libchord.so. Tried:\n  "
        + "\n  ".join(failures)
    )


def _show_sycl() -> None:
    """Shows the library the SYCL runtime of the extra `sycl`, which pip puts where it does not look by itself."""
    if os.environ.get("CHORD_ONEAPI"):
        return
    try:
        files = metadata.files("intel-sycl-rt") or []
    except metadata.PackageNotFoundError:
        return
    for file in files:
        if file.name == "libsycl.so":
            os.environ["CHORD_ONEAPI"] = str(Path(file.locate()).resolve().parent)
            return


_show_sycl()
lib = _load()


def check(status: int) -> None:
    """Raises the exception of a status that is none of success."""
    if status:
        raise error_of(status, text(lib.chord_last_error()))


def _check_abi() -> None:
    version = ffi.new("int32_t*")
    check(lib.chord_abi_version(version))
    if version[0] != _raw.CHORD_ABI_VERSION:
        raise ImportError(f"this package is for ABI {_raw.CHORD_ABI_VERSION} of libchord, which has {version[0]}")


_check_abi()


def text(pointer: Any) -> str:
    return ffi.string(pointer).decode(errors="replace") if pointer else ""


def path_bytes(path: str | os.PathLike) -> bytes:
    return os.fsencode(path)


def result(kind: str, function: Callable, *arguments: Any) -> Any:
    """Calls a function whose last parameter is where its result goes."""
    place = ffi.new(kind + "*")
    check(function(*arguments, place))
    return place[0]


def struct(kind: str, **members: Any) -> Any:
    """A struct with all zero but its size and these members; None stands for zero, too."""
    value = ffi.new(kind + "*")
    value.struct_size = ffi.sizeof(kind)
    for name, member in members.items():
        if not hasattr(value, name):
            raise TypeError(f"there is no option {name!r}; {kind} of chord.h has all")
        if member is not None:
            setattr(value, name, member)
    return value


class Info(SimpleNamespace):
    """What the library tells about something: the members of a struct of chord.h."""


def info(kind: str, function: Callable, *arguments: Any) -> Info:
    value = struct(kind)
    check(function(*arguments, value))
    return record(value)


def record(value: Any) -> Info:
    """The members of a struct as Python has them."""
    members = {}
    for name, field in ffi.typeof(value[0]).fields:
        if name in ("struct_size", "reserved"):
            continue
        member = getattr(value, name)
        if field.type.cname.startswith(("char[", "char const *", "char *")):
            member = text(member)
        elif field.type.kind == "array":
            member = list(member)
        members[name] = member
    return Info(**members)


def listed(kind: str, count: Callable, get: Callable) -> list[Info]:
    """All there are of something that the library lists by index."""
    return [info(kind, get, index) for index in range(result("int32_t", count))]


Documented = TypeVar("Documented")


def after(function: str) -> Callable[[Documented], Documented]:
    """Puts the header's words about a function behind a docstring."""

    def documented(method: Documented) -> Documented:
        own = method.__doc__.rstrip() + "\n\n" if method.__doc__ else ""
        method.__doc__ = own + f"{function} of chord.h:\n\n" + _raw.DOCUMENTATION[function]
        return method

    return documented


class Handle:
    """An object of the library. It ends with its last reference, with close(), or with the `with` it is used in."""

    _destroy: str

    def __init__(self, pointer: Any):
        self._pointer = ffi.gc(pointer, getattr(lib, self._destroy))

    def close(self) -> None:
        """Ends the object now; using it afterwards is an InvalidHandleError."""
        if self._pointer:
            ffi.release(self._pointer)
            self._pointer = ffi.NULL

    def __enter__(self):
        return self

    def __exit__(self, *exception) -> None:
        self.close()


class Callback:
    """A Python function that the library calls, and the exception it ended with, Ctrl-C among them.

    An exception that comes up inside, even before the function is entered, makes the library stop; raise_again() then
    lets it go on where the call began."""

    def __init__(self, kind: str, function: Callable[..., Any]):
        self._exception: BaseException | None = None
        self.pointer = ffi.callback(kind, function, error=1, onerror=self._keep)

    def _keep(self, kind: type, value: BaseException, trace: Any) -> None:
        self._exception = value if isinstance(value, BaseException) else kind(value)

    def raise_again(self) -> None:
        if self._exception is not None:
            raise self._exception

    def run(self, call: Callable[[], Any]) -> Any:
        """The call's result, unless the callback failed in it."""
        try:
            made = call()
        except Error:
            self.raise_again()
            raise
        self.raise_again()
        return made
