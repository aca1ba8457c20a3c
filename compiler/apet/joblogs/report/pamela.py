"""A log as a model in PAMELA-E: one line per stage, however many tasks it has.

A stage is its longest task beside the others, each of their mean: that has the same work and the same longest path, and
so the same bounds. Segments follow each other; the units of one that is no chain are a task graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from apet.joblogs.job_log import US, JobLog
from apet.joblogs.rules.work import WorkGraph, WorkUnit
from apet.joblogs.segments import segments

MOST_CORES = 4096


def pamela_text(log: JobLog, work: WorkGraph, version: str) -> str:
    """The model, with parameters `cores` and `spread`."""
    name = "".join(c if c.isprintable() else "?" for c in log.name)
    steps, equations = list[str](), list[str]()
    for part in segments(work.units):
        steps += [_step(work.units[part[0]], part[0]) if len(part) == 1 else _graph(work.units, part)]
        equations += [_equation(work.units[k], k) for k in part if work.units[k].holds]

    lines = [
        f"// {name}: {len(log.jobs)} jobs, {work.tasks} tasks on {work.cores} cores, {log.end / US:g} s",
        f"// written by apet {version}",
        f"param cores = {work.cores} in [1, {max(MOST_CORES, work.cores)}];",
        "param spread = 0 in [0, 0.5];",
        "resource pool servers cores;",
        "",
    ]
    body = ";\n      ".join(step for step in steps if step) or "delay(0)"
    return "\n".join([*lines, f"L = {{ {body} }};", *equations]) + "\n"


def _step(unit: WorkUnit, k: int) -> str:
    return _name(k) if unit.holds else _delay(unit.delay + unit.tail)


def _graph(units: Sequence[WorkUnit], part: Sequence[int]) -> str:
    """The units of a segment, each behind those that it waits for."""
    inside = set(part)
    parts = list[str]()
    for k in part:
        after = ", ".join(f"u{p}" for p in sorted(set(units[k].before) & inside))
        parts.append(f"u{k}: {_step(units[k], k) or 'delay(0)'}" + (f" after {after}" if after else ""))
    return "graph {\n          " + ";\n          ".join(parts) + " }"


def _equation(unit: WorkUnit, k: int) -> str:
    count, longest = len(unit.holds), max(unit.longest, unit.longest_hold)
    use = f"use(pool, {_seconds(Fraction(longest))} * (1 + spread))"
    if count > 1:
        mean = Fraction(max(0, unit.work - longest), count - 1)
        use = f"{{ {use} || par (i = 1, {count - 1}) use(pool, {_seconds(mean)} * (1 + spread)) }}"
    steps = [step for step in (_delay(unit.delay), use, _delay(unit.tail)) if step]
    return f"{_name(k)} = {{ {'; '.join(steps)} }};  // {unit.name}: {count} tasks"


def _name(k: int) -> str:
    return f"s{k}"


def _delay(microseconds: int) -> str:
    return f"delay({_seconds(Fraction(microseconds))})" if microseconds else ""


def _seconds(microseconds: Fraction) -> str:
    return f"{float(microseconds) / US:.9g}" if microseconds >= US / 1000 else f"{float(microseconds) / US:.9f}"
