"""Asking a question by its name: what every function of _questions.py does."""

from __future__ import annotations

import functools
from typing import Any, Callable, Optional

from . import _arguments as check
from . import _core
from ._progress import Progress, reporting
from .errors import UsageError


@functools.lru_cache(maxsize=None)
def table() -> dict[str, dict[str, Any]]:
    """The questions by name, each with its keywords by name."""
    return {one["name"]: {**one, "fields": {field["name"]: field for field in one["fields"]}} for one in _core.questions()}


def default_of(field: dict[str, Any]) -> Any:
    """The default of a keyword; None where the library decides."""
    shown, kind = field["default"], field["kind"]
    if kind == "flag":
        return shown == "true"
    if shown == "":
        return None
    if kind in ("wholes", "numbers", "names"):
        one = {"wholes": int, "numbers": float, "names": str}[kind]
        entries = tuple(one(entry) for entry in shown.split(","))
        return entries[0] if len(entries) == 1 else entries
    return int(shown) if kind == "whole" else float(shown) if kind in ("number", "bytes") else shown


def _is_default(field: dict[str, Any], value: Any) -> bool:
    usual = default_of(field)
    if value is None:
        return True
    if isinstance(usual, tuple):
        return isinstance(value, (tuple, list)) and tuple(value) == usual
    return isinstance(value, (bool, int, float, str)) and type(value) is type(usual) and bool(value == usual)


def _taken(field: dict[str, Any], value: Any, models: dict[str, Any]) -> Any:
    from .model import Model

    name, kind = field["name"], field["kind"]
    if kind == "array":
        return check.array(name, value)
    if kind == "path":
        return check.path(name, value)
    if kind != "model":
        return check.plain(name, value)
    if not isinstance(value, Model):
        return check.path(name, value)
    native = value._native
    if not value._is_builtin:
        return native
    models["builtin"] = native  # by its name: questions treat the built-in model as such
    return "builtin"


def values_of(question: str, given: dict[str, Any]) -> tuple[dict[str, Any], Callable[..., Any]]:
    """What differs from the defaults, as the library takes it, and what opens models by their names."""
    if question not in table():
        raise UsageError(f"there is no question '{question}'; there are {', '.join(table())}")
    fields = table()[question]["fields"]
    models: dict[str, Any] = {}
    values = {name: _taken(fields[name], value, models) if name in fields else check.plain(name, value)
              for name, value in given.items() if name not in fields or not _is_default(fields[name], value)}  # fmt: skip

    def opened(name: str, device: str, precision: str) -> Any:
        from .model import builtin_model, load

        if name in models:
            return models[name]
        if name == "builtin" and device == "cpu":
            return builtin_model()._native
        return load(name, device=device, precision=precision)._native

    return values, opened


def answer(question: str, given: dict[str, Any], progress: Progress = None) -> Any:
    """The library's answer."""
    values, opened = values_of(question, given)
    with reporting(progress) as tell:
        return _core.ask(question, values, opened, tell)


def ask(question: str, progress: Progress = None, **values: Any) -> Any:
    """Asks any question by its name: ask("words", texts="turn it off", model=model). `questions()` lists them.

    The answer is a Result; those with a function of their own give what that function gives."""
    from .results import result_of

    return result_of(answer(question, values, progress))


def questions() -> dict[str, dict[str, Any]]:
    """Every question with its summary, its keywords (default, choices, help) and the keys of its rows."""
    return table()


def checked(question: str, given: dict[str, Any]) -> None:
    """Raises what asking would raise before anything is computed."""
    _core.check(question, values_of(question, given)[0])


class Growing:
    """The text of an answer while it grows."""

    def __init__(self, question: str, given: dict[str, Any]) -> None:
        values, opened = values_of(question, given)
        self._native: Optional[Any] = _core.GrowingAnswer(question, values, opened)

    def next(self) -> Optional[str]:
        return None if self._native is None else self._native.next()

    def rows(self) -> Optional[list[dict[str, Any]]]:
        return None if self._native is None else self._native.rows()

    def close(self) -> None:
        if self._native is not None and self._native.rows() is None:
            self._native.close()
            self._native = None
