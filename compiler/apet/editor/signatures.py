"""What a call takes: the signature of the name before the bracket that is open at a place, also in unfinished text."""

from __future__ import annotations

import re
from typing import NamedTuple

from apet.editor.layout import CLOSING, OPENING, TOKEN

HEADING = re.compile(
    r"^[ \t]*(?:def[ \t]+)?(?P<name>[^\W\d][\w$]*)[ \t]*"
    r"(?P<subscripts>\[[^]\n]*\])?[ \t]*(?P<formals>\([^)\n]*\))?[ \t]*=(?!=)",
    re.MULTILINE,
)
BUILT_IN = {
    "send": ("send[from, to](bytes)", "a message from one processor to another"),
    "share": ("share[p](tasks)", "how many of the tasks processor p gets; tasks alone is the parameter of that name"),
    "delay": ("delay(seconds)", "time passes without a resource"),
    "use": ("use(resource, process)", "holds a resource or a processor while the process runs"),
    "seq": ("seq (index = low, high, step)", "one after the other"),
    "par": ("par (index = low, high)", "all at once"),
    "sum": ("sum(index = low, high, term)", "the sum of the terms"),
    "min": ("min(a, b, …)", ""),
    "max": ("max(a, b, …)", ""),
    "log": ("log(x)", "the natural logarithm"),
    "log2": ("log2(x)", ""),
    "ceil": ("ceil(x)", "the least whole number not below x"),
    "floor": ("floor(x)", "the greatest whole number not above x"),
    "abs": ("abs(x)", ""),
    "sqrt": ("sqrt(x)", ""),
    "len": ("len(table)", "how many entries a table has"),
}


class OpenCall(NamedTuple):
    """A bracket that is open, the name before it, and the commas behind it."""

    name: str
    bracket: str
    commas: int


class Signature(NamedTuple):
    """A call as it is written, what it means, its parameters as spans of the label, and which of them is next."""

    label: str
    meaning: str
    parameters: tuple[tuple[int, int], ...]
    active: int


def signature_at(text: str, offset: int) -> Signature | None:
    """The signature of the innermost call that is open at an offset; None where there is none."""
    call = _open_call(text, offset)
    if call is None:
        return None
    name, bracket, commas = call
    label, meaning = _labels(text).get(name) or BUILT_IN.get(name) or (f"{name}[processor]", "an operation")
    at = label.find(bracket)
    if at < 0:
        return None

    end = label.index(")" if bracket == "(" else "]", at)
    parts = re.finditer(r"[^,\s][^,]*", label[at + 1 : end])
    parameters = tuple((at + 1 + part.start(), at + 1 + part.start() + len(part.group().rstrip())) for part in parts)
    return Signature(label, meaning, parameters, min(commas, max(len(parameters) - 1, 0)))


def _labels(text: str) -> dict[str, tuple[str, str]]:
    """The headings of equations and functions by name."""
    headings = ((m["name"], m["subscripts"] or "", m["formals"] or "") for m in HEADING.finditer(text))
    return {name: (f"{name}{subscripts}{formals}", "") for name, subscripts, formals in headings}


def _open_call(text: str, offset: int) -> OpenCall | None:
    """The innermost bracket that is open at an offset, with the name before it; None where it belongs to none."""
    calls, name = list[OpenCall](), ""
    for token in TOKEN.finditer(text, 0, offset):
        sign, kind = token.group(), token.lastgroup
        if kind in ("space", "line", "comment"):
            continue
        if sign in OPENING:
            calls.append(OpenCall(name, sign, 0))
        elif sign == "," and calls:
            calls[-1] = calls[-1]._replace(commas=calls[-1].commas + 1)

        closed = calls.pop() if sign in CLOSING and calls else None
        if closed is not None and closed.bracket == "[":
            name = closed.name  # of f[p], which may go on with (
        else:
            name = sign if kind == "name" else ""

    inside = calls and calls[-1].name and calls[-1].bracket != "{"
    return calls[-1] if inside else None
