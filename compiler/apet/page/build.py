"""The page as a whole: sections around one script, nothing loaded from anywhere.

Text from users reaches the page only through escaping: Jinja's in the markup, JSON with `<`, `>` and `&` escaped in
the data. A content security policy names the page's own scripts by their hashes, so that nothing else can run.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from apet.answers.blocks import Picture, Piece
from apet.answers.html import Html, html

if TYPE_CHECKING:
    from jinja2 import Environment
    from matplotlib.figure import Figure

SCRIPTS = ("machines.js", "chart.js", "controls.js")
START = 'Apet.start(JSON.parse(document.getElementById("data").textContent));'
HERE = "apet.page"


class Section(NamedTuple):
    """A part of a page: its anchor, its title, and its pieces, or markup of its own."""

    name: str
    title: str
    body: Sequence[Piece] | Html


def picture(name: str, title: str, draw: Callable[[], Figure], caption: str) -> Section:
    """A section of one picture."""
    return Section(name, title, [Picture(draw, caption, name)])


class Heading(NamedTuple):
    """What stands above the sections, and in the last line."""

    title: str
    subtitles: Sequence[str]
    footer: Sequence[str] = ()


def page(heading: Heading, sections: Sequence[Section], functions: str, data: dict[str, Any], version: str) -> str:
    """The page as HTML. `functions` are the formulas as a script; without them nothing in the page moves."""
    scripts = [*(_asset(name) for name in SCRIPTS), functions, START] if functions else []
    hashes = " ".join(f"'sha256-{_digest(text)}'" for text in scripts) or "'none'"
    return (
        environment()
        .get_template("page.html")
        .render(
            title=heading.title,
            subtitles=heading.subtitles,
            footer=heading.footer,
            sections=[s if isinstance(s.body, Html) else s._replace(body=html([s.body])) for s in sections],
            css=Html(_asset("page.css")),
            scripts=[Html(text) for text in scripts],
            hashes=Html(hashes),
            data=Html(embedded(data)) if functions else "",
            version=version,
            made=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        )
    )


def environment() -> Environment:
    """Templates of this folder, with everything escaped."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        loader=FunctionLoader(_asset), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


def macro(name: str, *arguments: Any) -> Html:
    """One of the pieces in `sections.html`, filled."""
    return Html(getattr(environment().get_template("sections.html").module, name)(*arguments))


def embedded(data: dict[str, Any]) -> str:
    """JSON that ends no element and begins none."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _asset(name: str) -> str:
    return files(HERE).joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()
