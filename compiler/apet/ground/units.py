"""Every unit that APET reads: in models, machine files and options. Values are seconds, bytes, operations, or any per
second."""

from __future__ import annotations

from fractions import Fraction

from apet.ground.diagnostics import nearest
from apet.ground.records import NamedTuple

TIME, SIZE, RATE, WORK, SPEED = "s", "B", "B/s", "FLOP", "FLOP/s"


class UnitOfMeasure(NamedTuple):
    """How many basic units one is, exactly, and its basic unit."""

    scale: int | Fraction
    basic: str


_DECIMAL: dict[str, int] = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15}
_TIMES: dict[str, int | Fraction] = {
    "ns": Fraction(1, 10**9),
    "us": Fraction(1, 10**6),
    "µs": Fraction(1, 10**6),
    "μs": Fraction(1, 10**6),
    "ms": Fraction(1, 1000),
    "s": 1,
    "min": 60,
    "h": 3600,
    "d": 86_400,
}
_BYTES = {"B": 1, "kB": 10**3, "KiB": 2**10, "MB": 10**6, "MiB": 2**20, "GB": 10**9, "GiB": 2**30, "TB": 10**12}
_BYTES |= {"TiB": 2**40}
_BITS = {f"{prefix}bit": Fraction(scale, 8) for prefix, scale in _DECIMAL.items() if prefix != "P"}
_SIZES: dict[str, int | Fraction] = {**_BYTES, **_BITS}
_WORK: dict[str, int | Fraction] = {f"{prefix}FLOP": scale for prefix, scale in _DECIMAL.items()}

UNITS: dict[str, UnitOfMeasure] = {
    **{name: UnitOfMeasure(scale, TIME) for name, scale in _TIMES.items()},
    **{name: UnitOfMeasure(scale, SIZE) for name, scale in _SIZES.items()},
    **{f"{name}/s": UnitOfMeasure(scale, RATE) for name, scale in _SIZES.items()},
    **{name: UnitOfMeasure(scale, WORK) for name, scale in _WORK.items()},
    **{f"{name}/s": UnitOfMeasure(scale, SPEED) for name, scale in _WORK.items()},
}
"""Every unit by its name. A bit is an eighth of a byte."""

QUANTITIES = {TIME: "time", SIZE: "size", RATE: "rate", WORK: "number of operations", SPEED: "speed"}
"""What a basic unit is one of."""

PRODUCTS = {
    (SIZE, "/", RATE): TIME,
    (WORK, "/", SPEED): TIME,
    (SIZE, "/", TIME): RATE,
    (WORK, "/", TIME): SPEED,
    (RATE, "*", TIME): SIZE,
    (TIME, "*", RATE): SIZE,
    (SPEED, "*", TIME): WORK,
    (TIME, "*", SPEED): WORK,
}
"""Basic units of products and quotients of two quantities; of others nothing is known."""

UNIT = "|".join(sorted(UNITS, key=len, reverse=True))
"""A regular expression for the name of a unit."""

PRINTED: dict[str, tuple[str, ...]] = {
    TIME: ("s", "ms", "us", "ns"),
    SIZE: ("B", "kB", "KiB", "MB", "MiB", "GB", "GiB"),
    RATE: ("B/s", "kB/s", "MB/s", "GB/s"),
    WORK: tuple(_WORK),
    SPEED: tuple(f"{name}/s" for name in _WORK),
}
"""The units in which a literal is written, by basic unit: the basic one first."""

ADVICE = "times: ns us ms s min h; sizes: B kB KiB MB MiB GB GiB TB TiB kbit Mbit Gbit; rates: MB/s Gbit/s GFLOP/s"
"""What to write, for the hint of a message."""


def of_basic(*basics: str) -> dict[str, int | Fraction]:
    """The scales of the units of some kinds, by name."""
    return {name: unit.scale for name, unit in UNITS.items() if unit.basic in basics}


FAMILIAR = {
    **dict.fromkeys(("sec", "secs", "second", "seconds"), "s"),
    **{f"{prefix}sec": f"{prefix}s" for prefix in "mun"},
    **dict.fromkeys(("mins", "minute", "minutes"), "min"),
    **dict.fromkeys(("hr", "hrs", "hour", "hours"), "h"),
    **dict.fromkeys(("day", "days"), "d"),
    **dict.fromkeys(("byte", "bytes"), "B"),
    **{f"{prefix}bps": f"{prefix}bit/s" for prefix in ("", "k", "M", "G", "T")},
    **{f"{prefix}FLOPS": f"{prefix}FLOP/s" for prefix in _DECIMAL},
}
"""Units by names that they have elsewhere."""


def like(word: str) -> str:
    """`; did you mean 'kB'?` for what is no unit; empty if none is near.

    A unit of the same name elsewhere comes first, then one that differs in capitals.
    """
    alike = FAMILIAR.get(word) or next((name for name in UNITS if name.lower() == word.lower()), None)
    return nearest(word, UNITS) if alike is None else f"; did you mean '{alike}'?"
