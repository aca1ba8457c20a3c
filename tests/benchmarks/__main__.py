"""APET's benchmarks: every comparison is measured beside its peer, in turn, in the same run.

    python -m tests.benchmarks                     all, five to ten minutes
    python -m tests.benchmarks -k parse --quick    one, on small inputs, to see that it works

prints Markdown tables, each as soon as it is measured; what cannot be measured is named at the end. With `--markdown
docs/evidence/speed.md` they stand between that page's markers, with all figures in `speed.csv` and the growth of
compile time drawn, but for errors of predictions, which are on the page of accuracy.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path

from tests.benchmarks import host, rendering
from tests.benchmarks.measure import ROOT, Table
from tests.benchmarks.plot import curves, write_growth

BENCHMARKS = {
    "predict": "startup:prediction",
    "compile": "compiling:growth",
    "shapes": "compiling:shapes",
    "wide": "formulas:wide",
    "deep": "formulas:deep",
    "sum": "formulas:closed",
    "value": "evaluating:value",
    "interval": "evaluating:guaranteed",
    "derivatives": "evaluating:derivatives",
    "parse": "compiling:parsing",
    "translate": "translating:translating",
    "profile": "profiling:profiling",
    "simulate": "simulating:events",
    "sweep": "sweeping:sweep",
    "batch": "batching:batch",
    "families": "batching:families",
    "scaling": "scaling:scaling",
    "laws": "laws:laws",
    "networks": "queueing:networks",
    "jobs": "queueing:jobs",
    "replay": "replaying:replay",
    "retime": "replaying:formula",
    "fold": "replaying:fold",
    "pages": "pages:pages",
}
"""Names to where they are; modules are imported when their benchmark runs."""
ERRORS = {"scaling", "laws"}
"""Which of them measure errors more than times."""
ON_THE_PAGE = {"predict", "compile", "parse", "sweep", "networks", "jobs", "replay"}
"""Which of them the page shows; the others are in its table of all figures."""
COMMAND = "python -m tests.benchmarks"


def benchmark(name: str) -> Callable[[bool], Table]:
    """The function of a benchmark; its argument says whether inputs are small."""
    if str(ROOT / "compiler") not in sys.path:
        sys.path.insert(0, str(ROOT / "compiler"))
    module, _, function = BENCHMARKS[name].partition(":")
    found: Callable[[bool], Table] = getattr(import_module(f"tests.benchmarks.{module}"), function)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, write; 2 if no benchmark has the name, 1 if one could not be measured."""
    options = _parser().parse_args(arguments)
    names = [name for name in BENCHMARKS if not options.only or any(k in name for k in options.only)]
    if not names:
        print(
            f"no benchmark is named {' or '.join(options.only)} (there are: {', '.join(BENCHMARKS)})", file=sys.stderr
        )
        return 2

    machine, command = host.describe(), COMMAND + (" --quick" if options.quick else "")
    tables: list[Table] = []
    failures: dict[str, str] = {}
    print(rendering.heading(machine, command), flush=True)
    for name in names:
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        try:
            table = benchmark(name)(options.quick)
        except Exception as error:  # whatever a peer or a missing program raises: the other tables count
            failures[name] = f"{type(error).__name__}: {error}"
            continue
        tables.append(table)
        print(rendering.section(table), flush=True)
        _write(tables, machine, command, options)

    for name, reason in failures.items():
        print(f"not measured: {name} ({reason})", file=sys.stderr)
    return 1 if failures else 0


def _write(tables: Sequence[Table], machine: Mapping[str, str], command: str, options: argparse.Namespace) -> None:
    """Put what is measured so far into the files that the command names."""
    if options.json:
        options.json.write_text(json.dumps(rendering.data(tables, machine), indent=1) + "\n", encoding="utf-8")
    if options.markdown:
        times = [table for table in tables if table.name not in ERRORS]
        shown = [table for table in times if options.only or table.name in ON_THE_PAGE]
        rendering.insert(options.markdown, rendering.markdown(shown, machine, command))
        rendering.write_figures(options.markdown.with_suffix(".csv"), times)
        _draw(tables, options.markdown)


def _draw(tables: Sequence[Table], page: Path) -> None:
    for table in tables:
        if curves(table, "s") and curves(table, "MiB"):
            write_growth(table, page.resolve().parent.parent / "images" / f"{table.name}-growth.svg")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=COMMAND, description="Measure APET beside its peers.")
    parser.add_argument(
        "-k", dest="only", action="append", metavar="NAME", help="only benchmarks with this in the name"
    )
    parser.add_argument("--quick", action="store_true", help="small inputs and few runs: to see that it works")
    parser.add_argument("--json", type=Path, metavar="F", help="write all figures, in seconds and bytes")
    parser.add_argument("--markdown", type=Path, metavar="F", help="put the tables between the markers of a page")
    return parser


if __name__ == "__main__":
    sys.exit(main())
