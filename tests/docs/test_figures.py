"""Figures in prose are those of outputs and of the evidence: each has one place, which other pages quote.

In tutorials they are those of the page's own calls, or of the record of a measured run. Elsewhere a sentence that links
to a page of evidence quotes what stands there. Records, `tests/data/tutorials/PAGE.txt`, hold what the commands of a
page printed on the machine that the page names. Other figures follow from such numbers by a formula below.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.docs.test_docs import ROOT, blocks, call, commands, copy, matches

import apet

__all__ = ["copy"]
TUTORIALS = sorted((ROOT / "docs" / "tutorial").glob("*.md"))
RECORDS = ROOT / "tests" / "data" / "tutorials"
FENCE = re.compile(r"^(`{3,})[^\n]*\n.*?^\1[ ]*$", re.MULTILINE | re.DOTALL)
FIGURE = re.compile(r"(?<![\w.])(\d[\d,]*(?:\.\d+)?) (?:ns|µs|ms|s|%|MB|kB|TFLOP/s|requests)(?![\w/])")
NUMBER = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?")

DERIVED: dict[tuple[str, str], str] = {
    ("gpu-offload", "9.4"): "9.375",
    ("map-reduce", "12"): "(1 - 0.05) * 10 + 0.05 * 50",
    ("map-reduce", "48"): "4 * 12",
    ("map-reduce", "51"): "129.8 - 78.7",
    ("master-worker", "1.7"): "10.0 - 8.32",
    ("master-worker", "5"): "100 * (10.5 / 10.0 - 1)",
    ("java-application", "96"): "100 * 0.956",
    ("mpi-program", "319"): "376 - 57",
    ("mpi-program", "1.3"): "100 * (1 - 315 / 319)",
    ("pipeline", "6"): "2 + 3 + 1",  # milliseconds of the other stages
    ("stencil", "2"): "100 * (31.5 / 30.9 - 1)",
    ("stencil", "7"): "100 * (173 / 162 - 1)",
}
"""Figures of a page by the formula of numbers that they follow from."""


def prose(text: str) -> str:
    """A page without its blocks and inline code, in one line."""
    return " ".join(re.sub(r"`[^`]*`", "", FENCE.sub("", text)).split())


def printed_numbers(page: Path) -> set[str]:
    """The numbers in what the calls of a page print, in the samples that it includes, and in its record."""
    text = page.read_text(encoding="utf-8")
    shown: list[str] = []
    for block in blocks(page.name, text):
        if block.info[0] == "console":
            shown += [part for command, _ in commands(block.text) for part in (command, call(command)[1])]
    return {number for part in (*shown, *shipped(page)) for number in NUMBER.findall(part)}


def shipped(page: Path) -> list[str]:
    """The samples that a page names, and its record."""
    names = re.findall(r"samples/[\w/.-]+\.(?:pam|java|csv|toml|xml)", page.read_text(encoding="utf-8"))
    paths = [*(ROOT / name for name in dict.fromkeys(names)), RECORDS / f"{page.stem}.txt"]
    return [path.read_text(encoding="utf-8") for path in paths if path.exists()]


def is_printed(figure: str, numbers: set[str]) -> bool:
    """Whether a figure is a number of an output, or, from two digits on, a rounded one."""
    if figure in numbers:
        return True
    places = len(figure.partition(".")[2])
    digits = len(figure.replace(".", "").replace(",", "").lstrip("0"))
    value = float(figure.replace(",", ""))
    return digits > 1 and any(round(float(number.replace(",", "")), places) == value for number in numbers)


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda p: p.stem)
def test_figures_in_prose_are_those_of_outputs(page: Path, copy: Path) -> None:
    numbers = printed_numbers(page)
    figures = dict.fromkeys(FIGURE.findall(prose(page.read_text(encoding="utf-8"))))
    derived = {figure: formula for (name, figure), formula in DERIVED.items() if name == page.stem}
    assert set(derived) <= set(figures)
    assert not [figure for figure in figures if figure not in derived and not is_printed(figure, numbers)]
    for figure, formula in derived.items():
        places = len(figure.partition(".")[2])
        value = apet.compile_text(f"L = delay({formula});").T0.evaluate({})
        assert round(float(value), places) == float(figure), formula
        measured = [n for n in NUMBER.findall(formula) if len(n) > 2 and n != "100"]
        assert set(measured) <= {*numbers, *derived}, formula


@pytest.mark.parametrize("page", [p for p in TUTORIALS if (RECORDS / f"{p.stem}.txt").exists()], ids=lambda p: p.stem)
def test_measured_outputs_are_those_of_the_record(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for block in blocks(page.name, text):
        if block.info == ("text",):
            assert any(matches(f"…\n{block.text}…\n", record) for record in shipped(page)), block.place


PAGES = sorted(
    page
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
    if not {"_build", "_generated", "evidence"} & set(page.parts)
)
EVIDENCE = re.compile(r"\]\(([^)#]*(?:\bevidence/[^)#]*|\bscaling)\.md)(?:#[^)]*)?\)")
QUOTED = re.compile(
    r"(?<![\w.])(\d[\d,]*(?:\.\d+)?)(?= (?:to \d[\d.]* )?(?:%|curves|traces|jobs|runs|points|programs)(?![\w/]))"
)


def quotations(page: Path) -> list[tuple[str, Path]]:
    """The sentences and cells of a page that link to evidence, each with the page of evidence."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    sentences: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text):
        if paragraph.lstrip().startswith("|"):
            sentences += paragraph.split("|")
        else:
            sentences += re.split(r"(?<=[.;:])\s+", " ".join(paragraph.split()))
    return [(sentence, (page.parent / link).resolve()) for sentence in sentences for link in EVIDENCE.findall(sentence)]


def test_figures_that_are_quoted_from_evidence_stand_there() -> None:
    quoted = [(page, sentence, source) for page in PAGES for sentence, source in quotations(page)]
    assert sum(len(QUOTED.findall(sentence)) for _, sentence, _ in quoted) > 10, "the pattern finds what is quoted"
    for page, sentence, source in quoted:
        numbers = set(NUMBER.findall(source.read_text(encoding="utf-8")))
        missing = [figure for figure in QUOTED.findall(sentence) if figure not in numbers]
        assert not missing, f"{page.relative_to(ROOT)}: {sentence.strip()}"
