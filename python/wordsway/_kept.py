"""An answer with every form made, so that results can be copied and pickled."""

from __future__ import annotations

from typing import Any, Optional

from .errors import UsageError

_VALUES = ("question", "rows", "parts", "part_texts", "part_arrays", "config", "fits", "details", "arrays", "remarks", "failure")


class KeptAnswer:
    """Stands in for `_core.Answer`, which makes its forms on demand."""

    def __init__(self, answer: Any) -> None:
        self._values: dict[str, Any] = {name: getattr(answer, name) for name in _VALUES}
        self._json: str = answer.json()
        self._csv: str = answer.csv()
        self._table: str = answer.table(100)
        parts = (None, *range(len(answer.parts)))
        self._svgs: dict[Optional[int], Optional[str]] = {part: answer.svg(part) for part in parts}
        self._pictures = {(kind, part): answer.picture(kind, part) for kind in (".svg", ".tex") for part in parts}
        self._documents: dict[str, str] = {name: answer.document(name) for name in answer.document_names}

    def __getattr__(self, name: str) -> Any:
        if name in _VALUES:
            return self.__dict__["_values"][name]
        raise AttributeError(name)

    def json(self) -> str:
        return self._json

    def csv(self) -> str:
        return self._csv

    def table(self, width: int) -> str:
        del width  # made for the width that results use
        return self._table

    def svg(self, part: Optional[int]) -> Optional[str]:
        return self._svgs[part]

    def picture(self, ending: str, part: Optional[int]) -> Optional[bytes]:
        if (ending, part) not in self._pictures:
            raise UsageError(f"a result that was pickled saves its picture as .svg or .tex, not {ending}")
        return self._pictures[ending, part]

    def document(self, name: str) -> str:
        return self._documents[name]
