"""An answer with every form made, so that results can be copied and pickled."""

from __future__ import annotations

import os
from typing import Any, Optional

from ._files import write
from .errors import UsageError

_VALUES = ("question", "rows", "parts", "part_texts", "part_arrays", "config", "fits", "details", "arrays", "remarks", "failure")


class KeptAnswer:
    """Stands in for `_core.Answer`, which makes its forms on demand."""

    def __init__(self, answer: Any) -> None:
        self._values: dict[str, Any] = {name: getattr(answer, name) for name in _VALUES}
        self._json: str = answer.json()
        self._csv: str = answer.csv()
        self._table: str = answer.table(100)
        self._documents: dict[str, str] = {name: answer.document(name) for name in answer.document_names}
        parts = [None, *range(len(self.parts))]
        self._pictures: dict[Optional[int], Optional[str]] = {part: answer.svg(part) for part in parts}

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
        return self._pictures[part]

    def write_chart(self, path: bytes, part: Optional[int]) -> bool:
        """Writes the picture as .svg; other formats need the answer itself."""
        picture = self._pictures[part]
        if picture is None:
            return False
        if not path.lower().endswith(b".svg"):
            raise UsageError(f"a result that was pickled saves its picture as .svg; got '{os.fsdecode(path)}'")
        write(os.fsdecode(path), picture)
        return True

    def document(self, name: str) -> str:
        return self._documents[name]
