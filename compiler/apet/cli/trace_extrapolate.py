"""The verb `apet extrapolate`: a trace of another size and number of ranks, from a few traces of a program."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import chain

from apet import api
from apet.cli import answering, arguments, output, rules, trace_output
from apet.cli.errors import bad_option
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.traces.fold.folded import Folded
from apet.traces.lines.files import Output
from apet.traces.lines.header import header_of
from apet.traces.lines.sites import CallSite
from apet.traces.report.extrapolated import extrapolated_answer
from apet.traces.trace import Gap

DESCRIPTION = """Make one model of traces of a program that were taken with a few sizes and numbers of ranks, and of it
the trace at another point. Loop counts, partners, sizes of messages and volumes are fitted, exactly where that is
possible; what follows no rule is named."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("traces", nargs="+", metavar="TRACE", help="traces of one program, from 'apet record'")
    text = "a size, with a number for each trace (default: the arguments in which the commands differ)"
    parser.add_argument("--size", action="append", default=[], metavar="N=X,Y,…", dest="sizes", help=text)
    text = "the target sizes and number of ranks P; omit those that are the same in all traces"
    parser.add_argument("--to", required=True, metavar="N=X,P=Y", help=text)
    text = "accept an estimate from traces of one or two numbers of ranks; the trace is marked as such"
    parser.add_argument("--few-ranks", action="store_true", help=text)
    parser.add_argument("-o", "--output", metavar="F", help="write the trace; F.gz and F.xz are compressed")
    text = "lines of the model to show (default: 60; 0: all)"
    longest = parser.add_argument("--longest", type=arguments.Whole(), default=60, metavar="N", help=text)
    rules.without(longest, "--json")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(options: argparse.Namespace) -> None:
    """Make the model, and the trace."""
    output.check_writable(options.output)
    to = _point(options.to)
    model = api.trace_model(options.traces, options.sizes)
    folded = api.extrapolate_trace(model, to, few_ranks=options.few_ranks)

    gaps = list(dict.fromkeys(gap for trace in options.traces for gap in trace_output.warned(trace)))
    if options.few_ranks:
        gaps.append(Gap("incomplete", "an estimate: its rules are those of few numbers of ranks", 1))
    if options.output is not None:
        _write(folded, gaps, model.sites(), options.output)
    answer = extrapolated_answer(model, folded, options.longest if options.longest > 0 else None)
    output.show(answering.shown(answer, options))  # --output is the trace


def _write(folded: Folded, gaps: Sequence[Gap], sites: dict[int, CallSite], target: str) -> None:
    """Write the trace, and next to it where its actions are called."""
    from apet.traces.fold.unfolding import unfolded
    from apet.traces.lines.sites import write_call_sites

    head = header_of(gaps)

    def write(file: Output, ranks: Sequence[int]) -> None:
        file.write(head.encode())
        for _, text in unfolded(folded, ranks):
            file.write(f"{text}\n".encode())

    def write_sites(file: Output, ranks: Sequence[int], size: int) -> None:
        places = list(dict.fromkeys(sites.values()))
        number = {line: places.index(site) + 1 for line, site in sites.items()}
        numbers = ([number.get(line, 0)] for line, _ in unfolded(folded, ranks))
        write_call_sites(file, size, places, chain([[0] * head.count("\n")], numbers))

    separated = trace_output.separate(target)
    trace_output.write_parts(target, separated, folded.ranks, write, write_sites if sites else None)


def _point(text: str) -> dict[str, float]:
    settings = arguments.parsed_settings(text.split(","), "--to")
    ranges = [name for name, value in settings.items() if isinstance(value, Interval)]
    if ranges:
        raise ApetError(bad_option("--to", text, f"{ranges[0]} is a range; one value is needed"))
    return {name: float(value) for name, value in settings.items() if not isinstance(value, Interval)}
