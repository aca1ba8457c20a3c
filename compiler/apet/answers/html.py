"""Answers as HTML, for pages and for notebooks. Every text is escaped; nothing is loaded or run."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import assert_never
from xml.etree import ElementTree

from apet.answers.blocks import Block, Folded, Formulas, Heading, Lines, Picture, Piece, Sentences, Settings, Table
from apet.cost import deep_recursion
from apet.formula.formula import Formula
from apet.show.formula_lines import Row, text_of, written_size

MOST_MATH, FOLDED = 400, 60
"""Operands of a formula up to which it is set as mathematics, and from which it is folded."""
OPEN, LONGEST_TEXT, LONGEST_EMBEDDED = 1_500, 20_000, 2_000
"""Characters of a formula as text from which it is folded, and up to which it is shown, in a page and in a notebook."""
MOST_FORMULAS, LAST_FORMULAS, MOST_EMBEDDED = 12, 3, 40
"""Formulas up to which none is folded; of more, those that stand last, and those that a notebook folds at most."""
WIDE_CELL = 30
"""Characters from which a cell may break on narrow screens."""
OPERATORS = ("+", "−", "·", "⋅")
"""Signs in front of which a line of a formula may break."""
NO_PICTURE = "to draw this, pip install 'apet[plot]'"
BAR = {"█", "|"}
"""Of what bars in a table are made."""
SIDES = {"<": "left", ">": "right"}


class Html(str):
    """Text that is markup already; templates take it as it is."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


def html(blocks: Iterable[Block], embedded: bool = False) -> Html:
    """All pieces in turn; `embedded` in a notebook, where pictures are images and long formulas are cut."""
    return Html("\n".join(_drawn(piece, embedded) for block in blocks for piece in block))


def _drawn(piece: Piece, embedded: bool) -> str:
    match piece:
        case Heading(text):
            return f"<h3>{escape(text)}</h3>"
        case Settings(texts):
            return f"<p>{escape(' · '.join(texts))}</p>" if texts else ""
        case Sentences(texts, _):
            return "".join(f"<p>{escape(each)}</p>" for each in texts)
        case Lines(lines, _):
            return f"<p>{escape(lines[0])}</p>" if len(lines) == 1 else _preformatted(lines)
        case Table():
            return table(piece)
        case Formulas(rows, _, _, _):
            return _formulas(rows, embedded)
        case Picture():
            return _picture(piece, embedded)
        case Folded(title, pieces):
            return f"<details><summary>{escape(title)}</summary>{html([pieces], embedded)}</details>"
        case _:
            assert_never(piece)


def _preformatted(lines: Sequence[str]) -> str:
    return f"<pre>{escape(chr(10).join(lines))}</pre>" if lines else ""


def table(piece: Table) -> Html:
    """Headings and cells, scrolled where there is no room; without headings no head."""
    sides = [SIDES[a] for a in piece.align]
    if not piece.rows and not any(piece.header):
        return Html("")
    head = "".join(_cell('th scope="col"', *pair) for pair in zip(piece.header, sides, strict=True))
    top = f"<thead><tr>{head}</tr></thead>" if any(piece.header) else ""
    body = "".join(f"<tr>{''.join(_cell('td', *p) for p in zip(row, sides, strict=True))}</tr>" for row in piece.rows)
    label = escape(piece.label or ", ".join(filter(None, piece.header)) or "Table")
    begin = f'<div class="scroll" style="overflow-x:auto" tabindex="0" role="region" aria-label="{label}">'
    rest = f"<p>{escape(piece.rest)}</p>" if piece.rest else ""
    return Html(f"{begin}<table>{top}<tbody>{body}</tbody></table></div>{rest}")


def _cell(tag: str, text: str, side: str) -> str:
    drawn = ";white-space:pre" if text.startswith(" ") else ""
    drawn += ";font-family:monospace" if BAR & {*text} else ""
    kind = ' class="long"' if side == "left" and len(text) > WIDE_CELL else ""
    return f'<{tag}{kind} style="text-align:{side}{drawn}">{escape(text)}</{tag.partition(" ")[0]}>'


