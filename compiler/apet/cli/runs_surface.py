"""`apet predict` of runs over several parameters: a surface; which call path will not scale, which run to make next."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

from apet import api
from apet.answers.answer import Answer
from apet.cli import answering, rules
from apet.cli.conditions import parsed_conditions
from apet.cli.emitted import emitted
from apet.cli.errors import WrongCall, bad_option
from apet.ground.activity import Activity
from apet.ground.diagnostics import ApetError
from apet.ground.notation import GREATEST_TARGET, assignments, duration, span
from apet.ground.notation import targets as targets_of

if TYPE_CHECKING:
    from apet.runs.experiments import Experiment
    from apet.runs.read import ExperimentFile

MOST_TARGETS = 10_000
MOST_PARAMETERS = 5
FARTHER = (2.0, 4.0)


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of all runs that may vary in several parameters, and those of several."""
    parser.add_argument("--where", action="append", default=[], metavar="NAME=VALUE", help=WHERE)
    text = "which metric, or which benchmark of several (default: the time)"
    parser.add_argument("--metric", metavar="M", help=text)
    group = parser.add_argument_group("over several parameters")
    text = "parameters of the fit (default: all that vary)"
    group.add_argument("--parameters", metavar="n,P", default="", help=text)
    text = "the role of a parameter, if its name does not show it: P=procs or n=size"
    group.add_argument("--role", action="append", default=[], metavar="NAME=ROLE", help=text)
    text = "the parameters in names of files or jobs: 'n{n}_P{P}'"
    group.add_argument("--name-pattern", metavar="PATTERN", default="", help=text)

    group.add_argument("--phase", metavar="PATH", help="only this call path and those below it")
    text = "also print each call path: its shares now and at the target, and its growth"
    group.add_argument("--tree", action="store_true", help=text)
    text = "the order of --tree (default: share)"
    rules.needs(group.add_argument("--sort", choices=("share", "growth"), default="share", help=text), "--tree")
    group.add_argument("--next", action="store_true", help="also print the next run that is worth its cost")
    text = "the longest that the next run may take: '2 h'"
    rules.needs(group.add_argument("--budget", metavar="TIME", help=text), "--next")


WHERE = "keep runs with this value of a parameter: P=1, alg=cg; may be repeated"


def run(options: argparse.Namespace) -> None:
    """Read, fit, print."""
    if not options.runs:
        raise ApetError(
            WrongCall(None, None, "no file of runs is named", "name one, or plan runs: apet measure --plan")
        )

    names = tuple(n.strip() for n in options.parameters.split(",") if n.strip())
    conditions, roles = parsed_conditions(options.where), _roles(options.role)
    with Activity(f"reading {options.runs[0]}"):
        file = api.read_experiment(
            *options.runs,
            parameters=names,
            conditions=conditions,
            roles=roles,
            metric=options.metric,
            name_pattern=options.name_pattern,
        )
    experiment = file.experiment if options.phase is None else _phase(file.experiment, options.phase)
    targets = _targets(experiment, options.to)
    result = _answer(options, file, experiment, targets)
    if isinstance(result, Answer):
        answering.write(result, options)
    else:
        answering.write_text(result, options, "a formula")


def _answer(
    options: argparse.Namespace, file: ExperimentFile, experiment: Experiment, targets: Sequence[tuple[float, ...]]
) -> Answer | str:
    """The answer, or its formula in a form of its own."""
    from apet.runs.fit.surface.call_tree import call_tree
    from apet.runs.fit.surface.next_run import next_run
    from apet.runs.report.surface_answers import next_answer, surface_answer, tree_answer
    from apet.runs.surface_law import formula, law_text

    with Activity(f"fitting the runs over {', '.join(experiment.names)}"):
        fit = api.fit_surface(experiment, targets)
    if options.emit:
        return law_text(fit.law) if options.emit == "formula" else emitted(formula(fit.law), options.emit)
    with Activity("fitting the call paths"):
        rows, folded = call_tree(experiment, targets[-1]) if options.tree else ((), 0)
    if options.sort == "growth":
        rows = tuple(sorted(rows, key=lambda r: -max(r.growth.values())))
    budget = None if options.budget is None else float(duration("--budget", options.budget))
    with Activity("trying what another run would tell"):
        following = next_run(experiment, targets[-1], budget) if options.next else None
    about = (experiment.names, targets[-1])
    extra = [tree_answer(rows, folded, *about)] if options.tree else []
    return surface_answer(fit, file.notes, [*extra, *([next_answer(following, *about)] if options.next else [])])


