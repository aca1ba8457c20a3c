"""`apet profile`: trip counts and branch probabilities from a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

DESCRIPTION = """Run a Java task with counters in it, at small sizes, and give the parameters of its model values:
rounds of loops, probabilities of branches, calls of recursive methods, mispredictions of a simulated branch predictor.
With several sizes each parameter is fitted as a function of the size."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("source", metavar="FILE.java", help="a Java file")
    parser.add_argument("--entry", metavar="E", help="the method to begin with (default: run of the file's class)")
    text = "the size, or several: n=1000,2000,4000; given to setup(int) if there is one, else to the method"
    parser.add_argument("--set", dest="setting", metavar="NAME=N,...", default="", help=text)
    parser.add_argument("--limit", metavar="S", default="60", help="seconds after which a run is stopped (default: 60)")
    parser.add_argument("--json", action="store_true", help="for programs: JSON")


def run(options: argparse.Namespace) -> None:
    """Run at each size, show values and fits."""
    from apet import driver
    from apet.calibrate.fits import fitted
    from apet.calibrate.jvm import find_jdk
    from apet.calibrate.profiling import check_fresh, profile, values
    from apet.cli import arguments, output

    check_fresh(options.source)
    name, sizes = _sizes(options.setting)
    limit = float(arguments.whole("--limit", options.limit))
    jdk = find_jdk()
    translation = driver.translate(options.source, entry=options.entry)
    owner, _, method = _entry(translation.text, options.source).rpartition(".")
    found: list[tuple[int | None, dict[str, float]]] = []
    wanted: list[int | None] = [*sizes] or [None]
    for size in wanted:
        given = [] if size is None else [size]
        one = profile(jdk, options.source, (owner, method), given, True, limit)
        found.append((size, values(translation.text, one, True)))
    names = list(found[0][1])
    fits = {n: fitted(sizes, [v[n] for _, v in found], name) for n in names} if len(sizes) > 1 else {}
    if options.json:
        import json

        runs = [{"size": size, "values": v} for size, v in found]
        output.show(json.dumps({"entry": f"{owner}.{method}", "runs": runs, "fits": fits}, indent=1))
        return
    from apet.report.tables import table

    header = ["parameter", *("value" if s is None else f"{name} = {s:,}" for s, _ in found), *(["fit"] if fits else [])]
    rows = [[n, *(f"{v[n]:.6g}" for _, v in found), *([fits[n]] if fits else [])] for n in names]
    output.show("\n".join(table(header, rows, "<" + ">" * len(found) + ("<" if fits else ""))))


def _entry(model: str, path: str) -> str:
    """`Class.method` from the first line of a translation."""
    import re

    title = re.search(r"^// .*?: ([\w.$]+)\(", model)
    return title[1] if title else f"{path.rpartition('/')[2].removesuffix('.java')}.run"


def _sizes(text: str) -> tuple[str, Sequence[int]]:
    """The name and the values of `n=1000,2000`; `ApetError` where they are no whole numbers."""
    if not text:
        return "n", []
    from apet.cli.mistakes import BadSetting
    from apet.diagnostics import ApetError

    name, equals, values = text.partition("=")
    parts = [p.strip() for p in values.split(",")]
    if not equals or not name.strip() or not all(p.isdecimal() and int(p) < 2**31 for p in parts):
        raise ApetError(BadSetting(None, None, text, "a name and whole numbers are needed: n=1000,2000,4000"))
    return name.strip(), sorted({int(p) for p in parts})