# Formulas


def _formulas(rows: Sequence[Row], embedded: bool) -> str:
    """The first and the last, the others folded: T and its bounds stand last."""
    first = len(rows) if len(rows) <= MOST_FORMULAS else MOST_FORMULAS - LAST_FORMULAS - 1
    more = rows[first:-LAST_FORMULAS] if first < len(rows) else []
    kept = more[:MOST_EMBEDDED] if embedded else more
    last = rows[-LAST_FORMULAS:] if more else []
    with deep_recursion():
        shown, folded, end = ("".join(_formula(row, embedded) for row in part) for part in (rows[:first], kept, last))
    if not more:
        return shown
    rest = f"<p>… and {len(more) - len(kept)} more</p>" if len(kept) < len(more) else ""
    return f"{shown}<details><summary>{len(more)} more terms</summary>{folded}{rest}</details>{end}"


def _formula(row: Row, embedded: bool) -> str:
    """A named formula: as mathematics, in a page with its LaTeX to copy, else as text; long ones folded."""
    name, note, formula = escape(row.name), escape(row.note), row.formula
    begin = f'<div class="formula" tabindex="0" role="group" aria-label="Formula of {name}">'
    size, latex = 0, ""
    if isinstance(formula, Formula) and (operands := written_size(formula, MOST_MATH + 1)) <= MOST_MATH:
        body, size, what = breakable(formula.mathml()), operands if operands > FOLDED else 0, "operands"
        latex = "" if embedded else _folded("latex", f"LaTeX of {row.name}", formula.latex())
    else:
        text = text_of(formula)
        size, what = len(text) if len(text) > OPEN else 0, "characters"
        longest = LONGEST_EMBEDDED if embedded else LONGEST_TEXT
        if len(text) > longest:
            text = f"{text[:longest]} … (apet compile --emit python writes all of it)"
        body = Html(f"<pre>{escape(text)}</pre>" if size else f"<code>{escape(text)}</code>")

    if size:
        titled = f"{name} {note}".strip()
        return f"{begin}<details><summary>{titled} ({size:,} {what})</summary>{body}</details>{latex}</div>"
    behind = f' <span class="name">{note}</span>' if note else ""
    return f'{begin}<span class="name">{name} {escape(row.relation)} </span>{body}{behind}{latex}</div>'


def _folded(kind: str, title: str, text: str) -> str:
    return f'<details class="{kind}"><summary>{escape(title)}</summary><pre>{escape(text)}</pre></details>'


def breakable(math: str) -> Html:
    """A formula in MathML as several elements in a row, between which a page may break the line.

    Browsers do not break inside of `<math>`. Breaks are in front of operators and behind commas, outside of fractions,
    scripts and floors.
    """
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
    return Html("<wbr>".join(f'<math displaystyle="true">{text}</math>' for text in texts))


def _pieces(element: ElementTree.Element) -> Iterator[ElementTree.Element]:
    """The elements of nested rows in turn; what is inside of a floor or ceiling stays together."""
    whole = element.tag not in ("math", "mrow") or (len(element) and element[0].text in ("⌊", "⌈"))
    if whole:
        yield element
    else:
        for child in element:
            yield from _pieces(child)


# Pictures


def _picture(piece: Picture, embedded: bool) -> str:
    """Within a page as SVG, whose texts can be found; within a notebook as an image on white, for any background."""
    from apet.show.plots import svg_text

    caption = escape(piece.caption)
    try:
        drawn = svg_text(piece.draw(), "" if embedded else piece.name)
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        return f"<p>{caption}: {escape(NO_PICTURE)}</p>"
    if embedded:
        data = b64encode(drawn.encode()).decode()
        return f'<img alt="{caption}" style="max-width:100%" src="data:image/svg+xml;base64,{data}">'
    shown = f'<div class="picture" role="img" tabindex="0" aria-label="{caption}">{drawn}</div>'
    return f"<figure>{shown}<figcaption>{caption}</figcaption></figure>"
