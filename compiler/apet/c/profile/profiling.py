"""Runs a C task with counters: the source with them, a `main` that calls the entry, and the counts that it writes."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from apet.c import errors
from apet.c.compiling import build
from apet.c.parse.flags import flags_of, of_compiler
from apet.c.parse.kinds import kind_of
from apet.c.parse.libclang import children_of
from apet.c.parse.reading import CUnit, read_unit
from apet.c.profile.counters import Counters
from apet.c.profile.edits import Edits, macro_extents
from apet.ground.diagnostics import Advisory, ApetError
from apet.ground.interval import Number
from apet.ground.source import Source
from apet.program import types
from apet.program.translation import Translation

ASSUMED = 64
"""What a number is that nobody has set."""
LEAST_ELEMENTS, MOST_ELEMENTS = 4096, 1 << 24
TAIL = """
#undef main
#include <stdio.h>
#include <stdlib.h>
static void apet_report(void) {{
    const char *path = getenv("APET_COUNTS");
    FILE *file = path ? fopen(path, "w") : 0;
    if (!file) return;
    for (int k = 0; k < {many}; k++) fprintf(file, "%lld %lld %.17g\\n", apet_n[k][0], apet_n[k][1], apet_sum[k]);
{fields}
    fclose(file);
}}
static void __attribute__((constructor)) apet_begin(void) {{ atexit(apet_report); }}
"""
RANDOM = """
static unsigned apet_seed = 17;
static inline unsigned apet_random(void) { apet_seed = apet_seed * 1664525u + 1013904223u; return apet_seed >> 8; }
"""
MAIN = "int main(void) {{\n{arrays}\n    {call};\n    return 0;\n}}\n"


class ProfiledRun(NamedTuple):
    """Values of parameters by name, and what the run was given that nobody had set."""

    values: Mapping[str, float]
    advice: Sequence[Advisory]


def profile(source: Source, translation: Translation, settings: Mapping[str, Number], limit: float) -> ProfiledRun:
    """One run of the entry of a translation. Raises `ApetError` where the program does not build, fails, or takes
    longer than `limit` seconds."""
    flags = flags_of(source.name, ())
    unit = read_unit(source, flags)
    file = unit.classes[0]
    for method in file.methods:
        _ = method.body  # what is read is placed
    edits = Edits(source.text, macro_extents(unit.tree, source.name))
    counters = Counters(unit, file.name, edits)
    wanted = counters.add(translation.parameters)
    entry = next(m.name for m in file.methods if translation.text.find(f".{m.name}(", 0, 300) > 0)
    call, arrays, assumed = call_of(unit, entry, settings)
    fields = "\n".join(f'    fprintf(file, "%.17g 0 0\\n", (double) {name});' for name in counters.fields.values())
    text = counters.head() + ("" if entry == "main" else "#define main apet_main_of_the_program\n#line 1\n")
    text += edits.text() + TAIL.format(many=counters.many, fields=fields) + RANDOM
    text += "" if entry == "main" else MAIN.format(arrays=arrays, call=call)
    rows = _run(source, text, (*of_compiler(flags), *unit.beside), entry, limit)
    counted = {name: counter.value(*rows[counter.number]) for name, counter in wanted.items()}
    counted |= {name: rows[counters.many + k][0] for k, name in enumerate(counters.fields)}
    advice = [errors.AssumedData(None, None, entry, ", ".join(assumed))] if assumed else []
    return ProfiledRun(counted, advice)


def _run(source: Source, text: str, flags: Sequence[str], entry: str, limit: float) -> list[tuple[float, float, float]]:
    folder_of_source = os.path.dirname(os.path.abspath(source.name))
    with tempfile.TemporaryDirectory(prefix="apet-") as folder:
        with open(os.path.join(folder, "counted.c"), "w", encoding="utf-8") as file:
            file.write(text)
        words = ["-O1", "-w", *flags, f"-I{folder_of_source}", "-o", "counted", "counted.c", "-lm"]
        build(f"{os.path.basename(source.name)} with counters", words, folder)
        counts = os.path.join(folder, "counts")
        try:
            run = subprocess.run(
                [os.path.join(folder, "counted")],
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
                timeout=limit,
                env={**os.environ, "APET_COUNTS": counts},
                cwd=folder,
            )
        except subprocess.TimeoutExpired as e:
            raise ApetError(errors.RunEnded(None, None, entry, 124, f"it takes more than {limit:g} s")) from e
        if not os.path.exists(counts):
            raise ApetError(errors.RunEnded(None, None, entry, run.returncode, run.stderr.strip()[:500] or "no output"))
        with open(counts, encoding="utf-8") as file:
            return [(float(a), float(b), float(c)) for a, b, c in (line.split() for line in file)]


def call_of(unit: CUnit, entry: str, settings: Mapping[str, Number]) -> tuple[str, str, list[str]]:
    """The call of the entry, the arrays that it is given, and what of it nobody has set."""
    formals = [c for c in children_of(unit.functions[entry]) if c.kind.name == "PARM_DECL"]
    sizes = [int(settings.get(c.spelling, ASSUMED)) for c in formals if kind_of(c.type).name in types.INTEGRAL]
    most = max([*(s for s in sizes if s > 0), 1])
    words, arrays, assumed = list[str](), list[str](), list[str]()
    for k, formal in enumerate(formals):
        kind = kind_of(formal.type)
        if kind.dimensions:
            arrays.append(_array(k, formal, most))
            words.append(f"(void *) apet_a{k}")
            continue
        if formal.spelling not in settings:
            assumed.append(f"{formal.spelling} = {ASSUMED}")
        words.append(str(settings.get(formal.spelling, ASSUMED)) if kind.name in types.BYTES else "0")
    return f"{entry}({', '.join(words)})", "\n".join(arrays), assumed


def _array(k: int, formal: Any, most: int) -> str:
    """Memory for a pointer, filled with what may be subscripts, or with fractions; of pointers to pointers, rows."""
    kind = kind_of(formal.type)
    many = max(LEAST_ELEMENTS, min(most * most + most, MOST_ELEMENTS))
    pointee = formal.type.get_canonical()
    rows = pointee.kind.name == "POINTER" and pointee.get_pointee().get_canonical().kind.name == "POINTER"
    plain = kind.name in types.BYTES
    element = _ELEMENTS.get(kind.name, kind.name) if plain else "char"
    value = f"apet_random() % {most}u" if kind.name in types.INTEGRAL else "apet_random() / 16777216.0"
    value = "'a' + apet_random() % 26" if kind.name in ("byte", "uchar") else value
    if rows:
        side = max(64, min(most, 4096)) + 1
        return (
            f"    {element} **apet_a{k} = malloc({side} * sizeof(void *));\n"
            f"    for (long i = 0; i < {side}; i++) {{ apet_a{k}[i] = malloc({side} * sizeof({element}));\n"
            f"        for (long j = 0; j < {side}; j++) apet_a{k}[i][j] = {value}; }}"
        )
    size = f"sizeof({element})" if plain else "64"
    filled = f"    for (long i = 0; i < {many} - 1; i++) apet_a{k}[i] = {value};" if plain else ""
    return f"    {element} *apet_a{k} = calloc({many}, {size});\n{filled}"


_ELEMENTS = {
    **{"boolean": "_Bool", "byte": "char", "uchar": "unsigned char", "ushort": "unsigned short"},
    **{"uint": "unsigned", "ulong": "unsigned long"},
}
