"""The part of the recorder that is written from the MPI's own header.

Bindings for Fortran call `PMPI_` functions where they have no need of C's types (MPICH's `mpi_f08`) or throughout (Open
MPI): each `PMPI_` function of a call that is recorded leads back to the recorder unless that itself, or MPI, calls it.
What moves data and has no form in a trace gets a function that counts it under its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

NAMED = re.compile(r"\bint\s+(MPI_\w+)\s*\(")
FILES = re.compile(r"MPI_File_i?(read|write)")
LOOKS = re.compile(r"MPI_(Parrived|Request_get_status)$")
"""Calls that programs poll with: what they take is no computing."""
COUNTED = re.compile(r"MPI_(Comm_(spawn|accept|connect|join)|Intercomm_create_from_groups)")
HEAD = '#define _GNU_SOURCE\n#include "trace.h"\n\n#include <dlfcn.h>\n#include <stdlib.h>\n\n'


class HeaderFunction(NamedTuple):
    """A function of MPI: its parameters as C writes them, and their names."""

    name: str
    parameters: str
    arguments: str


def generated(preprocessed: str) -> str:
    """C source from the recorder's sources after the preprocessor, which hold MPI's header as well."""
    declared, defined = _functions(preprocessed)
    parts = [HEAD]
    for name, function in sorted(declared.items()):
        if name in defined:
            parts.append(_forward(function))
        elif name.startswith("MPI_File_") and "_toint" not in name:
            parts += [_counted(function, files=bool(FILES.match(name))), _forward(function)]
        elif COUNTED.match(name) or LOOKS.match(name):
            parts += [_counted(function, files=False), _forward(function)]
    return "\n".join(parts)


def _functions(text: str) -> tuple[dict[str, HeaderFunction], set[str]]:
    """The functions that are declared, and the names of those that are defined."""
    declared: dict[str, HeaderFunction] = {}
    defined = set[str]()
    for match in NAMED.finditer(text):
        inner, end = _in_parentheses(text, match.end())
        stop = next((c for c in text[end:] if c in ";{,="), "")
        if stop == "{":
            defined.add(match[1])
        elif stop == ";" and "..." not in inner:
            inner = " ".join(inner.split())
            declared.setdefault(match[1], HeaderFunction(match[1], inner, ", ".join(_names(inner))))
    return declared, defined


def _in_parentheses(text: str, start: int) -> tuple[str, int]:
    depth = 1
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return text[start:at], at + 1
    return "", len(text)


def _names(parameters: str) -> Iterator[str]:
    """The last word of each parameter, in front of what makes it an array."""
    for parameter in parameters.split(","):
        words = re.findall(r"\w+", parameter.partition("[")[0])
        if words and words != ["void"]:
            yield words[-1]


def _forward(function: HeaderFunction) -> str:
    return f"""int P{function.name}({function.parameters})
{{
    static int (*real)({function.parameters});
    if (!real && !(real = (int (*)({function.parameters}))dlsym(RTLD_NEXT, "P{function.name}")))
        abort();
    return apet_is_inside() ? real({function.arguments}) : {function.name}({function.arguments});
}}
"""


def _counted(function: HeaderFunction, *, files: bool) -> str:
    """Calls for files may be written as sleeping; of files, only reading and writing counts."""
    before, after = "", f'if (first)\n        apet_note("{function.name}");'
    if LOOKS.match(function.name):
        after = "apet_looked(*flag);"
    if function.name.startswith("MPI_File_"):
        before = "if (first)\n        apet_io_begin();" if files else ""
        after = f'if (first)\n        apet_io_end("{function.name}");' if files else ""
    return f"""int {function.name}({function.parameters})
{{
    int first = apet_enter();
    {before}
    int code = P{function.name}({function.arguments});
    {after}
    (void)first;
    apet_leave();
    return code;
}}
"""
