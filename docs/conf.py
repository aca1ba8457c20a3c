"""Sphinx settings. Build with `make docs`; every warning is an error there."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from sphinx.application import Sphinx

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
sys.path[:0] = [str(DOCS / "_ext"), str(ROOT / "compiler")]

project = "APET"
author = "The APET authors"
copyright = "The APET authors"
release = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "apet_gallery",
    "apet_mathml",
    "apet_types",
    "apet_verbs",
    "pamela_lexer",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "_generated"]

# Options keep their two dashes, and code in docstrings is code.
smartquotes = False
default_role = "code"

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "undoc-members": True}

man_pages = [("reference/manual-page", "apet", "predict how long parallel programs take", author, 1)]

html_math_renderer = "mathml"
html_theme = "furo"
html_title = f"APET {release}"
html_static_path = ["_static"]
html_css_files = ["apet.css"]
html_copy_source = html_show_sourcelink = False

MENDED = (
    ('<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
    ('<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="All pages">'),
    ('<aside class="toc-drawer', '<aside aria-label="This page" class="toc-drawer'),
    ("<pre>", '<pre tabindex="0">'),
    ('<pre class="literal-block">', '<pre tabindex="0" class="literal-block">'),
)
"""What the theme leaves out for people who listen to pages, or use no mouse: tests/docs/test_accessible.py."""


def setup(app: Sphinx) -> None:
    """Public names are imported when they are asked for, so that autodoc finds them."""
    import apet

    for name in dir(apet):
        getattr(apet, name)
    app.connect("autodoc-process-docstring", _without_numbers)
    app.connect("build-finished", _mended)


def _without_numbers(app: Sphinx, what: str, name: str, value: object, options: object, lines: list[str]) -> None:
    """Fields of named tuples: their type and comment say what they are, not their number."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


def _mended(app: Sphinx, error: Exception | None) -> None:
    """Write each page again with the attributes that are missing."""
    if error is not None or app.builder.name != "html":
        return

    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for old, new in MENDED:
            text = text.replace(old, new)
        page.write_text(text, encoding="utf-8")
