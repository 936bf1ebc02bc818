"""Arguments as the library takes them, checked: numbers in their range, lists, texts, arrays."""

from __future__ import annotations

import math
import numbers
from os import PathLike, fspath
from typing import Any, Iterable, Optional, Sequence, Union

import numpy as np

from .errors import UsageError

Texts = Union[str, Sequence[str]]
LARGEST = 2**63 - 1


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def whole(name: str, value: Any, least: int = 0, most: int = LARGEST) -> int:
    """A whole number in its range."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise UsageError(f"{name} must be a whole number; got {_shown(value)}")
    if not least <= int(value) <= most:
        raise UsageError(f"{name} must be from {least} to {most}; got {int(value)}")
    return int(value)


def number(name: str, value: Any, least: float = -math.inf, most: float = math.inf) -> float:
    """A finite number in its range."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise UsageError(f"{name} must be a number; got {_shown(value)}")
    result = float(value)
    if not math.isfinite(result) or not least <= result <= most:
        wanted = "a finite number" if math.isinf(least) else f"from {least:g} to {most:g}"
        raise UsageError(f"{name} must be {wanted}; got {value}")
    return result


def optional_whole(name: str, value: Any, least: int = 0, most: int = LARGEST) -> Optional[int]:
    return None if value is None else whole(name, value, least, most)


def optional_number(name: str, value: Any, least: float = -math.inf, most: float = math.inf) -> Optional[float]:
    return None if value is None else number(name, value, least, most)


def one_of(name: str, value: Any, names: Iterable[str]) -> str:
    known = list(names)
    if not isinstance(value, str) or value not in known:
        raise UsageError(f"{name} must be one of {', '.join(known)}; got {_shown(value)}")
    return str(value)


def text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise UsageError(f"{name} must be a text (str); got {type(value).__name__}")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise UsageError(f"{name} holds half of a character (a lone surrogate), which no model can read") from None
    return value


def optional_text(name: str, value: Any) -> Optional[str]:
    return None if value is None else text(name, value)


def texts(name: str, value: Any) -> list[str]:
    """One text or several, as a list."""
    if isinstance(value, str):
        return [text(name, value)]
    if isinstance(value, (bytes, dict)) or not isinstance(value, Iterable):
        raise UsageError(f"{name} must be a text or a list of texts; got {type(value).__name__}")
    return [text(f"{name}[{k}]", entry) for k, entry in enumerate(value)]


def names(name: str, value: Any) -> list[str]:
    """A name or several; a list must not be empty."""
    result = value.split(",") if isinstance(value, str) else texts(name, value)
    if not result:
        raise UsageError(f"{name} names nothing")
    return result


def sizes(name: str, value: Any) -> list[int]:
    """None, a size or several."""
    if value is None:
        return []
    if isinstance(value, numbers.Integral):
        return [whole(name, value, 1)]
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise UsageError(f"{name} must be a whole number or several; got {_shown(value)}")
    result = [whole(name, int(entry) if isinstance(entry, np.integer) else entry, 1) for entry in value]
    if not result:
        raise UsageError(f"{name} names no size")
    return result


def token(value: Any) -> Optional[int]:
    """`first`, `all` (None) or a number from 0."""
    if isinstance(value, str):
        if value == "first":
            return 0
        if value == "all":
            return None
        raise UsageError(f"token must be 'first', 'all' or a number from 0; got {_shown(value)}")
    return whole("token", value)


def path(name: str, value: Any) -> str:
    """A path, or nothing."""
    if value is None:
        return ""
    if not isinstance(value, (str, PathLike)):
        raise UsageError(f"{name} must be a path; got {type(value).__name__}")
    return str(fspath(value))


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


def parameters(given: dict[str, Any]) -> dict[str, list[Any]]:
    """Those of maps: each a value, or a list of values that a study goes through."""
    result: dict[str, list[Any]] = {}
    for name, value in given.items():
        values = value if isinstance(value, (list, tuple, np.ndarray)) else [value]
        if len(values) == 0:
            raise UsageError(f"{name} names no value")
        result[name] = [_parameter(name, entry) for entry in values]
    return result


def _parameter(name: str, value: Any) -> Any:
    if isinstance(value, str):
        return text(name, value)
    if isinstance(value, numbers.Integral) and not isinstance(value, bool):
        return whole(name, value, -LARGEST)
    return number(name, value)


# Those that many functions share, with the ranges of the program.


def search(radius: Any, radius_unit: Any, starts: Any, steps: Any, tolerance: Any, seed: Any) -> dict[str, Any]:
    return {
        "radius": number("radius", radius, 0, 1e100),
        "radius_unit": one_of("radius_unit", radius_unit, ("sqrt-d", "token-norm", "abs")),
        "starts": optional_whole("starts", starts, 1, 100_000),
        "steps": whole("steps", steps, 1, 100_000_000),
        "tolerance": optional_number("tolerance", tolerance, 0, 1),
        "seed": whole("seed", seed),
    }


def output(layer_name: Any, rows: Any, prompt_name: Any, prompt: Any) -> dict[str, Any]:
    return {
        "layer": layer(layer_name),
        "rows": one_of("rows", rows, ("all", "last")),
        "prompt_name": optional_text("prompt_name", prompt_name),
        "prompt": optional_text("prompt", prompt),
    }
