"""The site as a whole: every verb has a recipe, every public name a description, every picture a command."""

from __future__ import annotations

import importlib.util
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


@pytest.mark.parametrize("page", ["speed", "accuracy"])
def test_measured_figures_say_when_and_where(page: str) -> None:
    text = (DOCS / "evidence" / f"{page}.md").read_text(encoding="utf-8")
    found = text.partition("<!-- measured: begin -->")[2]
    assert re.search(r"date \d{4}-\d\d-\d\d, processor .+, cores \d+", found)


def test_pages_load_nothing_from_elsewhere() -> None:
    settings = (DOCS / "conf.py").read_text(encoding="utf-8")
    assert "mathjax" not in settings
    assert "http" not in (DOCS / "_static" / "apet.css").read_text(encoding="utf-8")


ENTRANCE = (
    "README.md",
    *(f"docs/{name}.md" for name in ("index", "concepts", "methods", "install", "faq", "glossary")),
)


@pytest.mark.parametrize("page", [*ENTRANCE, "docs/background/comparison.md", "docs/howto/samples-and-machines.md"])
def test_pages_of_the_entrance_use_the_terms_of_the_field(page: str) -> None:
    text = (DOCS.parent / page).read_text(encoding="utf-8").replace("no errors, no advice", "")
    assert not re.findall(r"(?i)\b(?:mistakes?|told|is said|are said|beside|way through|for sure|surely)\b", text)


def test_every_page_is_in_the_index() -> None:
    listed = set(re.findall(r"(?m)^[\w-]+(?:/[\w-]+)?$", (DOCS / "index.md").read_text(encoding="utf-8")))
    pages = {p.relative_to(DOCS).with_suffix("").as_posix() for p in DOCS.rglob("*.md") if "_build" not in p.parts}
    assert pages - listed <= {"index", "reference/manual-page"}


def test_the_pictures_show_the_figures_of_the_validation_page() -> None:
    where = importlib.util.spec_from_file_location("draw_pictures", DOCS / "_ext" / "draw_pictures.py")
    assert where is not None
    assert where.loader is not None
    drawing = importlib.util.module_from_spec(where)
    where.loader.exec_module(drawing)
    page = (DOCS / "evidence" / "validation.md").read_text(encoding="utf-8")
    assert len(drawing.rows(page)) == 8
    for name, text in drawing.pictures().items():
        assert (DOCS / "images" / name).read_text(encoding="utf-8") == text


def test_the_readme_repeats_figures_of_the_evidence() -> None:
    root = DOCS.parent
    readme = (root / "README.md").read_text(encoding="utf-8")
    for path, figures in FIGURES.items():
        text = (root / path).read_text(encoding="utf-8")
        for figure in figures:
            assert figure in readme
            assert figure in text


FIGURES = {
    "docs/background/scaling.md": ("5.0", "6.1", "94"),
    "docs/evidence/accuracy.md": ("0.0015 %", "0.076 %", "6e-12"),
    "docs/evidence/speed.md": ("0.688574 s", "1,104,048 lines"),
    "docs/evidence/validation.md": ("160 of 160",),
    "machines/zen5-openjdk17.toml": ("238 ms", "445 ms"),
}
