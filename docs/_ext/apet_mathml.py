"""Formulas as MathML, made by docutils while the pages are built: they need no script and no network."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging


def visit_inline(writer: Any, node: nodes.math) -> None:
    """A formula within a line."""
    writer.body.append(mathml(node, inline=True))
    raise nodes.SkipNode


def visit_block(writer: Any, node: nodes.math_block) -> None:
    """A formula of its own; a wide one can be scrolled."""
    writer.body.append(
        f'<div class="math" style="overflow:auto hidden;padding:.3em 0">{mathml(node, inline=False)}</div>'
    )
    raise nodes.SkipNode


def mathml(node: nodes.Element, inline: bool) -> str:
    """The formula; a warning, and its LaTeX, where docutils does not know a command."""
    text = re.sub(r"\\dots\b", r"\\ldots", node.astext())
    try:
        return str(tex2mathml(text, as_block=not inline))
    except Exception as mistake:
        logging.getLogger(__name__).warning("cannot set %r: %s", text, mistake, location=node)
        return f"<code>{escape(text)}</code>"


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
