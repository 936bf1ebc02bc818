"""Pairs of texts that an encoder should tell apart: audits of models, and of anything that embeds texts."""

from __future__ import annotations

import json
from os import PathLike, fsdecode
from typing import Any, Callable, Iterable, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _arguments as check
from . import _core
from ._ask import answer, checked
from ._progress import Progress
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
    return [Pair(*one) for one in _core.builtin_pairs()]


def presets() -> list[tuple[str, str, float, str]]:
    """Thresholds of known caches: name, system, threshold, unit."""
    return list(_core.presets())


def _pair(number: int, given: Any) -> Pair:
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
    return Pair(parts[0], parts[1], *(check.optional_text(f"pairs[{number}]", text) for text in parts[2:]))


def _read(pairs: Pairs) -> tuple[dict[str, Any], list[Pair]]:
    """What the library is asked about, and the pairs."""
    if pairs is None:
        return {}, builtin_pairs()
    if isinstance(pairs, (str, PathLike)):
        path = check.path("pairs", pairs)
        if not path.split(b".gz")[0].split(b".xz")[0].endswith((b".jsonl", b".ndjson", b".csv", b".tsv")):
            raise UsageError(f"'{fsdecode(path)}': a file of pairs ends in .jsonl, .csv or .tsv")
        found = [Pair(*one) for one in _core.read_pairs(path)]
        try:
            return {"pairs": path.decode("utf-8")}, found
        except UnicodeDecodeError:  # no text can name the file, so its pairs are handed over
            return _content(found), found
    if not isinstance(pairs, Iterable):
        raise UsageError(f"pairs must be a list of pairs or a file; got {type(pairs).__name__}")
    found = [_pair(number, one) for number, one in enumerate(pairs)]
    if not found:
        raise UsageError("pairs holds no pair")
    return _content(found), found


def _content(found: list[Pair]) -> dict[str, Any]:
    lines = [{"anchor": one.anchor, "changed": one.changed, **({"control": one.control} if one.control is not None else {}),
              **({"class": one.class_name} if one.class_name is not None else {})} for one in found]  # fmt: skip
    content = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    return {"content": content, "format": "jsonl", "content_name": "pairs"}


def _vectors(embed: Callable[[list[str]], Any], texts: list[str]) -> np.ndarray:
    asked = list(texts)
    given = embed(asked)
    if asked != texts:
        raise DataError("embed changed the list of texts it was given, so its vectors may be in another order; sort a copy")
    if isinstance(given, (list, tuple)) and given and not isinstance(given[0], (list, tuple, float, int)):
        given = np.stack([check.array(f"vector {k}", row, (1,)) for k, row in enumerate(given)])
    vectors = check.array("what embed returned", given)
    if vectors.ndim != 2 or len(vectors) != len(texts):
        raise DataError(
            f"embed was given {len(texts)} texts and must return an array [{len(texts)}, d]; its shape is {vectors.shape}"
        )
    return vectors


def pairs(embed: Embed, pairs: Pairs = None, *, progress: Progress = None, **options: Any) -> PairsAudit:
    """Does an encoder notice the word that turns the meaning?

    `embed` is a Model, or anything to call with a list of texts that returns an array [texts, d]: one call with every
    text once. `pairs` are (anchor, changed, control, class), a .jsonl or .csv file, or the built-in 2,800. A
    threshold has a unit (cosine, distance, score01, l2sq) or comes as a preset; without one, cosine 0.8 is taken.
    Rules (`max_false_merges`, `min_kept`, `baseline`) decide `.passed`. Options are the keywords of
    wordsway._questions.pairs."""
    if not isinstance(embed, Model) and not callable(embed):
        raise UsageError(f"embed must be a Model or something to call with a list of texts; got {type(embed).__name__}")
    if options.get("preset") is not None and (options.get("threshold") is not None or options.get("unit") is not None):
        raise UsageError("give threshold or preset, not both")
    asked, given = _read(pairs)
    asked.update(options)
    if isinstance(embed, Model):
        return PairsAudit(answer("pairs", {"model": embed, **asked}, progress))
    if options.get("prompt_name") is not None or options.get("prompt") is not None:
        raise UsageError("a prompt is for a Model; put it before the texts in embed instead")
    checked("pairs", asked)  # before others are asked to embed thousands of texts
    vectors = _vectors(embed, list(_core.distinct_texts([tuple(one) for one in given])))
    return PairsAudit(answer("pairs", {"vectors": vectors, **asked}, progress))
