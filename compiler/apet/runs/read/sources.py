"""From the text of a file to the samples of its runs, whatever wrote it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.ground.documents.document import Document, parse_document
from apet.ground.source import Source
from apet.ground.source_files import as_source
from apet.runs import errors
from apet.runs.read import benchmarks, extrap, extrap_json, json_points, parameter_table, slurm
from apet.runs.read.samples import SampleSet


class Asked(NamedTuple):
    """What the caller names: parameters to predict over, those of conditions, the metric, the pattern of names, and the
    curve of a file of several."""

    parameters: Sequence[str]
    conditions: Sequence[str]
    metric: str | None
    pattern: str
    curve: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All parameters."""
        return (*self.parameters, *self.conditions)


HEAD = 65_536
NOTHING = Asked((), (), None, "")


class KnownFormat(NamedTuple):
    """What begins so is no file of runs, but of something that has them."""

    beginning: bytes
    title: str
    advice: str


OTHER_FILES = (
    KnownFormat(b"SQLite format 3", "a database of SQLite", "nsys stats --format csv FILE prints one of nsys"),
    KnownFormat(b"PERFILE2", "a recording of perf", "perf report --stdio -i FILE prints it (record -e task-clock)"),
    KnownFormat(b"\x89HDF", "a file of HDF5", "write its table as CSV"),
    KnownFormat(b"PAR1", "a table of Parquet", "write it as CSV: pandas.read_parquet(FILE).to_csv()"),
    KnownFormat(b"PK\x03\x04", "an archive or a spreadsheet", "unpack it, or save the sheet as CSV"),
    KnownFormat(b"\x1f\x8b", "compressed by gzip", "unpack it: gunzip FILE"),
    KnownFormat(b"\x28\xb5\x2f\xfd", "compressed by zstd", "unpack it: unzstd FILE"),
    KnownFormat(b"\x01\x00\x11\x00\x00\x00EXTRAP_EXP", "an experiment of Extra-P 3",
              "Extra-P 4 opens it and saves it as *.extra-p, which is read"),
)  # fmt: skip
"""What is named where it is given instead of runs."""


def source_of(path: str, content: bytes) -> Source:
    """The text of a file of runs, that in a saved experiment too; `ApetError` which names what is no text."""
    if extrap_json.is_saved(content):
        return Source(path, extrap_json.saved_text(path, content))
    other = next((form for form in OTHER_FILES if content.startswith(form.beginning)), None)
    if other is not None:
        raise ApetError(errors.OtherFile(None, None, path, other.title, other.advice))
    source = as_source(path, content)
    return _as_list(source) if _is_lines_of_json(source.text) else source


def _is_lines_of_json(text: str) -> bool:
    """Whether a text has an object of JSON on each line, other than Extra-P's and Talpas."""
    lines = [line.strip() for line in text[:HEAD].splitlines() if line.strip()][:3]
    objects = [line for line in lines[:2] if line.startswith("{") and line.endswith("}")]
    return len(objects) > 1 and not extrap.is_lines(text)


def _as_list(source: Source) -> Source:
    """Lines of JSON as one list, with each on its line."""
    lines = source.text.rstrip().splitlines()
    last = len(lines) - 1
    joined = [line + ("," if line.strip() and k < last else "") for k, line in enumerate(lines)]
    return Source(source.name, "[" + "\n".join(joined) + "]")


def document_of(source: Source) -> Document:
    """A document of runs: NaN stands in those of runners of benchmarks, and nowhere else."""
    if "NaN" in source.text:
        document = parse_document(source, may_be_nan=True)
        if benchmarks.is_benchmark(document.content):
            return document
    return parse_document(source)


def is_document(source: Source) -> bool:
    """Whether a file is one value of JSON or TOML: JSON Lines are many."""
    text = source.text.lstrip()
    named = source.name.lower().endswith((".json", ".toml"))
    return (named or text[:1] in ("{", "[")) and not extrap.is_lines(text)


def is_text_of_runs(text: str) -> bool:
    """Whether a text, or its beginning, is in one of the formats that have other signs than columns of numbers."""
    return (
        extrap.is_text(text)
        or benchmarks.recognises(text)
        or slurm.is_accounting(text)
        or parameter_table.has_known_names(text)
        or parameter_table.is_long(text)
    )


def text_samples(source: Source, selection: Asked = NOTHING) -> SampleSet:
    """The samples of a file that holds several runs."""
    text = source.text.lstrip()
    if extrap.is_lines(text):
        return extrap.read_samples(extrap.read_lines(source), selection.metric)
    if is_document(source):
        return _document_samples(source, selection)
    if extrap.is_text(source.text):
        return extrap.read_samples(extrap.read_text(source), selection.metric)
    if benchmarks.recognises(text):
        return benchmarks.read_text(source, selection.metric)
    if slurm.is_accounting(text):
        return slurm.read_samples(source, selection.pattern, selection.names)
    return parameter_table.read_samples(source, selection.parameters, selection.metric, selection.conditions)


def _document_samples(source: Source, asked: Asked) -> SampleSet:
    document = document_of(source)
    content, metric = document.content, asked.metric
    if extrap_json.is_json(content):
        return extrap.read_samples(extrap_json.read_json(document), metric)
    if benchmarks.is_benchmark(content):
        return benchmarks.read_document(document, metric)

    if (frame := json_points.as_points(content)) is not None:
        return json_points.read_samples(document, frame, (), metric)
    if isinstance(content, list):
        return json_points.read_chosen(document, content, asked.curve, metric)
    if json_points.is_points(content):
        json_points.check_chosen(document, [str(content.get("id", "?"))], asked.curve)
        return json_points.read_samples(document, content, (), metric)

    problem = 'it has neither "points" nor "measurements" (Extra-P), nor is it of a known runner of benchmarks'
    raise ApetError(errors.UnknownFormat(source, None, problem))
