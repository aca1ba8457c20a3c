"""The site as a whole: every verb has a recipe, every public name a description, every picture a command."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import apet
from apet.cli.verbs import VERBS

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_a_recipe(verb: str) -> None:
    pages = [p.read_text(encoding="utf-8") for p in (DOCS / "howto").glob("*.md")]
    assert any(re.search(rf"apet {verb}\b", page) for page in pages)


@pytest.mark.parametrize("name", dir(apet))
def test_every_public_name_says_what_it_is(name: str) -> None:
    assert inspect.getdoc(getattr(apet, name))


def test_the_page_of_python_names_is_made_from_the_package() -> None:
    text = (DOCS / "reference" / "python.md").read_text(encoding="utf-8")
    assert ".. automodule:: apet\n   :imported-members:" in text


def test_the_gallery_shows_samples_only_and_describes_each_picture() -> None:
    text = (DOCS / "gallery.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```\{apet-picture\}\n:alt: (.+)\n(apet .+)\n```$", text, re.MULTILINE)
    assert len(shown) == text.count("{apet-picture}") >= 10
    for about, command in shown:
        assert len(about) > 20
        assert " samples/" in command
        assert re.search(r" (--plot|--gantt|-o) [\w-]+\.svg$", command)


@pytest.mark.parametrize("page", ["performance", "accuracy"])
def test_measured_figures_say_when_and_where(page: str) -> None:
    text = (DOCS / "background" / f"{page}.md").read_text(encoding="utf-8")
    found = text.partition("<!-- measured: begin -->")[2]
    assert re.search(r"date \d{4}-\d\d-\d\d, processor .+, cores \d+", found)


def test_pages_load_nothing_from_elsewhere() -> None:
    settings = (DOCS / "conf.py").read_text(encoding="utf-8")
    assert "mathjax" not in settings
    assert "http" not in (DOCS / "_static" / "apet.css").read_text(encoding="utf-8")
