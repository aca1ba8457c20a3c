"""Draws the pictures of README.md and of the concept page as SVG: `python docs/_ext/draw_pictures.py`.

`predicted-measured.svg` shows rows of docs/evidence/validation.md; a test compares both files with what is drawn.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).resolve().parents[1]
UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}
INK, PALE, BLUE, ORANGE = "#24292f", "#6e7781", "#3b7dd8", "#d9480f"
STYLE = f"""<style>text {{ font: 14px system-ui, sans-serif; fill: {INK} }} .pale {{ fill: {PALE}; font-size: 12px }}
.mono {{ font: 13px ui-monospace, monospace }} .bold {{ font-weight: 600 }}</style>"""
ROW = re.compile(r"\| (\w+ [A-D]) \| 2 \| static \| (\S+ \S+) \| (\S+ \S+) … (\S+ \S+) \|")


class Row(NamedTuple):
    """A measured application on two workers; times in seconds."""

    name: str
    measured: float
    low: float
    high: float


def rows(page: str) -> list[Row]:
    """The applications of the validation page, on two workers with static dealing."""
    return [Row(m[1], _seconds(m[2]), _seconds(m[3]), _seconds(m[4])) for m in ROW.finditer(page)]


def _seconds(text: str) -> float:
    number, unit = text.split()
    return float(number) * UNITS[unit]


def predicted_and_measured(applications: list[Row]) -> str:
    """Model, formula and time of one program on the left; intervals as multiples of the measured time on the right."""
    left = [
        _box(10, 44, 330, 62, "Model", "task = seq (i = 1, n / tasks) { … }"),
        _arrow(175, 106, 130),
        _box(10, 132, 330, 62, "Formula", "T = max(T0, max_p T[cpu[p]])"),
        _arrow(175, 194, 218),
        _box(10, 220, 330, 62, "Interval", "138 … 373 ms  (measured: 238 ms)"),
    ]
    top, step, zero, unit = 62, 27, 470, 145  # unit: pixels of one measured time
    bottom = top + step * len(applications)
    axis = [
        f'<line x1="{zero + unit * t}" y1="{top - 16}" x2="{zero + unit * t}" y2="{bottom - 8}" '
        f'stroke="{INK if t == 1 else "#d0d7de"}" stroke-width="1"/>'
        f'<text class="pale" x="{zero + unit * t}" y="{bottom + 8}" text-anchor="middle">{t:g}</text>'
        for t in (0, 0.5, 1, 1.5, 2)
    ]
    bars = [
        f'<text x="{zero - 12}" y="{y + 5}" text-anchor="end">{escape(row.name)}</text>'
        f'<rect x="{zero + unit * row.low / row.measured:.1f}" y="{y - 6}" rx="3" height="12" '
        f'width="{unit * (row.high - row.low) / row.measured:.1f}" fill="{BLUE}" fill-opacity="0.75"/>'
        f'<circle cx="{zero + unit}" cy="{y}" r="4" fill="{ORANGE}"/>'
        for row, y in zip(applications, range(top, bottom, step), strict=True)
    ]
    texts = [
        '<text class="bold" x="10" y="26">From a model to an interval</text>',
        f'<text class="bold" x="{zero - 80}" y="26">Eight Java programs on two cores</text>',
        f'<rect x="{zero - 80}" y="{bottom + 20}" rx="3" width="22" height="10" fill="{BLUE}" fill-opacity="0.75"/>'
        f'<text class="pale" x="{zero - 52}" y="{bottom + 30}">predicted interval</text>'
        f'<circle cx="{zero + 72}" cy="{bottom + 25}" r="4" fill="{ORANGE}"/>'
        f'<text class="pale" x="{zero + 82}" y="{bottom + 30}">measured = 1 (median of 5 runs)</text>',
    ]
    return _svg(820, bottom + 44, [*texts, *left, *axis, *bars])


def concepts() -> str:
    """What goes in, what the compiler makes of it, and which three intervals come out."""
    parts = [
        _box(10, 20, 220, 62, "Model", "what runs where, and when"),
        _box(10, 110, 220, 62, "Machine file", "seconds of each operation"),
        _box(10, 200, 220, 62, "Parameters", "n, tasks, and P processors"),
        _box(290, 20, 250, 62, "T0", "critical path, nobody waits"),
        _box(290, 110, 250, 62, "T[r]", "work of each resource r"),
        _box(290, 200, 250, 62, "T = max(T0, T[r], …)", "the largest term limits"),
        *(_line(230, y, 290, y) for y in (51, 141, 231)),
        _line(415, 172, 415, 200),
        _line(540, 231, 590, 231),
    ]
    zero = 600
    for y, name, about, low, high, color in (
        (60, "Operation times", "tmin … tmax, from the machine file", 50, 130, PALE),
        (140, "Estimate", "T at tmin … T at tmax", 50, 150, BLUE),
        (220, "Bounds", "every branch, every order of service", 35, 185, "#2b8a3e"),
    ):
        parts += [
            f'<text class="bold" x="{zero}" y="{y - 20}">{name}</text>',
            f'<text class="pale" x="{zero}" y="{y - 5}">{about}</text>',
            f'<rect x="{zero + low}" y="{y + 4}" rx="3" width="{high - low}" height="11" fill="{color}"/>',
        ]
    parts.append(f'<line x1="{zero}" y1="256" x2="{zero + 220}" y2="256" stroke="{INK}"/>')
    parts.append(f'<text class="pale" x="{zero + 220}" y="272" text-anchor="end">run time</text>')
    return _svg(840, 285, parts)


def _svg(width: int, height: int, parts: list[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    ground = f'<rect width="{width}" height="{height}" rx="8" fill="#ffffff"/>'
    return "\n".join([head, STYLE, ground, *parts, "</svg>", ""])


def _box(x: int, y: int, width: int, height: int, title: str, text: str) -> str:
    middle = x + width / 2
    return (
        f'<rect x="{x}" y="{y}" rx="6" width="{width}" height="{height}" fill="#f6f8fa" stroke="#d0d7de"/>'
        f'<text class="bold" x="{middle:g}" y="{y + 25}" text-anchor="middle">{escape(title)}</text>'
        f'<text class="mono" x="{middle:g}" y="{y + 47}" text-anchor="middle">{escape(text)}</text>'
    )


def _arrow(x: int, top: int, bottom: int) -> str:
    return _line(x, top + 3, x, bottom - 6) + f'<path d="M{x - 5} {bottom - 7} h10 l-5 8 z" fill="{PALE}"/>'


def _line(x1: int, y1: int, x2: int, y2: int) -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{PALE}" stroke-width="1.5"/>'


def pictures() -> dict[str, str]:
    """The text of each picture, by the name of its file."""
    page = (DOCS / "evidence" / "validation.md").read_text(encoding="utf-8")
    return {"predicted-measured.svg": predicted_and_measured(rows(page)), "concepts.svg": concepts()}


if __name__ == "__main__":
    for name, text in pictures().items():
        (DOCS / "images" / name).write_text(text, encoding="utf-8")
