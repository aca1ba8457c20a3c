"""What is timed to learn the cost of arithmetic: expressions, run as one chain and side by side.

An expression maps an accumulator `v` to its next value. Timed as one chain it gives a latency, timed on several
accumulators side by side a throughput. What it needs besides the operation itself is listed in `extra` and taken off.
Operands are not constants to the compiler, and every round brings a new one (`i`), so that nothing can be folded,
reassociated or moved out of the loop.
"""

from __future__ import annotations

import re
from typing import NamedTuple

SIDE_BY_SIDE = 8
CHAINED = 4


class MeasuredCase(NamedTuple):
    """An operation, its Java type of accumulator, the expression, and the operations in it that are no part of it."""

    name: str
    kind: str
    expression: str
    extra: tuple[str, ...] = ()
    times: int = 1
    side: int = SIDE_BY_SIDE


def cases() -> tuple[MeasuredCase, ...]:
    """All arithmetic, in an order in which what is taken off comes first."""
    return (*_whole("int"), *_whole("long"), *_floating("float"), *_floating("double"), *_casts(), *_math())


def _whole(kind: str) -> list[MeasuredCase]:
    plus = f"sum_{kind}"
    i = "i" if kind == "int" else "w"
    odd = "((v & 1023) | 513)"
    top = f"(({i} | 1048576) + v)" if kind == "int" else f"(({i} | 1099511627776L) + v)"

    return [
        MeasuredCase(plus, kind, f"(v + x) ^ {i}", times=2),
        MeasuredCase(f"mpy_{kind}", kind, f"(v * {i}) ^ x", (plus,)),
        MeasuredCase(f"shift_{kind}", kind, f"(v >>> 3) ^ {i}", (plus,)),
        MeasuredCase(f"max_{kind}", kind, f"Math.max(v ^ x, {i})", (plus,)),
        MeasuredCase(f"min_{kind}", kind, f"Math.min(v ^ x, {i})", (plus,)),
        MeasuredCase(f"abs_{kind}", kind, f"Math.abs(v - {i})", (plus,)),
        MeasuredCase(f"div_{kind}", kind, f"{top} / {odd}", (plus, plus, plus), side=4),
        MeasuredCase(f"mod_{kind}", kind, f"{top} % {odd}", (plus, plus, plus), side=4),
        MeasuredCase(f"div_{kind}_by_power", kind, f"(v + {i}) / 16", (plus,)),
        MeasuredCase(f"mod_{kind}_by_power", kind, f"(v + {i}) % 16", (plus,)),
        MeasuredCase(f"div_{kind}_by_constant", kind, f"(v + {i}) / 13", (plus,)),
        MeasuredCase(f"mod_{kind}_by_constant", kind, f"(v + {i}) % 13", (plus,)),
    ]


def _floating(kind: str) -> list[MeasuredCase]:
    near = "f" if kind == "float" else ""
    arithmetic = [
        MeasuredCase(f"sum_{kind}", kind, "v + y"),
        MeasuredCase(f"mpy_{kind}", kind, "v * z"),
        MeasuredCase(f"div_{kind}", kind, "y / v"),
        MeasuredCase(f"max_{kind}", kind, "Math.max(v, y) + z", (f"sum_{kind}",)),
        MeasuredCase(f"min_{kind}", kind, "Math.min(v, y) + z", (f"sum_{kind}",)),
        MeasuredCase(f"abs_{kind}", kind, "Math.abs(v) - y", (f"sum_{kind}",)),
        MeasuredCase(f"mod_{kind}", kind, f"(v + 7.5{near}) % y", (f"sum_{kind}",), side=4),
    ]
    if kind == "double":
        arithmetic.append(MeasuredCase("sqrt_double", kind, "Math.sqrt(v * y)", ("mpy_double",)))

    return arithmetic


