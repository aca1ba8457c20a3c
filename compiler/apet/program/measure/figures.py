"""From what was timed to what operations cost: the figures of one JVM.

What an expression needs besides its operation is taken off, and so is the loop around it where the mode does not unroll
it away. Nothing costs less than `LEAST` of what was timed: a difference of two noisy figures may be anything.
"""

from __future__ import annotations

from collections.abc import Mapping

from apet.program.levels.memory import OCTAVES
from apet.program.measure.cases import CHAINED, ISSUED, LOADED, STREAMS, MeasuredCase, cases

LEAST = 0.05
LINES = 0.375
"""Cache lines of one element of a[i] = b[i] + s c[i]: 24 bytes of 64."""
HALF_LEARNT = 32768
"""Expected mispredictions per run of the case that is half learnt: one of two outcomes of 65,536 conditions."""
SLOTS = 1.3
"""Slots that an operation of the source takes on average: compiled code also moves, spills and computes addresses."""
LOOP_CONTROL = 2
"""Instructions that count a loop's rounds and end it."""
RECURSIVE_CALLS = 21891
LOOPING_CALLS = 131071
WHOLE = ("boolean", "byte", "short", "char", "int", "long", "reference")
FLOATING = ("float", "double")
Figures = dict[str, float]


def core_figures(raw: Mapping[str, float]) -> Figures:
    """Seconds of every operation of the core level: throughputs `tp_`, latencies `lat_`, events."""
    figures: Figures = {}
    for case in cases():
        for way, times in (("lat", CHAINED), ("tp", case.side)):
            _arithmetic(raw, figures, case, way, times)
    _completed(figures)
    _memory(raw, figures)
    _events(raw, figures)
    return figures


def _arithmetic(raw: Mapping[str, float], figures: Figures, case: MeasuredCase, way: str, times: int) -> None:
    whole = raw[f"{way}_{case.name}"] / times
    rest = whole - sum(figures[f"{way}_{other}"] for other in case.extra)
    figures[f"{way}_{case.name}"] = max(rest, LEAST * whole) / case.times


def _completed(figures: Figures) -> None:
    """Operations that run on the same unit in the same way as one that was timed."""
    for way in ("lat", "tp"):
        plus = figures[f"{way}_sum_int"]
        figures[f"{way}_sum_boolean"] = plus
        for kind in WHOLE:
            figures[f"{way}_compare_{kind}"] = plus
        for a in WHOLE[:-1]:
            for b in WHOLE[:-1]:
                if a != b:
                    figures.setdefault(f"{way}_cast_{a}_{b}", figures[f"{way}_cast_int_long"])
            for b in FLOATING:
                cast = figures[f"{way}_cast_{'long' if a == 'long' else 'int'}_{b}"]
                figures.setdefault(f"{way}_cast_{a}_{b}", cast)
                figures.setdefault(f"{way}_cast_{b}_{a}", cast)

        figures[f"{way}_cast_double_float"] = figures[f"{way}_cast_float_double"]
        figures[f"{way}_round_int"] = figures[f"{way}_round_long"]
        figures[f"{way}_sqrt_float"] = figures[f"{way}_sqrt_double"]
        for name in ("floor", "ceil", "rint", "signum", "pow", "sin", "cos", "exp", "log"):
            figures[f"{way}_{name}_float"] = figures[f"{way}_{name}_double"]
        for name in ("floorMod", "floorDiv"):
            figures[f"{way}_{name}_long"] = (
                figures[f"{way}_{name}_int"] + figures[f"{way}_div_long"] - figures[f"{way}_div_int"]
            )
        for kind in ("int", "long"):
            figures[f"{way}_multiplyExact_{kind}"] = figures[f"{way}_mpy_{kind}"]
            for name in ("add", "subtract", "negate"):
                figures[f"{way}_{name}Exact_{kind}"] = figures[f"{way}_sum_{kind}"]
    figures["lat_compare_float"], figures["lat_compare_double"] = figures["lat_sum_float"], figures["lat_sum_double"]


