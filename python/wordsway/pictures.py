"""Pictures as SVG and HTML, drawn here: nothing else has to be installed.

Text and axes have the colour of what is around them (currentColor), so that pictures are readable on light and dark
pages; cells have colours of their own. Colours go from light to dark along one scale that colour-blind people see."""

from __future__ import annotations

import math
from html import escape as escape
from typing import Any, Optional, Sequence

_STOPS = ((255, 255, 229), (254, 227, 145), (254, 153, 41), (204, 76, 2), (102, 37, 6))  # light to dark
_CURVES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999")
_MAPS = {"raf": "#0072b2", "raf-relu": "#c04f00", "rf": "#00805d", "drf": "#a8487f"}  # in all charts of wordsway
_FONT = "font-family='system-ui, sans-serif' font-size='12'"

_FILE_STYLE = (
    "<style>.wordsway{color:#222;background:#fff}"
    "@media (prefers-color-scheme: dark){.wordsway{color:#ddd;background:#1b1b1b}}</style>"
)
_PAGE_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#222;background:#fff}"
    "table{border-collapse:collapse;font-size:13px}th,td{padding:.2em .7em;text-align:right}"
    "th{border-bottom:1px solid #8888}svg{max-width:100%;height:auto}"
    "@media (prefers-color-scheme: dark){body{color:#ddd;background:#1b1b1b}}"
)


def _number(value: float) -> str:
    return f"{value:.6g}"


def _colour(share: float) -> tuple[int, int, int]:
    place = min(max(share, 0.0), 1.0) * (len(_STOPS) - 1)
    low = min(int(place), len(_STOPS) - 2)
    return tuple(round(a + (place - low) * (b - a)) for a, b in zip(_STOPS[low], _STOPS[low + 1]))  # type: ignore


def _curve_colour(label: str, number: int) -> str:
    return _MAPS.get(label, _CURVES[number % len(_CURVES)])


def _css(share: float) -> str:
    return "#%02x%02x%02x" % _colour(share)


def _ink(share: float) -> str:
    red, green, blue = _colour(share)
    return "#000" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#fff"


def _text(x: float, y: float, text: Any, anchor: str = "start", more: str = "") -> str:
    return f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' fill='currentColor' {more}>{escape(str(text))}</text>"


def _svg(width: float, height: float, parts: Sequence[str], title: str) -> str:
    return (
        f"<svg class='wordsway' xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width:.0f} {height:.0f}' "
        f"width='{width:.0f}' height='{height:.0f}' role='img' aria-label='{escape(title, quote=True)}' {_FONT}>"
        + "".join(parts)
        + "</svg>"
    )


def standalone(svg: str) -> str:
    """A picture as a file of its own."""
    head, rest = svg.split(">", 1)
    return f"{head}>{_FILE_STYLE}{rest}\n"