def _casts() -> list[MeasuredCase]:
    """Conversions; into floating point and back they come in pairs, and each is half."""
    casts = [
        MeasuredCase("cast_int_long", "int", "(int) ((long) v + w)", ("sum_long",), 2),
        MeasuredCase("cast_int_char", "int", "(char) (v + i)", ("sum_int",)),
        MeasuredCase("cast_int_byte", "int", "(byte) (v + i)", ("sum_int",)),
        MeasuredCase("cast_float_double", "float", "(float) ((double) v + y)", ("sum_double",), 2),
    ]

    for whole in ("int", "long"):
        for kind in ("float", "double"):
            half = "0.5f" if kind == "float" else "0.5"
            extra = (f"sum_{whole}", f"mpy_{kind}")
            casts.append(MeasuredCase(f"cast_{whole}_{kind}", kind, f"(({whole}) v + i) * {half}", extra, 2))
    return casts


MATH = {
    "v + u": "sin cos atan",
    "v": "tan tanh log1p signum toRadians toDegrees ulp",
    "v * 0.2 + u": "asin acos",
    "v * 0.5": "sinh cosh",
    "u - v": "exp",
    "-v": "expm1",
    "v + 1.5 + u": "log log10 cbrt",
    "v + 0.7": "floor rint",
    "v * 0.7": "ceil",
}
"""By their argument, functions of `Math`."""


def _math() -> list[MeasuredCase]:
    functions = [
        MeasuredCase(f"{name}_double", "double", f"Math.{name}({argument}) + 0.1", ("sum_double",), side=4)
        for argument, names in MATH.items()
        for name in names.split()
    ]
    functions += [
        MeasuredCase("pow_double", "double", "Math.pow(v + 0.6 + u, 1.3) * 0.4", ("sum_double",), side=4),
        MeasuredCase("atan2_double", "double", "Math.atan2(v + 0.5, y)", side=4),
        MeasuredCase("hypot_double", "double", "Math.hypot(v, y) * 0.5", ("mpy_double",), side=4),
        MeasuredCase(
            "round_long", "double", "Math.round(v + i) * 0.5", ("sum_double", "cast_long_double", "mpy_double"), side=4
        ),
        MeasuredCase("floorMod_int", "int", "Math.floorMod((i | 1048576) + v, (v & 1023) | 513)", ("sum_int",), side=4),
        MeasuredCase("floorDiv_int", "int", "Math.floorDiv((i | 1048576) + v, (v & 1023) | 513)", ("sum_int",), side=4),
    ]

    return functions


LOADED = ("boolean", "byte", "short", "char", "int", "long", "float", "double")
STREAMS = 8
LENGTH = 512


def java_source() -> str:
    """`Operations.java`: a method for each case, for loads and stores of every type of array, and for plain moves.

    Statements that are not made from a table stand in `harness/Statements.java`."""
    body: list[str] = []
    names: list[str] = []
    for case in cases():
        for way, width in (("lat", 1), ("tp", case.side)):
            names.append(f"{way}_{case.name}")
            body.append(_method(f"{way}_{case.name}", case, width))
    for kind in LOADED:
        for name, text in (("load", _load(kind)), ("store", _store(kind)), ("forward", _forward(kind))):
            names.append(f"{name}_{kind}")
            body.append(text)
    for kind in MOVED:
        names.append(f"moves_{kind}")
        body.append(_moves(kind))

    adds = "\n".join(f'    Harness.add("{n}", Operations::{n});' for n in names)
    arrays = "\n".join(f"  static final {k}[] A_{k} = new {k}[{LENGTH}], B_{k} = new {k}[{LENGTH}];" for k in LOADED)
    return "\n\n".join(["public class Operations {", arrays, *body, f"  static void register() {{\n{adds}\n  }}\n}}\n"])


OPERANDS = {
    "int": "int x = Harness.X; double y = Harness.Y * 0.1 + 1.25;",
    "long": "long x = Harness.X; double y = Harness.Y * 0.1 + 1.25; long w = Harness.Y;",
    "float": "float y = Harness.Y * 0.1f + 1.25f, z = 1 + Harness.SMALL * 1e-7f;",
    "double": "double y = Harness.Y * 0.1 + 1.25, z = 1 + Harness.SMALL * 1e-13;",
}


