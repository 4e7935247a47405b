"""Progress for people: a bar of rich where it is installed, a line where it is not, or anybody's bar like tqdm's."""
from __future__ import annotations

import sys
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, Callable, Iterator, Union

from ._library import Info

Tell = Callable[[Info], Any]
Progress = Union[Tell, bool, Any, None]


@contextmanager
def telling(progress: Progress, seconds: float, iterations: int) -> Iterator[Tell | None]:
    """What a run is to tell how far it is, for as long as it runs. The limits are what bars go up to."""
    if progress is True:
        with _bar(seconds, iterations) as tell:
            yield tell
    elif hasattr(progress, "update"):
        yield _steps(progress, seconds)
    else:
        yield progress or None


def _words(now: Info) -> str:
    return f"iteration {now.iteration}, relative error {now.relative_error:.6f}"


def _bar(seconds: float, iterations: int) -> Any:
    try:
        import rich
        import rich.progress
    except ImportError:
        return _line()
    if rich.get_console().is_jupyter and not find_spec("ipywidgets"):
        return _line()  # rich shows nothing in notebooks without them
    return _rich(rich.progress, seconds, iterations)


@contextmanager
def _rich(bars: Any, seconds: float, iterations: int) -> Iterator[Tell]:
    """A bar of rich's, which knows terminals and notebooks; without a limit it only moves."""
    columns = (bars.BarColumn(), bars.TimeElapsedColumn(), bars.TextColumn("{task.description}"))
    with bars.Progress(*columns) as shown:
        task = shown.add_task("", total=seconds or iterations or None)

        def tell(now: Info) -> None:
            shown.update(task, completed=now.seconds if seconds else now.iteration, description=_words(now))

        yield tell


@contextmanager
def _line() -> Iterator[Tell]:
    """One line of stderr, written over and over."""
    try:
        yield lambda now: print(f"\r{now.seconds:7.1f} s  {_words(now)}", end="", file=sys.stderr, flush=True)
    finally:
        print(file=sys.stderr)


def _steps(bar: Any, seconds: float) -> Tell:
    """Tells a bar like tqdm's how much has been added since the last time: seconds where they are limited, else
    iterations."""
    before: float = 0

    def tell(now: Info) -> None:
        nonlocal before
        here = round(min(now.seconds, seconds), 1) if seconds else now.iteration
        bar.update(here - before)
        before = here
        if hasattr(bar, "set_postfix_str"):
            bar.set_postfix_str(f"relative error {now.relative_error:.4g}")

    return tell