def page(title: str, body: str) -> str:
    """One page with everything in it."""
    return (
        "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{escape(title)}</title><style>{_PAGE_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _short(text: str, most: int = 24) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


# Words.


def coloured_text(text: str, rows: Sequence[dict], key: str) -> str:
    """The text itself, the more a word matters the deeper its colour. Rows have begin and end, in characters."""
    values = [row[key] for row in rows if row.get(key) is not None]
    low, high = (min(values), max(values)) if values else (0.0, 0.0)
    result, done = "", 0
    for row in rows:
        value = row.get(key)
        share = (value - low) / (high - low) if value is not None and high > low else 0.0
        shown = "no value" if value is None else f"{key} {value:.4g}"
        result += escape(text[done : row["begin"]])
        result += (
            f"<span title='{escape(shown, quote=True)}' style='background:{_css(0.8 * share)};color:{_ink(0.8 * share)};"
            f"border-radius:3px;padding:0 2px'>{escape(text[row['begin'] : row['end']])}</span>"
        )
        done = row["end"]
    return f"<p style='line-height:2;font-size:1.1em'>{result}{escape(text[done:])}</p>"


def bars(title: str, axis: str, labels: Sequence[str], values: Sequence[Optional[float]], notes: Sequence[str]) -> str:
    """A bar for each label, with its value and a note behind it."""
    height, top, left, room = 22, 34, 150, 360
    most = max([value for value in values if value is not None], default=0.0) or 1.0
    parts = [_text(8, 20, title, more="font-weight='bold'")]
    for k, (label, value, note) in enumerate(zip(labels, values, notes)):
        y = top + k * height
        parts.append(_text(left - 8, y + 15, _short(label), "end"))
        if value is not None:
            share = value / most
            parts.append(f"<rect x='{left}' y='{y + 3}' width='{max(share, 0) * room:.1f}' height='{height - 6}' "
                         f"fill='{_css(0.35 + 0.4 * share)}' stroke='currentColor' stroke-opacity='.3'/>")  # fmt: skip
        shown = "–" if value is None else f"{value:.3g}"
        parts.append(_text(left + max((value or 0) / most, 0) * room + 6, y + 15, f"{shown}  {_short(note, 32)}"))
    bottom = top + len(labels) * height
    parts.append(_text(left, bottom + 16, axis, more="opacity='.75'"))
    return _svg(left + room + 260, bottom + 26, parts, title)


# Squares.


def squares(title: str, labels: Sequence[str], panels: Sequence[tuple[str, Any]]) -> str:
    """Matrices side by side, [n, n] each; rows look at columns."""
    n = len(labels)
    cell = max(6.0, min(26.0, 460.0 / max(n, 1)))
    left, top, gap = 112.0, 128.0, 60.0
    side = n * cell
    step = max(1, math.ceil(13 / cell))  # labels that would cover each other are left out
    parts = [_text(8, 20, title, more="font-weight='bold'")]
    for p, (name, matrix) in enumerate(panels):
        x0 = left + p * (side + gap)
        parts.append(_text(x0, top + side + 20, name))
        most = float(max((float(value) for row in matrix for value in row), default=0.0)) or 1.0
        for j in range(n):
            if p == 0 and j % step == 0:
                parts.append(_text(x0 - 6, top + (j + 0.5) * cell + 4, _short(labels[j], 14), "end"))
            if j % step == 0:
                x, y = x0 + (j + 0.5) * cell + 4, top - 6
                parts.append(_text(x, y, _short(labels[j], 14), more=f"transform='rotate(-60 {x:.1f} {y:.1f})'"))
            for m in range(n):
                value = float(matrix[j][m])
                if value <= 0:
                    continue
                parts.append(
                    f"<rect x='{x0 + m * cell:.1f}' y='{top + j * cell:.1f}' width='{cell:.1f}' height='{cell:.1f}' "
                    f"fill='{_css(value / most)}'><title>{escape(labels[j])} looks at {escape(labels[m])}: {value:.3f}"
                    "</title></rect>"
                )
        parts.append(
            f"<rect x='{x0:.1f}' y='{top}' width='{side:.1f}' height='{side:.1f}' fill='none' stroke='currentColor' "
            "stroke-opacity='.5'/>"
        )
    return _svg(left + len(panels) * (side + gap) + 60, top + side + 34, parts, title)


# Curves.


def _ticks(low: float, high: float, logarithmic: bool) -> list[float]:
    if logarithmic:
        marks = [m * 10.0**e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1) for m in (1, 2, 5)]
        inside = [mark for mark in marks if low * 0.999 <= mark <= high * 1.001]
        return inside if len(inside) >= 2 else [low, high]
    step = 10.0 ** math.floor(math.log10((high - low) or 1.0))
    for share in (0.2, 0.5, 1, 2, 5):
        if (high - low) / (step * share) <= 7:
            step *= share
            break
    return [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


def curves(
    title: str,
    x_label: str,
    y_label: str,
    lines: Sequence[tuple[str, Sequence[float], Sequence[float], Sequence[float]]],
    *,
    logarithmic: tuple[bool, bool] = (False, False),
) -> str:
    """Lines with bands of one deviation: (name, x, y, deviation)."""
    width, height, left, top, right, bottom = 720.0, 400.0, 70.0, 36.0, 190.0, 50.0
    points = [(x, y) for _, xs, ys, _ in lines for x, y in zip(xs, ys)]
    log_x = logarithmic[0] and all(x > 0 for x, _ in points)
    log_y = logarithmic[1] and all(y > 0 for _, y in points)
    x_low, x_high = min(x for x, _ in points), max(x for x, _ in points)
    y_high = max(y + e for _, _, ys, es in lines for y, e in zip(ys, es))
    y_low = min(y for _, y in points)
    y_low = y_low / 1.15 if log_y else min(0.0, y_low)
    y_high = y_high * 1.1 if y_high > 0 else 1.0
    if x_low == x_high:
        x_low, x_high = (x_low / 2, x_high * 2) if log_x else (x_low - 1, x_high + 1)

    def place(value: float, low: float, high: float, log: bool) -> float:
        if log:
            return (math.log(max(value, low)) - math.log(low)) / (math.log(high) - math.log(low))
        return (value - low) / (high - low)

    def at(x: float, y: float) -> tuple[float, float]:
        across = left + place(x, x_low, x_high, log_x) * (width - left - right)
        return across, height - bottom - place(y, y_low, y_high, log_y) * (height - top - bottom)

    parts = [_text(8, 20, title, more="font-weight='bold'")]
    parts.append(f"<path d='M{left} {top}V{height - bottom}H{width - right}' fill='none' stroke='currentColor'/>")
    for mark in _ticks(x_low, x_high, log_x):
        parts.append(_text(at(mark, y_low)[0], height - bottom + 18, f"{mark:g}", "middle"))
    for mark in _ticks(y_low, y_high, log_y):
        y = at(x_low, mark)[1]
        parts.append(_text(left - 6, y + 4, f"{mark:g}", "end"))
        parts.append(f"<path d='M{left} {y:.1f}H{width - right}' stroke='currentColor' stroke-opacity='.15'/>")
    parts.append(_text((left + width - right) / 2, height - 10, x_label, "middle"))
    parts.append(_text(16, height / 2, y_label, "middle", f"transform='rotate(-90 16 {height / 2})'"))
    for k, (name, xs, ys, es) in enumerate(lines):
        colour = _curve_colour(name, k)
        upper = [at(x, y + e) for x, y, e in zip(xs, ys, es)]
        lower = [at(x, max(y - e, y_low)) for x, y, e in zip(xs, ys, es)]
        band = " ".join(f"{x:.1f},{y:.1f}" for x, y in upper + lower[::-1])
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(x, y) for x, y in zip(xs, ys)))
        parts.append(f"<polygon points='{band}' fill='{colour}' fill-opacity='.2'/>")
        parts.append(f"<polyline points='{line}' fill='none' stroke='{colour}' stroke-width='2'/>")
        for x, y, value in zip(xs, ys, ys):
            across, up = at(x, y)
            shown = f"{escape(name)}, {_number(x)}: {_number(value)}"
            parts.append(f"<circle cx='{across:.1f}' cy='{up:.1f}' r='3' fill='{colour}'><title>{shown}</title></circle>")
        parts.append(f"<rect x='{width - right + 14}' y='{top + 20 * k}' width='14' height='4' fill='{colour}'/>")
        parts.append(_text(width - right + 34, top + 20 * k + 6, _short(name, 26)))
    return _svg(width, height, parts, title)


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
