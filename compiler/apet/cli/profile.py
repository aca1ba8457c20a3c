"""`apet profile`: trip counts and branch probabilities from a run."""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Mapping, Sequence
from itertools import product

from apet import api
from apet.answers.answer import Answer
from apet.answers.blocks import Table
from apet.cli import answering, output
from apet.cli.errors import bad_option
from apet.cli.translate import check_folders
from apet.ground.diagnostics import ApetError, render
from apet.ground.notation import assignment, counts, duration
from apet.ground.records import NamedTuple
from apet.ground.source_files import read_source
from apet.java.jvm import find_jdk
from apet.java.profile.fits import fitted
from apet.java.profile.parameter_values import values
from apet.java.profile.profiling import check_fresh, prepare, run_profile
from apet.java.profile.sources import in_order
from apet.program.translation import Translation
from apet.trials import languages

DESCRIPTION = """Run a Java task or a C function with counters in it, at small sizes, and give the parameters of its
model values: rounds of loops, probabilities of branches and cases, calls of recursive methods, mispredictions of a
simulated branch predictor. With several sizes each parameter is fitted as a function of them."""
MOST_RUNS = 200


class ProfiledSize(NamedTuple):
    """Sizes by name, and the values of parameters at them."""

    sizes: Mapping[str, int]
    values: Mapping[str, float]


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("source", metavar="FILE", help="a Java or C file")
    parser.add_argument("--entry", metavar="E", help="the method to begin with (default: run of the file's class)")
    text = "a size, or several: n=1000,2000,4000; given to setup(int) if there is one, else to the method; repeated "
    text += "for further sizes, of which every combination is run"
    parser.add_argument("--set", dest="settings", metavar="NAME=N,...", action="append", default=[], help=text)
    text = "a folder with further classes, as Name.java; may be repeated (usual: the folder of the file)"
    parser.add_argument("--source-path", metavar="DIR", action="append", default=[], help=text)
    parser.add_argument(
        "--run-limit", dest="limit", metavar="TIME", default="60 s", help="end a run after this time (default: 60 s)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(options: argparse.Namespace) -> None:
    """Run at each size, show values and fits."""
    is_c = languages.is_c(options.source)
    if not is_c:
        check_fresh(options.source)
    check_folders(options.source_path)
    grid = _grid(options.settings)
    limit = float(duration("--run-limit", options.limit))
    translation = api.translate(options.source, entry=options.entry, source_path=options.source_path)
    assert isinstance(translation, Translation)
    entry = _entry(translation.text, options.source)
    runs = (_runs_of_c if is_c else _runs_of_java)(options, translation, grid, limit)
    output.show(answering.shown(_answer(entry, runs), options))


def _runs_of_c(
    options: argparse.Namespace, translation: Translation, grid: Sequence[Mapping[str, int]], limit: float
) -> list[ProfiledSize]:
    from apet.c.profile.profiling import profile

    runs: list[ProfiledSize] = []
    for sizes in grid:
        one = profile(read_source(options.source), translation, sizes, limit)
        runs.append(ProfiledSize(sizes, one.values))
        for advisory in one.advice:
            output.advise(render(advisory))
    return runs


def _runs_of_java(
    options: argparse.Namespace, translation: Translation, grid: Sequence[Mapping[str, int]], limit: float
) -> list[ProfiledSize]:
    jdk = find_jdk()
    owner, _, method = _entry(translation.text, options.source).rpartition(".")
    order = in_order(options.source, method, list(grid[0]))
    runs: list[ProfiledSize] = []
    with tempfile.TemporaryDirectory(prefix="apet-") as folder:
        files, own = [options.source, *translation.files], translation.parameters
        program = prepare(jdk, files, folder, own, source_path=options.source_path)
        for sizes in grid:
            one = run_profile(jdk, program, (owner, method), [sizes[n] for n in order], True, limit)
            runs.append(ProfiledSize(sizes, values(own, one, True)))
            for advisory in one.advice:
                output.advise(render(advisory))
    return runs


def _answer(entry: str, measurements: Sequence[ProfiledSize]) -> Answer:
    """A table, with fits where there are several runs."""
    sizes, names = list(measurements[0].sizes), list(measurements[0].values)
    points = [tuple(r.sizes.values()) for r in measurements]
    fits = (
        {n: fitted(points, [r.values[n] for r in measurements], *sizes) for n in names} if len(measurements) > 1 else {}
    )
    listed = [{"size": next(iter(r.sizes.values()), None), "sizes": r.sizes, "values": r.values} for r in measurements]
    heads = [", ".join(f"{n} = {v:,}" for n, v in r.sizes.items()) or "value" for r in measurements]
    header = ["parameter", *heads, *(["fit"] if fits else [])]
    rows = [[n, *(f"{r.values[n]:.6g}" for r in measurements), *([fits[n]] if fits else [])] for n in names]
    return Answer(
        kind="profile",
        subject=entry,
        results={"entry": entry, "runs": listed, "fits": fits},
        blocks=[[Table(header, rows, "<" + ">" * len(measurements) + ("<" if fits else ""))]],
    )


def _entry(model: str, path: str) -> str:
    """`Class.method` from the first line of a translation."""
    title = re.search(r"^// .*?: ([\w.$]+)\(", model)
    return title[1] if title else f"{path.rpartition('/')[2].removesuffix('.java')}.run"


def _grid(settings: Sequence[str]) -> list[dict[str, int]]:
    """Every combination of the values of `n=1000,2000`; `ApetError` where they are no whole numbers."""
    chosen: dict[str, list[int]] = {}
    for text in settings:
        name, values = assignment("--set", text, "whole numbers")
        sizes = sorted(counts("--set", values, 0))
        if name in chosen or sizes[-1] >= 2**31:
            raise ApetError(bad_option("--set", text, f"'{name}' is set twice" if name in chosen else "more than 2^31"))
        chosen[name] = sizes
    grid = [dict(zip(chosen, one, strict=True)) for one in product(*chosen.values())]
    if len(grid) > MOST_RUNS:
        reason = f"these are {len(grid):,} combinations, more than {MOST_RUNS}"
        raise ApetError(bad_option("--set", " ".join(settings), reason))

    return grid