def _memory(raw: Mapping[str, float], figures: Figures) -> None:
    for kind in LOADED:
        plus = "float" if kind == "float" else "double" if kind == "double" else "int"
        figures[f"tp_load_{kind}"] = raw[f"load_{kind}"] / STREAMS
        figures[f"tp_store_{kind}"] = raw[f"store_{kind}"] / STREAMS
        figures[f"lat_load_{kind}"] = raw["chase_L1"]
        way = raw[f"forward_{kind}"]
        figures[f"lat_forward_{kind}"] = max(way - figures[f"lat_sum_{plus}"], LEAST * way)

    figures["tp_load_reference"] = raw["load_reference"] / ISSUED["load_reference"]
    figures["tp_store_reference"] = raw["store_reference"]
    figures["lat_load_reference"] = raw["chase_L1"]
    figures["lat_forward_reference"] = figures["lat_forward_int"]

    for kind in FLOATING:
        figures[f"tp_compare_{kind}"] = raw[f"compare_{kind}"] / ISSUED[f"compare_{kind}"]
    figures["tp_branch"] = raw["branch"] / ISSUED["branch"]
    # A mix may be held up by ports that its kinds of instructions share; the core issues as fast as any mix shows.
    alone = figures["tp_sum_int"] * ISSUED["sum_int"] / (ISSUED["sum_int"] + LOOP_CONTROL)
    figures["tp_issue"] = min(raw["issue"] / ISSUED["issue"], alone) * SLOTS
    for level in ("L2", "L3", "memory"):
        figures[f"line_{level}"] = raw[f"triad_{level}"] / LINES
        figures[f"strided_{level}"] = raw[f"walk_{level}"]
        for name, timed in (("gather", "gather"), ("scatter", "scattered"), ("wait", "chase")):
            apart = raw[f"{timed}_{level}"] - raw[f"{timed}_L1"]
            figures[f"{name}_{level}"] = max(apart, LEAST * raw[f"{timed}_{level}"])


def _events(raw: Mapping[str, float], figures: Figures) -> None:
    figures["mispredict"] = max(
        2 * (raw["branch_unpredicted"] - raw["branch_predicted"]), LEAST * raw["branch_unpredicted"]
    )
    # One of four targets in any order is foreseen by chance only.
    apart = (raw["virtual_unpredicted"] - raw["call_virtual"]) / 0.75
    figures["mispredict_target"] = max(apart, figures["mispredict"])
    own = 3 * figures["tp_sum_int"] + figures["tp_branch"]
    call = raw["call_recursive"] / RECURSIVE_CALLS
    figures["call_recursive"] = max(call - own, LEAST * call)
    looping = raw["call_looping"] / LOOPING_CALLS
    figures["call_looping"] = max(looping - own, LEAST * looping)
    figures["new"] = raw["new_object"]
    few, many = raw["new_rows_2"], raw["new_rows_10"]
    figures["new_row"] = max((many - few) / 8, LEAST * many / 8)
    figures["new_matrix"] = max(few - 2 * figures["new_row"], LEAST * few)
    figures["new_byte"] = max(raw["new_4096"] - raw["new_object"], LEAST * raw["new_4096"]) / 4080
    for name in raw:
        if name.startswith("call_") and name not in ("call_recursive", "call_looping", "call_static"):
            figures[name] = raw[name]

    for way in ("lat", "tp"):
        figures[f"{way}_charAt_string"] = raw["char_at"]
    figures["call_StringBuilder_append"] = raw["append_char"]
    figures["call_System_arraycopy"] = raw["copy_64"]
    for name in ("next_iterator", "monitor", "instanceof", "instanceof_absent", "switch", "throw", "concat_string"):
        figures[name] = raw[name]


def predictor_memory(raw: Mapping[str, float]) -> int:
    """Mispredictions per run that the branch predictor learns: from the part of so many outcomes without a pattern
    that it still mispredicts, when it loses none of M, all of 2^`OCTAVES` M, and between them in proportion to the
    logarithm."""
    whole = raw["branch_unpredicted"] - raw["branch_predicted"]
    part = (raw["branch_half_learnt"] - raw["branch_predicted"]) / whole if whole > 0 else 0.5
    return round(HALF_LEARNT / 2 ** (OCTAVES * min(max(part, 0.0), 1.0)))
