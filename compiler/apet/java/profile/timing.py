"""Times one run of a method, warm, as CPU time of its thread, in a JVM of its own."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from apet.java.harness_classes import harness_classes
from apet.java.jvm import CLASSPATH, HEAP, MODES, Jdk, compile_java, quiet_core, run_java
from apet.java.parse.class_files import package_of
from apet.java.profile.sources import compilable, folders_of, source_path_flags, text_of

BUDGET_MS, WARM_MS = 60.0, 200.0
VIRTUAL_MACHINES = 3
"""How many time a task that calibrates: one start may compile it otherwise than the next."""


def time_class(
    jdk: Jdk,
    folder: str,
    entry: tuple[str, str],
    sizes: Sequence[int],
    mode: str,
    budget: tuple[float, float],
    limit: float,
) -> float:
    """Seconds of one run of a method of a compiled class, after `setup` of its sizes where there is one. `budget` are
    the milliseconds of measuring and of warming up, `limit` the seconds after which the JVM is stopped."""
    of_run = ",".join(map(str, sizes))
    words = [
        *MODES[mode],
        *HEAP,
        "-cp",
        os.pathsep.join((folder, harness_classes(jdk), *CLASSPATH)),
        "KernelTimer",
        entry[0],
        of_run,
        f"{budget[0]:g}",
        f"{budget[1]:g}",
    ]
    return float(run_java(jdk, [*words, entry[1]], f"{entry[0]} at {of_run}", limit, quiet_core()).split()[0])


def time_task(
    jdk: Jdk, path: str, entry: tuple[str, str], sizes: Sequence[int], mode: str, limit: float, folder: str
) -> list[float]:
    """The same of a source file, which is compiled into a folder with the classes beside it that it names: in several
    virtual machines, as far as all of them end within the limit."""
    beside = source_path_flags(folders_of(path), folder)
    compile_java(jdk, [*beside, compilable(path, folder)], folder, os.path.basename(path), harness_classes(jdk))
    own = (package_of(text_of(path)) + entry[0], entry[1])

    def timed() -> float:
        return time_class(jdk, folder, own, sizes, mode, (BUDGET_MS, WARM_MS), limit)

    begun = time.monotonic()
    seconds = [timed()]
    took = time.monotonic() - begun
    return [*seconds, *(timed() for _ in range(min(VIRTUAL_MACHINES, int(limit / took)) - 1))]
