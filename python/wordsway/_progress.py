"""A bar for calls that take long: tqdm's, where it is installed, or whatever the caller gives."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import Any, Callable, Iterator, Optional, Union

from .errors import UsageError

# progress(stage, done, total); True: a bar at once; False: none; None: a bar where people look, after a second.
Progress = Union[None, bool, Callable[[str, float, float], Any]]

_PATIENCE = 1.0  # seconds


def _has_viewer() -> bool:
    if "ipykernel" in sys.modules:
        return True
    return bool(getattr(sys.stderr, "isatty", lambda: False)())


class _Bar:
    def __init__(self, patience: float) -> None:
        self._begin = time.monotonic() + patience
        self._bar: Any = None
        self._stage = ""

    def __call__(self, stage: str, done: float, total: float) -> None:
        if time.monotonic() < self._begin:
            return
        if self._bar is None or stage != self._stage:
            from tqdm.auto import tqdm

            self.close()
            self._stage = stage
            self._bar = tqdm(total=total or None, desc=stage, leave=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self._bar = None


def _has_tqdm() -> bool:
    import importlib.util

    return importlib.util.find_spec("tqdm") is not None


@contextlib.contextmanager
def reporting(progress: Progress) -> Iterator[Optional[Callable[[str, float, float], Any]]]:
    """What a binding calls every 50 ms at most; None where nobody listens."""
    if progress is False or (progress is None and not _has_viewer()):
        yield None
    elif progress is None or progress is True:
        if not _has_tqdm():
            yield None
            return
        bar = _Bar(0 if progress is True else _PATIENCE)
        try:
            yield bar
        finally:
            bar.close()
    elif callable(progress):
        yield progress
    else:
        raise UsageError("progress must be True, False, None or something to call with (stage, done, total)")
