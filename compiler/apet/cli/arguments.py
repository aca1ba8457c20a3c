"""Options that several verbs share, and what their texts mean."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence

from apet.api.arguments import BRANCHES, SCHEDULES, parse_value
from apet.api.kinds import MODEL, QUEUE, RUNS, TRACE
from apet.cli import conditions, rules
from apet.cli.errors import bad_option
from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.interval import Interval, Number
from apet.ground.notation import MOST_COUNTED, assignment, count, counts
from apet.ground.records import Record
from apet.model.given_tables import is_table

NETWORKS = ("none", "bus", "switch")
MOST_SOUGHT = 1024
"""Processors among which an answer is sought where nothing limits them."""


class Whole(Record):
    """What an option takes: one whole number from `least` to `most`, in the notation of all numbers."""

    least: int = 0
    most: int = MOST_COUNTED

    def parsed(self, option: str, text: str) -> int:
        """The number; `ApetError` naming the option."""
        return count(option, text, self.least, self.most)

    def __call__(self, text: str) -> int:
        """As `argparse` calls a type."""
        return self.parsed("", text)


def takes(parser: argparse.ArgumentParser, *kinds: str) -> bool:
    """Whether a parser is for files of one of these kinds, or for all of them."""
    kind = vars(parser).get("kind", "")
    return not kind or kind in kinds


def model(parser: argparse.ArgumentParser) -> None:
    """The file, and of a model the equation to begin with."""
    parser.add_argument("model", metavar="FILE", help=MODEL_HELP)
    entry(parser)


def entry(parser: argparse.ArgumentParser) -> None:
    """The equation to begin with."""
    if takes(parser, MODEL):
        parser.add_argument("--entry", metavar="E", help="the equation to start from (default: L, else the first)")


MODEL_HELP = """a PAMELA-E, PASL or Java file, measured runs, a queueing network, a trace or a job log, or the name of a
    sample; the options are those for its kind"""


def formulas(parser: argparse.ArgumentParser, quantity: bool = True) -> None:
    """How to make a formula of runs, queues and traces; `quantity` unless the verb has an option --of of its own."""
    if quantity and takes(parser, QUEUE):
        parser.add_argument("--of", metavar="Q", default="", help=QUANTITY_HELP)
    if takes(parser, RUNS):
        _of_runs(parser)
    if takes(parser, TRACE):
        text = "hosts and links: SimGrid's XML, or a machine file in TOML"
        parser.add_argument("--platform", metavar="P.xml", help=f"of a trace: {text}")
        parser.add_argument("--hostfile", metavar="H", help="of a trace: hosts of ranks, one per line")


def _of_runs(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("measured runs")
    text = "of runs: auto, powerlaw, fractal (sizes), adept, amdahl, usl (processors)"
    group.add_argument("--method", metavar="M", default="auto", help=text)

    text = "of runs: what varies, if the file does not state it (default: size)"
    group.add_argument("--kind", choices=("size", "procs"), default="", help=text)
    group.add_argument("--curve", metavar="ID", help="of runs: the curve, if the file has several")
    group.add_argument("--metric", metavar="NAME", help="of runs: which metric of an Extra-P file")
    text = "of runs: the parameters to predict over, if several vary: n,P"
    group.add_argument("--parameters", metavar="N,P", default="", help=text)
    conditions.option(group)


QUANTITY_HELP = """of a queue: response (default), throughput, utilization, bounds; with a class or station in brackets,
    as in utilization[disk]"""


def branches(parser: argparse.ArgumentParser) -> None:
    """How branches are weighed."""
    if not takes(parser, MODEL):
        return
    text = "how `if` is weighed: by its probability (default), by one half, or always the better or worse side"
    parser.add_argument("--branches", choices=BRANCHES, default="probability", help=text)


def machines(parser: argparse.ArgumentParser, required: bool = True) -> None:
    """The machine model."""
    if not takes(parser, MODEL):
        return
    text = "a machine file (TOML), the name of a shipped one, 'this' for this machine, measured if necessary"
    text += ", or 'cores=8, op.NAME=1ns, latency=2us, bandwidth=10Gbit/s' for first steps"
    text += "" if required else "; models without operations and messages, runs, queues and traces need none"
    parser.add_argument("--machines", "-m", metavar="M", required=required, help=text)


def setting(parser: argparse.ArgumentParser) -> None:
    """Values of parameters."""
    text = "a parameter's value: n=1e9, s='8 kB', a range q=0.1..0.3, or a table: 'size=[4, 8]', size=file.csv; "
    text += "may be repeated"
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", dest="settings", help=text)


def configuration(parser: argparse.ArgumentParser, processors: str = "how many processors (default: all)") -> None:
    """How many processors, values of parameters, how branches count and how tasks are dealt."""
    if takes(parser, MODEL, RUNS):
        parser.add_argument("-P", "--processors", metavar="N", help=processors)
    setting(parser)
    branches(parser)
    if not takes(parser, MODEL):
        return
    text = "how share[p] deals tasks: all in advance (static), or half of them (join)"
    parser.add_argument("--schedule", choices=SCHEDULES, default="static", help=text)


def engine(parser: argparse.ArgumentParser, workers: str) -> None:
    """Where the rows of a table are computed; `workers` is the help of that option."""
    text = "compute here, or on Dask workers (default: local)"
    parser.add_argument("--engine", choices=("local", "dask"), default="local", help=text)
    text = "compute on the workers of this Dask scheduler, such as tcp://host:8786"
    rules.without(parser.add_argument("--dask", dest="scheduler", metavar="ADDRESS", help=text), "--engine local")
    parser.add_argument("--workers", metavar="N", type=Whole(1), help=workers)


def results(parser: argparse.ArgumentParser) -> argparse.Action:
    """In which form the result is written, and where; `main` checks the file before the work begins."""
    parser.set_defaults(writes_result=True)
    parser.add_argument("-o", "--output", metavar="F", help="write the result to a file")
    return parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def limits(parser: argparse.ArgumentParser) -> None:
    """How much time and memory the call may take."""
    group = parser.add_argument_group("limits")
    text = "stop after this time, such as 90s or 10min, with a message that names the step"
    group.add_argument("--time-limit", metavar="TIME", help=text)
    text = "stop if APET needs more memory than this, such as 2GB; the programs it runs do not count"
    group.add_argument("--memory-limit", metavar="SIZE", help=text)


def parsed_settings(texts: Sequence[str], option: str = "--set") -> dict[str, Number | Interval]:
    """Values by name; `ApetError` with everything that is wrong with the `--set` options, or others like them."""
    values: dict[str, Number | Interval] = {}
    errors: list[Diagnostic] = []
    for text in texts:
        try:
            name, value = assignment(option, text)
            if name in values:
                errors.append(bad_option(option, text, f"{name} is set twice"))
            elif not is_table(value):
                values[name] = parse_value(name, value)
        except ApetError as error:
            errors += error.diagnostics
    if errors:
        raise ApetError(errors)

    return values


def table_settings(options: argparse.Namespace) -> dict[str, str]:
    """The tables among the `--set` options, if the verb has any: lists, or names of files."""
    pairs = (text.partition("=") for text in getattr(options, "settings", ()))
    return {name.strip(): value.strip() for name, _, value in pairs if is_table(value.strip())}


def calibration_size(text: str | None) -> int | None:
    """The size of the run that calibrates: 0 for `smallest`, -1 for `near`, None for none; `ApetError` for anything
    else."""
    if text is None:
        return None
    named = {"smallest": 0, "near": -1}.get(text.strip())
    return count("--calibrate-at", text, 1) if named is None else named


def parsed_processors(text: str | None, option: str = "-P") -> list[int | None]:
    """The numbers of processors, or what else an option counts, in the order given, each once; [None] where nothing is
    given. `ApetError` if wrong."""
    return [None] if text is None else [*counts(option, text)]


ONE = "name one of them: -P 8"


def one_count(options: argparse.Namespace) -> int | None:
    """The number of processors of a verb that takes one; None where none is named. `ApetError` for several."""
    first, *others = parsed_processors(options.processors)
    if others:
        raise ApetError(bad_option("-P", options.processors, "one number of processors is needed", ONE))
    return first


def processor_counts(options: argparse.Namespace) -> list[int | None]:
    """The numbers of processors of a verb that writes about each; `ApetError` for several in one JSON or picture."""
    several = parsed_processors(options.processors)
    if len(several) > 1 and (options.json or getattr(options, "plot", None)):
        raise ApetError(bad_option("-P", options.processors, "one number of processors for --json and --plot", ONE))
    return several


def cores_needed(options: argparse.Namespace) -> int:
    """How many processors the options of a verb name at most, 0 for none: a model that needs no machine file gets as
    many.

    They are in -P, in what varies (P=1:64), and in where a number of processors is sought.
    """
    texts = [getattr(options, "processors", None) or ""]
    varied = (getattr(options, "vary", None) or [], getattr(options, "axes", None) or [])
    texts += [text[2:] for listed in varied if isinstance(listed, list) for text in listed if text.startswith("P=")]
    if "within" in options and getattr(options, "name", None) in (None, "P"):
        texts.append(options.within or str(MOST_SOUGHT))
    return max([0, *(n for text in texts for part in re.split(r"[,:]|\.\.", text) if (n := _counted(part)))])


def _counted(part: str) -> int:
    """A whole number in a part of a list; 0 for what is none, which is refused where the list is read."""
    try:
        return min(count("-P", part), 10**9)
    except ApetError:
        return 0
