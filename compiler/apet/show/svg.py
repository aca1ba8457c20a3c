"""Pictures of boxes and arrows as SVG text, without any library."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from apet.ground.records import NamedTuple

LETTER, LINE, PADDING, MARGIN = 7.0, 16, 12, 20
"""Pixels: the width of a letter, from line to line, around a text, around the picture."""


class PixelBox(NamedTuple):
    """A place in a picture, in pixels."""

    left: float
    top: float
    width: float
    height: float


def document(title: str, width: float, height: float, elements: Iterable[str]) -> str:
    """The picture of elements in drawing order; `url(#tip)` is the head of an arrow."""
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0,0 L8,4 L0,8 z" fill="#555"/></marker></defs>',
        f'<rect width="{width:g}" height="{height:g}" fill="white"/>',
    ]
    return "\n".join([*head, *elements, "</svg>"]) + "\n"


def wide(text: str) -> float:
    """About how wide a text is."""
    return len(text) * LETTER


def box(place: PixelBox, lines: Sequence[str], fill: str, dashed: bool = False) -> list[str]:
    """A box with lines of text, the first one in bold."""
    left, top, width, height = place
    dashes = ' stroke-dasharray="5 3"' if dashed else ""
    elements = [
        f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" rx="6" '
        f'fill="{fill}" stroke="#555"{dashes}/>'
    ]
    for k, text in enumerate(lines):
        weight = ' font-weight="bold"' if k == 0 else ""
        y = top + PADDING / 2 + LINE * (k + 0.8)
        elements.append(f'<text x="{left + width / 2:g}" y="{y:g}" text-anchor="middle"{weight}>{escape(text)}</text>')
    return elements


def label(x: float, y: float, text: str) -> str:
    """A text that stays readable over lines."""
    halo = 'fill="#555" stroke="white" stroke-width="4" paint-order="stroke"'
    return f'<text x="{x:g}" y="{y:g}" {halo}>{escape(text)}</text>'


def arrow(points: Sequence[tuple[float, float]]) -> str:
    """From a foot to a head for each gap between rows: bent between rows, straight where it passes one."""
    (x, y), *rest = points
    path = f"M{x:g},{y:g}"
    for k, (a, b) in enumerate(rest):
        bend = (b - y) / 2 if k % 2 == 0 else 0.0
        path += f" C{x:g},{y + bend:g} {a:g},{b - bend:g} {a:g},{b:g}"
        x, y = a, b
    return f'<path d="{path}" fill="none" stroke="#555" marker-end="url(#tip)"/>'