def _roles(texts: Sequence[str]) -> dict[str, str]:
    roles = assignments("--role", texts)
    for name, role in roles.items():
        if role not in ("size", "procs"):
            raise ApetError(bad_option("--role", f"{name}={role}", "a role is size or procs"))
    return roles


def _phase(experiment: Experiment, path: str) -> Experiment:
    from apet.ground.diagnostics import nearest

    if path not in experiment.paths:
        listed = ", ".join(experiment.paths[:8]) or "none: the runs are not profiled"
        reason = f"there is no such call path{nearest(path, experiment.paths)}; there are: {listed}"
        raise ApetError(bad_option("--phase", path, reason))
    return experiment.phase(path)


def _targets(experiment: Experiment, texts: Sequence[str]) -> list[tuple[float, ...]]:
    """The points asked for, in their order; parameters that are not named have their largest value."""
    corner = experiment.largest
    if not texts:
        alone = [
            tuple(f * v if j == k else v for j, v in enumerate(corner)) for k in range(len(corner)) for f in FARTHER
        ]
        jointly = [tuple(f * v for v in corner) for f in FARTHER] if len(corner) > 1 else []
        return alone + jointly
    if len(texts) > MOST_TARGETS:
        raise ApetError(bad_option("--to", texts[0], f"more than {MOST_TARGETS:,} points"))

    return [point for text in texts for point in _target(experiment, text)]


def _target(experiment: Experiment, text: str) -> list[tuple[float, ...]]:
    """The points of one `--to`: all combinations of the values of its parameters."""
    values = {name: [largest] for name, largest in zip(experiment.names, experiment.largest, strict=True)}
    for name, listed in assignments("--to", re.split(r",(?=[^,]*=)", text)).items():
        if name in experiment.constants:
            _check_constant(text, name, listed, experiment.constants[name])
            continue
        if name not in values:
            raise ApetError(bad_option("--to", text, f"no parameter is named {name}; there are {', '.join(values)}"))
        if factor := re.fullmatch(r"([^:.]+(?:\.\d+)?)x", listed):
            values[name] = [values[name][0] * targets_of("--to", factor[1])[0]]
        else:
            values[name] = targets_of("--to", listed)
    return [*product(*values.values())]


def _check_constant(text: str, name: str, value: str, constant: float | str) -> None:
    from apet.runs.read.samples import as_value

    if as_value(value) != constant:
        reason = f"{name} is {constant if isinstance(constant, str) else f'{constant:.12g}'} in all runs"
        raise ApetError(bad_option("--to", text, reason))


def design(option: str, texts: Sequence[str]) -> tuple[list[str], list[tuple[float, ...]]]:
    """The parameters and the few points of a design over their ranges, as texts `n=100..1600`."""
    from apet.runs.fit.surface.next_run import few_points

    ranges = dict[str, tuple[float, float]]()
    for name, ends in assignments(option, texts).items():
        low, high = span(option, ends, name)
        if not 0 < low < high < GREATEST_TARGET:
            raise ApetError(bad_option(option, f"{name}={ends}", "two different ends above 0 are needed"))
        ranges[name] = float(low), float(high)
    if len(ranges) > MOST_PARAMETERS:
        raise ApetError(bad_option(option, ",".join(ranges), f"more than {MOST_PARAMETERS} parameters"))
    return list(ranges), few_points([*ranges.values()])


def plan(text: str) -> str:
    """A design as a table to fill in."""
    names, points = design("--plan", text.split(","))
    rows = [",".join([*(f"{v:.12g}" for v in x), ""]) for x in points]
    return "\n".join([f"# {len(points)} runs; write their times into the last column", ",".join([*names, "t"]), *rows])