def _method(name: str, case: MeasuredCase, width: int) -> str:
    """Rounds of one case: `CHAINED` after each other on one accumulator, or one on each of several."""
    kind = case.kind
    vs = [f"v{k}" for k in range(width)]
    start = " ".join(
        f"{kind} {v} = ({kind}) ({1 if kind in ('float', 'double') else 3} + Harness.SMALL * {k});"
        for k, v in enumerate(vs)
    )
    steps: list[str] = []
    for k in range(CHAINED if width == 1 else width):
        v = vs[k % width]
        steps.append(f"{v} = ({kind}) ({_of(case.expression, v)});")

    wide = "long w = i;" if kind != "long" else "w = i;"
    sink = " + ".join(vs)
    declared = [wide] if " w" in f" {case.expression}" else []
    declared += ["double u = (i * 37 & 127) * 0.0044;"] if re.search(r"\bu\b", case.expression) else []
    inside = "\n      ".join(declared + steps)
    return (
        f"  static double {name}(int n) {{\n    {OPERANDS[kind]}\n    {start}\n"
        f"    for (int i = 0; i < n; i++) {{\n      {inside}\n    }}\n    return (double) ({sink});\n  }}"
    )


def _of(expression: str, v: str) -> str:
    return re.sub(r"\bv\b", v, expression)


def _load(kind: str) -> str:
    sums = "double" if kind == "double" else "float" if kind == "float" else "long" if kind == "long" else "int"
    value = "(A_boolean[j + %d] ? 1 : 0)" if kind == "boolean" else f"A_{kind}[j + %d]"
    start = " ".join(f"{sums} v{k} = 0;" for k in range(STREAMS))
    steps = " ".join(f"v{k} += {value % k};" for k in range(STREAMS))
    total = " + ".join(f"v{k}" for k in range(STREAMS))
    return (
        f"  static double load_{kind}(int n) {{\n    {start}\n    for (int i = 0; i < n; i += {LENGTH // STREAMS}) {{\n"
        f"      for (int j = 0; j < {LENGTH}; j += {STREAMS}) {{ {steps} }}\n    }}\n    return {total};\n  }}"
    )


def _store(kind: str) -> str:
    value = "(i & 64) == 0" if kind == "boolean" else f"({kind}) i"
    steps = " ".join(f"a[j + {k}] = v; b[j + {k}] = v;" for k in range(STREAMS // 2))
    return (
        f"  static double store_{kind}(int n) {{\n    {kind}[] a = A_{kind}, b = B_{kind};\n"
        f"    for (int i = 0; i < n; i += {LENGTH // STREAMS * 2}) {{\n      {kind} v = {value};\n"
        f"      for (int j = 0; j < {LENGTH}; j += {STREAMS // 2}) {{ {steps} }}\n    }}\n"
        f"    return {'A_boolean[9] ? 1 : 0' if kind == 'boolean' else f'A_{kind}[9]'};\n  }}"
    )


def _forward(kind: str) -> str:
    """What was stored in the round before is loaded again; which cell it is changes from round to round."""
    step = f"a[i & 1] = ({kind}) (a[(i + 1) & 1] + y);" if kind != "boolean" else "a[i & 1] = a[(i + 1) & 1] ^ (i > 9);"
    y = "" if kind == "boolean" else f"{kind} y = ({kind}) Harness.Y;"
    back = "a[0] ? 1 : 0" if kind == "boolean" else "a[0]"
    return (
        f"  static double forward_{kind}(int n) {{\n    {kind}[] a = A_{kind}; {y}\n"
        f"    for (int i = 0; i < n; i++) {{ {step} }}\n    return {back};\n  }}"
    )


MOVED = ("int", "long", "float", "double", "Object")


def _moves(kind: str) -> str:
    value = "A_int" if kind == "Object" else "Harness.X"
    start = f"{kind} v0 = {value}, v1 = {value}, v2 = {value}, v3 = {value};"
    back = "v0 == v1 ? 1 : 0" if kind == "Object" else "v0 + v1"
    return (
        f"  static double moves_{kind}(int n) {{\n    {start}\n"
        f"    for (int i = 0; i < n; i++) {{\n"
        f"      v0 = v1; v1 = v2; v2 = v3; v3 = v0; v0 = v2; v1 = v3; v2 = v0; v3 = v1;\n    }}\n"
        f"    return {back};\n  }}"
    )


ISSUED = {
    "issue": 22,
    "branch": 9,
    "compare_double": 4,
    "compare_float": 4,
    "load_reference": 16,
    "sum_int": 2 * SIDE_BY_SIDE,
}
"""Instructions, or operations, in one round."""
