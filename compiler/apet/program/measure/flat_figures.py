"""The figures of the flat level: what one operation of the source costs wherever it stands.

Interpreted (-Xint), operations follow one another, so that statements are taken apart: what a local variable costs to
read and to write comes from plain moves, then every operation is what its statement needs besides. Compiled, an
operation costs between its throughput and its latency, as the published benchmarks measured it; a local variable costs
between nothing and a load.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from apet.program.measure.cases import CHAINED, MOVED, MeasuredCase, cases
from apet.program.measure.figures import LEAST, Figures

Pair = tuple[float, float]
MOVES = 8
KINDS = ("int", "long", "float", "double")
NARROW = ("boolean", "byte", "short", "char")
BITWISE = ("sub", "and", "or", "xor", "neg", "not")


def compiled(core: Figures) -> dict[str, Pair]:
    """Seconds at least and at most of each operation in a compiled program."""
    figures: dict[str, Pair] = {}
    for name in core:
        if name.startswith("tp_") and not name.startswith(
            ("tp_load", "tp_store", "tp_forward", "tp_issue", "tp_branch")
        ):
            plain = name.removeprefix("tp_")
            figures[plain] = _ordered(core[name], core.get(f"lat_{plain}", core[name]))
    for kind in (*KINDS, *NARROW, "reference"):
        load = core[f"tp_load_{kind}"]
        figures[f"access_{kind}"] = figures[f"assign_{kind}"] = (0.0, load)
        figures[f"compare_{kind}"] = (core["tp_branch"], core["tp_branch"] + core["mispredict"] / 2)

    figures["access"] = figures["assign"] = (0.0, core["tp_load_int"])
    figures["compare"] = (core["tp_branch"], 2 * core["tp_branch"])
    figures["array_access"] = _ordered(core["tp_load_int"], core["lat_load_int"])
    figures["field_access"] = (0.0, core["lat_load_int"])
    figures["call"] = figures["return"] = (0.0, core["call_recursive"] / 2)
    _likened(figures)
    _events(core, figures)
    return figures


def interpreted(raw: Mapping[str, float], core: Figures, waits: bool = False) -> dict[str, Pair]:
    """Seconds of each operation where bytecodes are interpreted one by one: of two ways to time it the shorter one,
    since the dispatch of one bytecode overlaps with the work of the one before. At least and at most are the same,
    unless a statement `waits` for the variable that the one before has stored: then the longer way is the most."""
    loop = raw["empty"]
    figures: dict[str, Pair] = {}
    moves = {kind: (raw[f"moves_{kind}"] - loop) / MOVES / 2 for kind in MOVED}
    for kind in KINDS:
        figures[f"access_{kind}"] = figures[f"assign_{kind}"] = _point(moves[kind])
    for kind in NARROW:
        figures[f"access_{kind}"] = figures[f"assign_{kind}"] = _point(moves["int"])
    figures["access_reference"] = figures["assign_reference"] = _point(moves["Object"])
    figures["access"] = figures["assign"] = _point(moves["int"])
    move = moves["int"]

    for case in cases():
        costs = _statement(raw, figures, case, loop, moves)
        figures[case.name] = (min(costs), max(costs)) if waits else _point(min(costs))
    one = (raw["element"] - raw["one_element"]) / 3
    put = (raw["put_element"] - raw["put_one"]) / 3
    figures["array_access"] = _point(min(_least(one - 3 * move, one), _least(put - 3 * move, put)))
    figures["field_access"] = _point(_least((raw["fields"] - loop) / 4 - move, raw["fields"] / 4))
    call = _least((raw["calls"] - loop) / 4 - figures["field_access"][0] - 3 * move, raw["calls"] / 4)
    figures["call"] = figures["return"] = _point(call / 2)

    for kind, name in (("int", "compares"), ("long", "compares_long"), ("double", "compares_double")):
        figures[f"compare_{kind}"] = _point(_least((raw[name] - loop) / 4 - 2 * moves[kind], raw[name] / 4))
    for kind in (*NARROW, "reference"):
        figures[f"compare_{kind}"] = figures["compare_int"]
    figures["charAt_string"] = _point(_least(raw["char_at"] - loop - 4 * move, raw["char_at"]))
    figures["compare_float"], figures["compare"] = figures["compare_double"], _point(_least(loop - 2 * move, loop))
    _likened(figures)
    _events(core, figures)
    return figures


def _statement(
    raw: Mapping[str, float], figures: Mapping[str, Pair], case: MeasuredCase, loop: float, moves: Mapping[str, float]
) -> list[float]:
    whole = [(raw[f"lat_{case.name}"] - loop) / CHAINED, (raw[f"tp_{case.name}"] - loop) / case.side]
    names = re.findall(r"\b[vixyzw]\b", case.expression)
    constants = len(re.findall(r"(?<![\w.])\d", case.expression))
    moved = (len(names) + constants + 1) * moves[case.kind]
    other = sum(figures[name][0] for name in case.extra)
    return [_least(w - moved - other, w) / case.times for w in whole]


def _likened(figures: dict[str, Pair]) -> None:
    """Operations that cost what another does."""
    for kind in KINDS:
        for name in BITWISE:
            figures.setdefault(f"{name}_{kind}", figures[f"sum_{kind}"])

    for name in ("and", "or", "xor", "not"):
        figures[f"{name}_boolean"] = figures["sum_int"]
    for a in (*KINDS, *NARROW):
        for b in (*KINDS, *NARROW):
            if a != b:
                figures.setdefault(
                    f"cast_{a}_{b}",
                    figures["cast_int_double" if "double" in (a, b) or "float" in (a, b) else "cast_int_long"],
                )
    figures.setdefault("sqrt_float", figures["sqrt_double"])
    figures.setdefault("round_int", figures["round_long"])


def _events(core: Figures, figures: dict[str, Pair]) -> None:
    events = "new new_byte next_iterator monitor instanceof switch throw concat_string"
    for name in events.split():
        figures[name] = _point(core[name])
    for name in core:
        if name.startswith("call_") and name not in ("call_recursive", "call_virtual"):
            figures[name] = _point(core[name])


def _least(rest: float, whole: float) -> float:
    return max(rest, LEAST * whole)


def _point(seconds: float) -> Pair:
    return (seconds, seconds)


def _ordered(one: float, other: float) -> Pair:
    return (one, other) if one <= other else (other, one)
