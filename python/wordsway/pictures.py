"""HTML for notebooks and pages: coloured texts and tables. Charts are drawn by the library."""

from __future__ import annotations

from html import escape as escape
from typing import Any, Optional, Sequence

_STOPS = ((255, 255, 229), (254, 227, 145), (254, 153, 41), (204, 76, 2), (102, 37, 6))  # light to dark

_PAGE_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#222;background:#fff}"
    "table{border-collapse:collapse;font-size:13px}th,td{padding:.2em .7em;text-align:right}"
    "th{border-bottom:1px solid #8888}svg{max-width:100%;height:auto}"
    "@media (prefers-color-scheme: dark){body{color:#ddd;background:#1b1b1b}}"
)


def _colour(share: float) -> tuple[int, int, int]:
    place = min(max(share, 0.0), 1.0) * (len(_STOPS) - 1)
    low = min(int(place), len(_STOPS) - 2)
    return tuple(round(a + (place - low) * (b - a)) for a, b in zip(_STOPS[low], _STOPS[low + 1]))  # type: ignore


def _css(share: float) -> str:
    return "#%02x%02x%02x" % _colour(share)


def _ink(share: float) -> str:
    red, green, blue = _colour(share)
    return "#000" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#fff"


def page(title: str, body: str) -> str:
    """One page with everything in it."""
    return (
        "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{escape(title)}</title><style>{_PAGE_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


# Words.


def coloured_text(text: str, rows: Sequence[dict], key: str) -> str:
    """The text itself, the more a word matters the deeper its colour. Rows have begin and end, in characters.

    A change that keeps the meaning is noise, so the mean change by synonyms has no colour."""
    high = max((row[key] for row in rows if row.get(key) is not None), default=0.0)
    same = [row["synonym_change"] for row in rows if row.get("synonym_change") is not None]
    low = sum(same) / len(same) if same else 0.0
    result, done = "", 0
    for row in rows:
        value = row.get(key)
        share = max(0.0, (value - low) / (high - low)) if value is not None and high > low else 0.0
        shown = "no value" if value is None else f"{key} {value:.4g}"
        result += escape(text[done : row["begin"]])
        result += (
            f"<span title='{escape(shown, quote=True)}' style='background:{_css(0.8 * share)};color:{_ink(0.8 * share)};"
            f"border-radius:3px;padding:0 2px'>{escape(text[row['begin'] : row['end']])}</span>"
        )
        done = row["end"]
    return f"<p style='line-height:2;font-size:1.1em'>{result}{escape(text[done:])}</p>"


# Tables.


def table(rows: Sequence[dict], most: int = 60) -> str:
    """Rows for a page: four digits, the rest in the title of a cell; at most `most` of them."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(_cell(row.get(name)) for name in names) + "</tr>" for row in rows[:most])
    more = f"<p>… and {len(rows) - most} more rows</p>" if len(rows) > most else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(value: Any) -> str:
    if value is None:
        return "<td>–</td>"
    if isinstance(value, float):
        return f"<td title='{value!r}'>{value:.4g}</td>"
    if isinstance(value, list):
        value = " ".join(f"{entry:.4g}" if isinstance(entry, float) else str(entry) for entry in value[:8])
    align = " style='text-align:left'" if isinstance(value, str) else ""
    return f"<td{align}>{escape(str(value))}</td>"
