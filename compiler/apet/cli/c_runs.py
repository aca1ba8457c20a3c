"""C functions measured here and predicted on a machine model."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from apet import c
from apet.c.measure.measuring import FLAGS
from apet.c.profile.profiling import profile
from apet.c.profile.timing import Formals, formals_of, timed
from apet.cli import output
from apet.cli.errors import WrongCall
from apet.cli.java_runs import predictor_on
from apet.ground.diagnostics import ApetError, render
from apet.ground.interval import Interval, Number
from apet.ground.source_files import read_source
from apet.java.errors import NoSizes
from apet.java.profile.call_times import CallTimes
from apet.java.task_values import of_formals
from apet.java.validate.kernels import read_sizes
from apet.java.validate.points import Point
from apet.machine import Machines
from apet.program.measure.samples import median


def validated(
    files: Sequence[str],
    sizes: str,
    machines: Machines,
    level: str | None,
    settings: Mapping[str, Number | Interval],
    runs: int,
    limit: float,
    progress: Callable[[str, float], None],
) -> list[Point]:
    """A point for each function that `sizes` names and each of its sizes: what its first whole formal is given.

    The mode of the compiler is that of the machine file. `settings` are the other formals.
    """
    by_function = read_sizes(sizes)
    others = {name: value for name, value in settings.items() if not isinstance(value, Interval)}
    if len(others) < len(settings):
        raise ApetError(
            WrongCall(None, None, "a function is called with numbers, not with ranges", "--set NAME=NUMBER")
        )
    mode = str(machines.provenance.get("mode"))
    mode = mode if mode in FLAGS else "O2"
    predict = predictor_on(machines)
    sources = [read_source(path) for path in files]
    found = [{name: formals for name in by_function if (formals := formals_of(s, name))} for s in sources]
    _refuse_unused(others, [formals for called in found for formals in called.values()], sizes)

    points: list[Point] = []
    for source, functions in zip(sources, found, strict=True):
        called = {name: formals for name, formals in functions.items() if formals.size}
        if not called:
            raise ApetError(NoSizes(None, None, os.path.basename(sizes), source.name))
        for name, (_, formal) in called.items():
            for n in by_function[name]:
                progress(f"{name}, {formal} = {n:,}", len(points) / sum(map(len, by_function.values())))
                given = {**others, str(formal): n}
                translation = c.translate(source, name, level or ("flat" if mode == "O0" else "core"), counted=True)
                counted = profile(source, translation, given, limit)
                for advisory in counted.advice:
                    output.advise(render(advisory))
                known = {**given, **of_formals(translation.text, given), **counted.values}
                values = {
                    k: float(v) for k, v in known.items() if k in translation.parameters and not isinstance(v, Interval)
                }
                interval = predict(translation.text, values, CallTimes())
                taken = timed(source, name, given, FLAGS[mode], runs, limit)
                points.append(Point(name, n, median(taken), taken, float(interval.lo), float(interval.hi)))
    return points


def _refuse_unused(settings: Mapping[str, Number], called: Sequence[Formals], sizes: str) -> None:
    """`ApetError` for a value that no call is given."""
    for name in settings:
        if any(name in formals.names and name != formals.size for formals in called):
            continue
        if any(name == formals.size for formals in called):
            raise ApetError(WrongCall(None, None, f"--set {name} has no effect: {sizes} gives it", "leave it out"))
        listed = ", ".join(dict.fromkeys(n for formals in called for n in formals.names))
        raise ApetError(WrongCall(None, None, f"--set {name}: no function has it", f"their formals: {listed}"))
