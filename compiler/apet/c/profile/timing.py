"""The processor time of a C function as it is: its source built with the flags of a mode, called again and again."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from apet.c import errors
from apet.c.compiling import build
from apet.c.parse.flags import flags_of, of_compiler
from apet.c.parse.kinds import kind_of
from apet.c.parse.libclang import children_of
from apet.c.parse.reading import read_unit
from apet.c.profile.profiling import RANDOM, call_of
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Number
from apet.ground.source import Source
from apet.program import types

SAMPLE_S = 0.02
"""Seconds that calls are repeated for: many ticks of the clock."""
MAIN = """
#undef main
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
{random}
static double apet_now(void) {{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}}
static __typeof__({entry}) *volatile apet_call = {entry};
int main(void) {{
{arrays}
    apet_call{arguments};
    for (long calls = 1;; calls *= 2) {{
        double start = apet_now();
        for (long k = 0; k < calls; k++) apet_call{arguments};
        double taken = apet_now() - start;
        if (taken >= {sample}) return printf("%.9g", taken / calls) < 0;
    }}
}}
"""
"""Behind the source: the entry is called by a pointer that may change, so that no call is moved or left out."""


class Formals(NamedTuple):
    """The names of all formals of a function that are numbers, and the first whole one, None without one."""

    names: tuple[str, ...]
    size: str | None


def formals_of(source: Source, entry: str) -> Formals | None:
    """Those of a function; None without the function."""
    function = read_unit(source, flags_of(source.name, ())).functions.get(entry)
    if function is None:
        return None
    formals = {str(c.spelling): kind_of(c.type) for c in children_of(function) if c.kind.name == "PARM_DECL"}
    numbers = {name: kind for name, kind in formals.items() if not kind.dimensions}
    return Formals(tuple(numbers), next((n for n, kind in numbers.items() if kind.name in types.INTEGRAL), None))


def timed(
    source: Source, entry: str, settings: Mapping[str, Number], mode: Sequence[str], runs: int, limit: float
) -> tuple[float, ...]:
    """Seconds of processor time of a call, in each of so many runs of a program, built with the flags of `mode`."""
    unit = read_unit(source, flags_of(source.name, ()))
    flags = [*of_compiler(flags_of(source.name, ())), *unit.beside]
    call, arrays, _ = call_of(unit, entry, settings)
    main = MAIN.format(random=RANDOM, entry=entry, arrays=arrays, arguments=call.removeprefix(entry), sample=SAMPLE_S)
    with tempfile.TemporaryDirectory(prefix="apet-") as folder:
        with open(os.path.join(folder, "timed.c"), "w", encoding="utf-8") as file:
            file.write(f'#define main apet_main_of_the_program\n#line 1 "{os.path.basename(source.name)}"\n')
            file.write(source.text + main)
        own = f"-I{os.path.dirname(os.path.abspath(source.name))}"
        build(os.path.basename(source.name), [*mode, "-w", *flags, own, "-o", "timed", "timed.c", "-lm"], folder)
        return tuple(_run(os.path.join(folder, "timed"), entry, limit) for _ in range(runs))


def _run(program: str, entry: str, limit: float) -> float:
    try:
        run = subprocess.run([program], capture_output=True, text=True, errors="replace", check=False, timeout=limit)
    except subprocess.TimeoutExpired as e:
        raise ApetError(errors.RunEnded(None, None, entry, 124, f"it takes more than {limit:g} s")) from e
    if run.returncode:
        raise ApetError(errors.RunEnded(None, None, entry, run.returncode, run.stderr.strip()[:500] or "no output"))
    return float(run.stdout.rpartition("\n")[2].split()[-1])
