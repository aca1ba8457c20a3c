"""Pieces of HTML for notebooks: tables, formulas, pictures. Every text is escaped; nothing is loaded or run."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from apet.cost import deep_recursion
from apet.formula.formula import Formula
from apet.show.formula_lines import Row, text_of, written_size

if TYPE_CHECKING:
    from markupsafe import Markup
    from matplotlib.figure import Figure

MOST_MATH = 400
"""Operands of a formula up to which it is set as mathematics."""
LONGEST_TEXT = 2_000
OPERATORS = ("+", "−", "·", "⋅")
"""Signs in front of which a line of a formula may break."""
MOST_ROWS = 40
CELL = "text-align:{side};padding:.2em .8em;vertical-align:top"


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def marked(text: str) -> str:
    """A text as markup; what is markup stays."""
    return text if isinstance(text, Html) else escape(text)


def table(header: Sequence[str], rows: Iterable[Sequence[str]], align: str, caption: str = "") -> Html:
    """`align` has one of `<` and `>` per column; a column without heading and without cells is left out."""
    sides = ["left" if a == "<" else "right" for a in align]
    title = f'<caption style="text-align:left;font-weight:bold">{marked(caption)}</caption>' if caption else ""
    head = "".join(_cell("th", *pair) for pair in zip(header, sides, strict=True)) if any(header) else ""
    body = "".join(f"<tr>{''.join(_cell('td', *p) for p in zip(row, sides, strict=True))}</tr>" for row in rows)
    top = f"<thead><tr>{head}</tr></thead>" if head else ""
    return Html(f'<div style="overflow-x:auto"><table>{title}{top}<tbody>{body}</tbody></table></div>')


def _cell(tag: str, text: str, side: str) -> str:
    return f'<{tag} style="{CELL.format(side=side)}">{marked(text)}</{tag}>'


def bar(share: float) -> Html:
    """A bar as long as a share of 1."""
    width = round(8 * min(max(share, 0.0), 1.0), 2)
    return Html(f'<div style="width:{width}em;height:.8em;background:#0072B2"></div>')


def sentences(texts: Iterable[str]) -> Html:
    """One paragraph each."""
    return Html("".join(f"<p>{marked(each)}</p>" for each in texts))


def formula_table(rows: Sequence[Row]) -> Html:
    """Named formulas as MathML, the first and the last; long ones as text that opens on demand."""
    listed = rows if len(rows) <= MOST_ROWS else [*rows[: MOST_ROWS - 4], *rows[-3:]]
    with deep_recursion():
        cells = [[row.name, _formula(row.formula), row.note] for row in listed]
    if len(listed) < len(rows):
        cells.insert(MOST_ROWS - 4, ["…", f"{len(rows) - len(listed)} further formulas", ""])
    return table(("", "", ""), cells, "<<<")


def _formula(formula: Formula | str) -> str:
    if isinstance(formula, Formula) and written_size(formula, MOST_MATH + 1) <= MOST_MATH:
        return Html(formula.mathml().replace(' display="block"', ' displaystyle="true"', 1))
    text = text_of(formula)
    if len(text) <= LONGEST_TEXT // 10:
        return text
    excerpt = text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]} …"
    return Html(f"<details><summary>{len(text):,} characters</summary><code>{marked(excerpt)}</code></details>")


def picture(figure: Figure, alternative: str) -> Html:
    """A figure as an image within the page, on white, so that it can be read on any background."""
    from io import BytesIO

    import matplotlib

    from apet.show.plots import STYLE

    held = BytesIO()
    with matplotlib.rc_context(STYLE):
        figure.savefig(held, format="svg", facecolor="white", metadata={"Date": None, "Creator": None})
    data = b64encode(held.getvalue()).decode()
    return Html(f'<img alt="{escape(alternative)}" style="max-width:100%" src="data:image/svg+xml;base64,{data}">')


def breakable(math: str) -> Markup:
    """A formula in MathML as several elements in a row, between which a page may break the line.

    Browsers do not break inside of `<math>`. Breaks are in front of operators and behind commas, outside of fractions,
    scripts and floors.
    """
    from markupsafe import Markup

    root = ElementTree.fromstring(math.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', ""))
    parts: list[list[ElementTree.Element]] = [[]]
    for piece in _pieces(root):
        sign = piece.text if piece.tag == "mo" else None
        if sign in OPERATORS and parts[-1]:
            piece.set("form", "infix")
            parts.append([])
        parts[-1].append(piece)
        if sign == ",":
            parts.append([])

    texts = ("".join(ElementTree.tostring(piece, "unicode") for piece in part) for part in parts if part)
    return Markup("<wbr>".join(f'<math displaystyle="true">{text}</math>' for text in texts))


def _pieces(element: ElementTree.Element) -> Iterator[ElementTree.Element]:
    """The elements of nested rows in turn; what is inside of a floor or ceiling stays together."""
    whole = element.tag not in ("math", "mrow") or (len(element) and element[0].text in ("⌊", "⌈"))
    if whole:
        yield element
    else:
        for child in element:
            yield from _pieces(child)
