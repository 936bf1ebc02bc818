"""Arguments as the library takes them: Python's own numbers, texts and lists, arrays of doubles, paths as texts."""

from __future__ import annotations

import numbers
import os
from typing import Any, Iterable, Optional, Sequence, Union

import numpy as np

from .errors import UsageError

Texts = Union[str, Sequence[str]]
Path = Union[str, "os.PathLike[str]"]
LARGEST = 2**63 - 1


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except ValueError:  # Python refuses to print whole numbers of more than 4,300 digits
        return "a number of thousands of digits"
    return text if len(text) <= 60 else text[:57] + "..."


def whole(name: str, value: Any, least: int = 0, most: int = LARGEST) -> int:
    """A whole number in its range."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise UsageError(f"{name} must be a whole number; got {_shown(value)}")
    if not least <= int(value) <= most:
        raise UsageError(f"{name} must be from {least} to {most}; got {_shown(int(value))}")
    return int(value)


def text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise UsageError(f"{name} must be a text (str); got {type(value).__name__}")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise UsageError(f"{name} holds half of a character (a lone surrogate), which no model can read") from None
    return str(value)


def optional_text(name: str, value: Any) -> Optional[str]:
    return None if value is None else text(name, value)


def texts(name: str, value: Any) -> list[str]:
    """One text or several, as a list."""
    if isinstance(value, str):
        return [text(name, value)]
    if isinstance(value, (bytes, dict)) or not isinstance(value, Iterable):
        raise UsageError(f"{name} must be a text or a list of texts; got {type(value).__name__}")
    return [text(f"{name}[{k}]", entry) for k, entry in enumerate(value)]


def path(name: str, value: Any) -> bytes:
    """A path as the system takes it: names of files need not be UTF-8."""
    if not isinstance(value, (str, os.PathLike)):
        raise UsageError(f"{name} must be a path; got {type(value).__name__}")
    try:
        found = os.fsencode(value)
    except UnicodeEncodeError:
        raise UsageError(f"{name} holds half of a character (a lone surrogate), which no file's name can hold") from None
    if b"\0" in found:
        raise UsageError(f"{name} holds a NUL character, which no file's name can hold; got {_shown(os.fspath(value))}")
    return found


def layer(value: Any) -> str:
    """A layer by number or by name."""
    if isinstance(value, numbers.Integral) and not isinstance(value, bool):
        return str(int(value))
    return text("layer", value)


def array(name: str, value: Any, dimensions: Optional[Sequence[int]] = None) -> np.ndarray:
    """Anything with __array__ or DLPack, tensors and lists, as doubles. Copies only what is not double and in order."""
    if hasattr(value, "detach"):  # a tensor that may have a gradient, or be on another device
        value = value.detach()
        value = value.cpu() if hasattr(value, "cpu") else value
    for part in value if isinstance(value, (list, tuple)) else [value]:
        if isinstance(part, np.ma.MaskedArray) and np.ma.is_masked(part):
            raise UsageError(f"{name} has masked entries, which have no value; fill them or leave their rows out")
    try:
        if not hasattr(value, "__array__") and hasattr(value, "__dlpack__"):
            value = np.from_dlpack(value)
        found = np.asarray(value)
    except Exception as error:
        raise UsageError(f"{name} must be an array of numbers: {error}") from None
    if found.dtype.kind not in "fiu":
        raise UsageError(f"{name} must be an array of real numbers; its type is {found.dtype}")
    if dimensions is not None and found.ndim not in dimensions:
        wanted = " or ".join(str(count) for count in dimensions)
        raise UsageError(f"{name} must have {wanted} dimensions; it has {found.ndim}, shape {found.shape}")
    if found.size == 0:
        raise UsageError(f"{name} holds no numbers: its shape is {found.shape}")
    return np.ascontiguousarray(found, dtype=np.float64)


def optional_array(name: str, value: Any, dimensions: Optional[Sequence[int]] = None) -> Optional[np.ndarray]:
    return None if value is None else array(name, value, dimensions)


def plain(name: str, value: Any) -> Any:
    """A value of any other kind: NumPy's numbers as Python's, a sequence as a list. The library checks the rest."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, str):
        return text(name, value)
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        try:
            return float(value)
        except OverflowError:
            raise UsageError(f"{name} is a number too large for a double; got {_shown(value)}") from None
    if isinstance(value, (bytes, dict)) or not isinstance(value, Iterable):
        raise UsageError(f"{name} must be a number, a text or a list of them; got {type(value).__name__}")
    return [plain(name, entry) for entry in value]
