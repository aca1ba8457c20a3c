"""Programs in place of models: what this machine and a run with counters say of the parameters of their models."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from apet.api.arguments import located
from apet.ground.interval import Interval, Number

if TYPE_CHECKING:
    from apet.java.jvm import Jdk
    from apet.java.profile.profiling import RunProfile
    from apet.machine import Machines

Values = dict[str, Number | Interval]
ENDINGS = (".java", ".pasl")


def is_program(path: str | os.PathLike[str]) -> bool:
    """Whether a file is Java or a task graph."""
    return os.fspath(path).lower().endswith(ENDINGS)


def usual_level(machines: Machines) -> str:
    """The cost level that a machine file has operations for: "core" of one that measured a compiled program."""
    return "core" if any(name.startswith("tp_") for name in machines.operations) else "flat"


def host_values(machines: Machines) -> dict[str, Number]:
    """What a measured machine file says of parameters of translated models: sizes of caches and vectors."""
    told = machines.provenance.get("parameters")
    return dict(told) if isinstance(told, dict) else {}


def remembered(machines: Machines) -> float:
    """Mispredictions that the machine's branch predictor remembers from run to run."""
    from apet.java.profile.profiling import LEARNT

    return float(host_values(machines).get("predictor_memory", LEARNT))


def counted_text(path: str | os.PathLike[str], entry: str | None, level: str) -> str:
    """The model of a program that leaves open what a run can count, whatever a task graph says of it."""
    from apet import java, pasl
    from apet.ground.source_files import read_source

    source = read_source(located(path))
    if os.fspath(path).lower().endswith(".java"):
        return java.translate(source, entry, level).text
    return pasl.translate(source, java.translate, level, usual_level=level, counted=True).text


def counted_values(
    path: str | os.PathLike[str], text: str, machines: Machines, workers: int | None, given: Mapping[str, Number]
) -> Values:
    """What a run with counters says of the parameters of `text`. `given` are the sizes that tasks are called with.

    Raises `ApetError` without a JDK or tree-sitter, for a size that is missing, and for a task that throws.
    """
    from apet.java.jvm import find_jdk
    from apet.java.profile.profiling import values

    jdk, place = find_jdk(), located(path)
    learnt = remembered(machines)
    if os.fspath(path).lower().endswith(".java"):
        found = _task(jdk, os.fspath(place), text, given)
        return dict(values(text, found, True, learnt))
    from apet.api.workloads import workload
    from apet.ground.source_files import read_source
    from apet.java.profile.task_profiles import profile_tasks

    work = workload(read_source(place), machines.configure(workers), "static", given)
    import tempfile  # brings hashes and random numbers, which no other verb needs

    with tempfile.TemporaryDirectory(prefix="apet-") as folder:
        return dict(values(text, profile_tasks(jdk, work.batches, True, LIMIT, folder), True, learnt))


LIMIT = 120.0


def _task(jdk: Jdk, path: str, text: str, given: Mapping[str, Number]) -> RunProfile:
    """One run of a Java task: a class with setup(int) at its only size, else with formals by their names."""
    from apet.java.profile.profiling import profile
    from apet.java.profile.sources import text_of
    from apet.java.profile.task_profiles import profile_tasks
    from apet.java.profile.workload import BatchWork, MessageSizes

    title = re.match(r"// .*?: ([\w.$]+)\.([\w$]+)\(", text)
    assert title is not None
    java = text_of(path)
    if re.search(r"\bsetup\s*\(\s*(?:final\s+)?int\b", java):
        sizes = [int(v) for v in given.values()]
        return profile(jdk, path, (title[1], title[2]), sizes, True, LIMIT)
    row = tuple(float(v) for v in given.values())
    nothing = MessageSizes(None, None, None, None)
    work = BatchWork("task", path, title[1], title[2], 1, True, nothing, 0, tuple(given), (row,), (), ())
    import tempfile  # brings hashes and random numbers, which no other verb needs

    with tempfile.TemporaryDirectory(prefix="apet-") as folder:
        return profile_tasks(jdk, [work], True, LIMIT, folder)
