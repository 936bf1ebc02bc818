"""Pairs of texts that an encoder should tell apart: audits of models, and of anything that embeds texts."""

from __future__ import annotations

from os import PathLike
from typing import Any, Callable, Iterable, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _arguments as check
from . import _core
from ._progress import Progress, reporting
from .errors import DataError, UsageError
from .model import Model
from .results import PairsAudit


class Pair(NamedTuple):
    """An anchor, a text in which a word turns the meaning, and what says the same in other words."""

    anchor: str
    changed: str
    control: Optional[str] = None
    class_name: Optional[str] = None


Embed = Union[Model, Callable[[list[str]], Any]]
Pairs = Union[None, str, "PathLike[str]", Iterable[Union[Pair, Sequence[Optional[str]], "dict[str, Any]"]]]


def builtin_pairs() -> list[Pair]:
    """The built-in set: 200 pairs of each of fourteen classes."""
    return [Pair(one.anchor, one.changed, one.control, one.class_name) for one in _core.builtin_pairs()]


def presets() -> list[tuple[str, str, float, str]]:
    """Thresholds of known caches: name, system, threshold, unit."""
    return list(_core.presets())


def _pair(number: int, given: Any) -> Any:
    if isinstance(given, dict):
        unknown = set(given) - {"anchor", "changed", "control", "class"}
        if unknown or "anchor" not in given or "changed" not in given:
            raise UsageError(f"pairs[{number}] must have anchor and changed, and may have control and class")
        given = (given["anchor"], given["changed"], given.get("control"), given.get("class"))
    if isinstance(given, (str, bytes)) or not isinstance(given, Sequence) or not 2 <= len(given) <= 4:
        raise UsageError(f"pairs[{number}] must be anchor, changed and perhaps control and class; got {given!r:.60}")
    parts = [*given, None, None][:4]
    for text in parts[:2]:
        if not check.text(f"pairs[{number}]", text):
            raise UsageError(f"pairs[{number}]: anchor and changed must not be empty")
    if parts[3] == "all":
        raise UsageError(f"pairs[{number}]: no class may be called 'all', which is what summaries are called")
    return _core.TextPair(parts[0], parts[1], *(check.optional_text(f"pairs[{number}]", text) for text in parts[2:]))


def _read(pairs: Pairs) -> tuple[str, list[Any]]:
    if pairs is None:
        return "builtin", list(_core.builtin_pairs())
    if isinstance(pairs, (str, PathLike)):
        path = check.path("pairs", pairs)
        if not path.split(".gz")[0].split(".xz")[0].endswith((".jsonl", ".ndjson", ".csv", ".tsv")):
            raise UsageError(f"'{path}': a file of pairs ends in .jsonl, .csv or .tsv")
        return path, list(_core.read_pairs(path))
    if not isinstance(pairs, Iterable):
        raise UsageError(f"pairs must be a list of pairs or a file; got {type(pairs).__name__}")
    found = [_pair(number, one) for number, one in enumerate(pairs)]
    if not found:
        raise UsageError("pairs holds no pair")
    return "pairs", found


def _vectors(embed: Callable[[list[str]], Any], texts: list[str]) -> np.ndarray:
    given = embed(texts)
    if isinstance(given, (list, tuple)) and given and not isinstance(given[0], (list, tuple, float, int)):
        given = np.stack([check.array(f"vector {k}", row, (1,)) for k, row in enumerate(given)])
    vectors = check.array("what embed returned", given)
    if vectors.ndim != 2 or len(vectors) != len(texts):
        raise DataError(
            f"embed was given {len(texts)} texts and must return an array [{len(texts)}, d]; its shape is {vectors.shape}"
        )
    return vectors


def pairs(
    embed: Embed,
    pairs: Pairs = None,
    *,
    threshold: Optional[float] = None,
    unit: Optional[str] = None,
    preset: Optional[str] = None,
    max_false_merges: Optional[float] = None,
    min_kept: Optional[float] = None,
    baseline: Optional[str] = None,
    prompt_name: Optional[str] = None,
    prompt: Optional[str] = None,
    progress: Progress = None,
) -> PairsAudit:
    """Does an encoder notice the word that turns the meaning?

    `embed` is a Model, or anything to call with a list of texts that returns an array [texts, d]: one call with every
    text once. `pairs` are (anchor, changed, control, class), a .jsonl or .csv file, or the built-in 2,800. A threshold
    has a unit (cosine, distance, score01, l2sq) or comes as a preset; without one, cosine 0.8 is taken. Rules
    (`max_false_merges`, `min_kept`, `baseline`) decide `.passed`."""
    if threshold is not None and preset is not None:
        raise UsageError("give threshold or preset, not both")
    if threshold is not None and unit is None:
        raise UsageError(f"threshold {threshold} of what? give unit: {', '.join(_core.unit_names())}")
    if unit is not None and threshold is None:
        raise UsageError("unit is that of threshold, which is not given")
    if not isinstance(embed, Model) and not callable(embed):
        raise UsageError(f"embed must be a Model or something to call with a list of texts; got {type(embed).__name__}")
    name, given = _read(pairs)
    arguments = _core.AuditArguments(
        name,
        check.optional_number("threshold", threshold),
        check.optional_text("unit", unit),
        check.optional_text("preset", preset),
        check.optional_number("max_false_merges", max_false_merges, 0, 1),
        check.optional_number("min_kept", min_kept, 0, 1),
        check.path("baseline", baseline) or None,
    )
    if isinstance(embed, Model):
        with reporting(progress) as tell:
            named, text = check.optional_text("prompt_name", prompt_name), check.optional_text("prompt", prompt)
            return PairsAudit(_core.audit_model(embed._native, given, arguments, named, text, tell))
    if prompt_name is not None or prompt is not None:
        raise UsageError("a prompt is for a Model; put it before the texts in embed instead")
    _core.check_audit(arguments)
    vectors = _vectors(embed, list(_core.distinct_texts(given)))
    return PairsAudit(_core.audit_vectors(vectors, given, arguments))
