"""What calls give back: rows with the program's keys, NumPy arrays, tables, pictures."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import Any, Iterator, Optional, Sequence, Union

import numpy as np

from . import _arguments as check
from . import _core, pictures
from ._files import write
from ._kept import KeptAnswer
from .errors import UsageError


def _array(values: Sequence[Any]) -> np.ndarray:
    """A column: missing numbers are NaN; what is no number stays what it is."""
    kinds = {type(value) for value in values}
    if kinds <= {int} or kinds <= {bool}:
        return np.array(values)
    if kinds <= {int, float, type(None)}:
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    result = np.empty(len(values), dtype=object)
    result[:] = values
    return result


_CLASSES: dict[str, type["Result"]] = {}


def result_of(answer: Any) -> "Result":
    """What an answer is shown as: the class of its question, or Result itself."""
    return _CLASSES.get(answer.question, Result)(answer)


class Result:
    """Rows (`.rows`, dicts with the program's keys), each key also a NumPy array: `result.sensitivity`.

    Prints as a table, shows as a page in a notebook; `.to_dict()`, `.to_pandas()`,
    `.save("x.svg|pdf|png|tex|json|csv|html")`."""

    title = "wordsway"

    def __init_subclass__(cls, question: Optional[str] = None, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        if question is not None:
            _CLASSES[question] = cls

    def __init__(self, answer: Any = None, rows: Optional[list[dict[str, Any]]] = None) -> None:
        self._answer = answer
        self._drawn: tuple[Any, Optional[int]] = (answer, None)  # whose chart this has: an answer's, or that of one of its parts
        self.rows: list[dict[str, Any]] = list(answer.rows) if rows is None else rows
        self.remarks: list[str] = [] if answer is None else [_core.in_python(remark) for remark in answer.remarks]
        self.config: dict[str, Any] = {} if answer is None else answer.config

    # Copies share the library's answer, which never changes; a pickle has every form that results show.
    def __copy__(self) -> "Result":
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> "Result":
        twin = type(self).__new__(type(self))
        for name, value in self.__dict__.items():
            twin.__dict__[name] = value if name in ("_answer", "_drawn") else copy.deepcopy(value, memo)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        kept = KeptAnswer(self._answer) if isinstance(self._answer, _core.Answer) else self._answer
        drawn, part = self._drawn
        if isinstance(drawn, _core.Answer):
            drawn = kept if drawn is self._answer else KeptAnswer(drawn)
        return {**self.__dict__, "_answer": kept, "_drawn": (drawn, part)}

    def column(self, name: str) -> np.ndarray:
        """The values of a key, one for each row; missing numbers are NaN."""
        if not any(name in row for row in self.rows):
            known = ", ".join(dict.fromkeys(key for row in self.rows for key in row))
            raise UsageError(f"no row has '{name}'; there are {known or 'no rows'}")
        return _array([row.get(name) for row in self.rows])

    def __getattr__(self, name: str) -> np.ndarray:
        rows = self.__dict__.get("rows", [])
        if not name.startswith("_") and any(name in row for row in rows):
            return self.column(name)
        raise AttributeError(f"{type(self).__name__} has no '{name}'")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(key for row in self.rows for key in row)})

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def to_dict(self) -> dict[str, Any]:
        """Everything, with the keys of the program's JSON."""
        return {**({"config": self.config} if self.config else {}), "rows": self.rows}

    def to_pandas(self) -> Any:
        """The rows as a pandas.DataFrame."""
        import pandas

        return pandas.DataFrame(self.rows)

    # For people.

    def _table(self) -> str:
        if self._answer is None:
            return str(_core.format_rows(self.rows, "table"))
        return str(self._answer.table(100))

    def __repr__(self) -> str:
        return (self._table() + "".join(f"({remark})\n" for remark in self.remarks)).rstrip("\n")

    def _svg(self) -> Optional[str]:
        """The picture, where there is one."""
        answer, part = self._drawn
        return None if answer is None else answer.svg(part)

    def _picture(self, ending: str) -> bytes:
        """The picture as the bytes of a file."""
        answer, part = self._drawn
        picture = None if answer is None else answer.picture(ending, part)
        if picture is None:
            raise UsageError(f"there is no picture of this {type(self).__name__}; save it as .html, .json or .csv")
        return bytes(picture)

    def _body(self) -> str:
        return (self._svg() or "") + pictures.table(self.rows)

    def _repr_html_(self) -> str:
        remarks = "".join(f"<p style='opacity:.75'>{pictures.escape(remark)}</p>" for remark in self.remarks)
        return f"<div style='overflow-x:auto'>{self._body()}{remarks}</div>"

    def _csv(self) -> str:
        return str(_core.format_rows(self.rows, "csv") if self._answer is None else self._answer.csv())

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the picture (.svg, .pdf, .png or .tex), a page (.html) or the rows (.json or .csv), as the name ends."""
        name = os.fsdecode(check.path("path", path))
        kind = Path(name).suffix.lower()
        if kind == ".json":
            text = json.dumps(self.to_dict(), ensure_ascii=False, indent=1, default=_plain) + "\n"
        elif kind == ".csv":
            text = self._csv()
        elif kind == ".html":
            text = self._page()
        elif kind in (".svg", ".pdf", ".png", ".tex"):
            return write(name, self._picture(kind))
        else:
            raise UsageError(f"'{name}' must end in .svg, .pdf, .png, .tex, .html, .json or .csv")
        write(name, text.encode())

    def _page(self) -> str:
        return pictures.page(self.title, f"<h1>{pictures.escape(self.title)}</h1>{self._repr_html_()}")


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} has no JSON")


class Maps(Result):
    """The feature maps there are."""

    title = "Feature maps"

    def __init__(self, entries: list[dict[str, Any]]) -> None:
        rows = [{"name": one["name"], "summary": one["summary"], "random": one["random"],
                 "parameters": [parameter["name"] for parameter in one["parameters"]]} for one in entries]  # fmt: skip
        super().__init__(rows=rows)
        self._entries = {one["name"]: one for one in entries}

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __getitem__(self, name: str) -> dict[str, Any]:
        """One map: summary, parameters with their ranges and defaults, ways to hold weights, its page."""
        _core.check_map(name)
        return self._entries[name]


class Tokens:
    """A text as a model reads it: `ids`, `tokens` as in the vocabulary, `offsets` [n, 2] in characters of the text,
    `word_ids` (None for tokens that the template adds)."""

    def __init__(self, text: str, rows: list[dict[str, Any]]) -> None:
        self.text = text
        self.ids: np.ndarray = np.array([row["id"] for row in rows], dtype=np.int64)
        self.tokens: list[str] = [row["piece"] for row in rows]
        self.offsets: np.ndarray = np.array([(row["begin"], row["end"]) for row in rows], dtype=np.int64).reshape(-1, 2)
        self.word_ids: list[Optional[int]] = [row["word"] for row in rows]

    def __len__(self) -> int:
        return len(self.tokens)

    def to_dict(self) -> dict[str, Any]:
        """The keys of `wordsway tokenize`."""
        return {"ids": self.ids.tolist(), "pieces": self.tokens, "words": self.word_ids,
                "offsets": self.offsets.tolist()}  # fmt: skip

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [
            {"token": k, "id": int(self.ids[k]), "piece": self.tokens[k], "word": self.word_ids[k],
             "begin": int(self.offsets[k, 0]), "end": int(self.offsets[k, 1])}
            for k in range(len(self))
        ]  # fmt: skip

    def to_pandas(self) -> Any:
        import pandas

        return pandas.DataFrame(self.rows)

    def __repr__(self) -> str:
        return str(_core.format_rows(self.rows, "table")).rstrip("\n")


class Words(Result, question="words"):
    """Which words of a text matter. A row a word: word, sensitivity, typical, worst_word, worst_change, synonym,
    synonym_change, antonym, antonym_change, dropped, token, tokens, begin, end; of pooled vectors cosines too.

    `.noticed` says in how many words the opposite moved the model less than the synonym."""

    title = "Which words matter"

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "noticed": self.noticed}

    @property
    def noticed(self) -> dict[str, Any]:
        return json.loads(self._answer.json())["noticed"]

    def _body(self) -> str:
        result = ""
        for text, rows in zip(self._answer.part_texts, self._answer.parts):
            result += pictures.coloured_text(text, rows, "typical") + pictures.table(rows)
        return result


class Substitutions(Result, question="substitute"):
    """Replacements of words: word, token, replacement, change, cosine, plausibility, relation, screened_rank; with a
    threshold, one row for each word: the most harmful swap within it."""

    title = "Words that could stand there"


class Attention(Result, question="attention"):
    """Where tokens look. Of one text: `attention` [n, n], `attention_after` where a token moved, `tokens`; or `array`
    [layers, heads, n, n]. Of several: `results`, one of these for each."""

    title = "Attention"

    def __init__(self, answer: Any = None, entries: Optional[list[dict[str, Any]]] = None) -> None:
        if entries is None:
            found = json.loads(answer.json())
            entries = found if isinstance(found, list) else [found]
            for entry, arrays in zip(entries, answer.part_arrays):
                entry.update(arrays)
        self._entries = entries
        self.array: Optional[np.ndarray] = None
        super().__init__(answer, [])
        if len(entries) == 1:
            self._drawn = (answer, 0)
            one = entries[0]
            self.text: str = one["text"]
            self.tokens: list[str] = list(one["pieces"])
            self.layer, self.head = one["layer"], one["head"]
            if one["attention"].ndim == 4:
                self.array = one["attention"].astype(np.float32)
            else:
                self.attention: np.ndarray = one["attention"]
                self.attention_after: Optional[np.ndarray] = one.get("attention_after")
        self.rows = [row for number, one in enumerate(entries) if one["attention"].ndim == 2
                     for row in _looks(number, one)]  # fmt: skip

    @property
    def results(self) -> list["Attention"]:
        each = [Attention(entries=[one]) for one in self._entries]
        for number, one in enumerate(each):
            one._drawn = (self._drawn[0], number if len(each) > 1 else self._drawn[1])
        return each

    def to_dict(self) -> dict[str, Any]:
        if self.array is not None:
            return {**self._entries[0], "attention": self.array.tolist()}
        plain = [{key: _listed(value) for key, value in one.items()} for one in self._entries]
        return plain[0] if len(plain) == 1 else {"texts": plain}

    def _table(self) -> str:
        if self.array is not None:
            return f"attention of {len(self.tokens)} tokens, [layers, heads, tokens, tokens] = {self.array.shape}\n"
        text = ""
        for one in self._entries:
            if one["attention"].ndim == 4:
                text += f"{one['text']}\n[layers, heads, tokens, tokens] = {one['attention'].shape}\n"
                continue
            labels = list(one["pieces"])
            square = [{"looks at →": labels[j], **{f"{m} {label}": round(float(value), 3)
                       for m, (label, value) in enumerate(zip(labels, row))}}
                      for j, row in enumerate(one["attention"])]  # fmt: skip
            text += f"{one['text']}\n{_core.format_rows(square, 'table')}\n"
        return text

    def _body(self) -> str:
        if len(self._entries) == 1:
            return self._svg() or ""
        return "".join(f"<p>{pictures.escape(one.text)}</p>{one._body()}" for one in self.results)


def _listed(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _looks(number: int, one: dict[str, Any]) -> Iterator[dict[str, Any]]:
    after = one.get("attention_after")
    for j, query in enumerate(one["pieces"]):
        for m, key in enumerate(one["pieces"]):
            row = {"text": number, "query": j, "query_piece": query, "key": m, "key_piece": key,
                   "attention": float(one["attention"][j, m])}  # fmt: skip
            if after is not None:
                row["attention_after"] = float(after[j, m])
            yield row


class Layers(Result, question="layers"):
    """How far one moved token changes every layer: direction, layer, token, piece, change, deviation."""

    title = "Change of every layer"

    def __init__(self, answer: Any) -> None:
        super().__init__(answer)
        details = answer.details
        self.text: str = details["text"]
        self.tokens: list[str] = list(details["pieces"])
        self.moved: int = details["token"]


def _number(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")


class _WithMove(Result):
    """Rows of a study; `delta` is the move that was found, where there is one row."""

    def __init__(self, answer: Any) -> None:
        super().__init__(answer)
        self.fits: list[dict[str, Any]] = list(answer.fits)
        self.delta: Optional[np.ndarray] = answer.arrays.get("delta")

    def to_dict(self) -> dict[str, Any]:
        return {"config": self.config, "rows": self.rows, "fits": self.fits}


class Measurement(_WithMove, question="measure"):
    """Word sensitivities, a row a trial: map, n, d, …, sensitivity, upper_bound, … . `fits` are exponents of S against
    n; `delta` is the move that was found, where there is one row."""

    title = "Word sensitivity"

    def _body(self) -> str:
        fits = "".join(
            f"<p>{pictures.escape(str(fit.get('map', '')))}: S scales as n<sup>{_number(fit['exponent'])}</sup> "
            f"(95%: {_number(fit['exponent_low'])} to {_number(fit['exponent_high'])})</p>"
            for fit in self.fits
        )
        return (self._svg() or "") + fits + pictures.table(self.rows, 12)


class Generalization(_WithMove, question="generalize"):
    """Errors after a one-word change that should flip the label: map, n, d, train_size, trial, …, training, objective,
    gamma, error, alignment, … . `delta` is the move, where there is one row."""

    title = "Learning that one word flips the label"


class PairsAudit(Result, question="pairs"):
    """Pairs and a threshold: a row a pair, `classes` (a summary of each), `passed` (None without rules), `verdict`."""

    title = "Does the encoder notice the word?"

    def __init__(self, answer: Any) -> None:
        super().__init__(answer)
        self._found: dict[str, Any] = dict(json.loads(answer.json()))
        self.classes: list[dict[str, Any]] = self._found.get("classes", [])
        self.verdict: dict[str, Any] = self._found.get("verdict", {})
        self.passed: Optional[bool] = self.verdict.get("passed")
        self.failures: str = answer.failure
        self.threshold: str = self._found.get("config", {}).get("threshold", "")

    def to_dict(self) -> dict[str, Any]:
        return self._found

    def raise_if_failed(self) -> None:
        """For tests: AssertionError with the sentences of broken rules."""
        if self.passed is False:
            raise AssertionError(self.failures)

    def _body(self) -> str:
        advice = "".join(f"<p>{pictures.escape(line)}</p>" for line in self.verdict.get("recommendation", []))
        return (self._svg() or "") + advice + pictures.table(self.classes)

    def _page(self) -> str:
        return str(self._answer.document("html"))

    def to_junit(self) -> str:
        """JUnit XML: one suite for each class."""
        return str(self._answer.document("junit"))


class Answers(Result, question="answers"):
    """Two answers: `a`, `b` (as `generate` gives them), `words` that differ, `first_difference`, `divergence` [steps]."""

    title = "Two answers"

    def __init__(self, answer: Any) -> None:
        super().__init__(answer)
        self._found: dict[str, Any] = json.loads(answer.json())
        self.a: dict[str, Any] = self._found["a"]
        self.b: dict[str, Any] = self._found["b"]
        self.words: list[str] = self._found["words"]
        self.first_difference: Optional[int] = self._found["first_difference"]
        self.divergence: np.ndarray = np.array(
            [np.nan if value is None else value for value in self._found["divergence"]], dtype=np.float64)  # fmt: skip
        self.tokens_a: list[str] = answer.details["tokens_a"]
        self.tokens_b: list[str] = answer.details["tokens_b"]
        self.prompts: tuple[str, ...] = tuple(answer.details["prompts"])
        self.model: str = self.config["model"]

    def to_dict(self) -> dict[str, Any]:
        return dict(self._found)

    def __repr__(self) -> str:
        part = "the answers are the same" if self.first_difference is None else f"they part at step {self.first_difference}"
        lines = [f"{prompt!r}\n  → {answer['text']!r}" for prompt, answer in zip(self.prompts, (self.a, self.b))]
        return "\n".join(lines) + f"\nwords: {', '.join(self.words)}; {part}"

    def _body(self) -> str:
        answers = "".join(
            f"<p>{pictures.escape(prompt)}<b>{pictures.escape(answer['text'])}</b></p>"
            for prompt, answer in zip(self.prompts, (self.a, self.b))
        )
        return answers + (self._svg() or "")
