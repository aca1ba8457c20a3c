"""The units that keys carry (`latency_s`), and what a user meant who wrote another unit, or none."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from apet.ground.units import RATE, SIZE, TIME, UNITS, like
from apet.ground.values import number, unit_of

_UNIT_NAMES = {
    "op_s": "seconds",
    "latency_s": "seconds",
    "bandwidth_B_per_s": "bytes per second",
    "memory_MB": "megabytes",
}
_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0}
_BANDWIDTHS = {
    **dict.fromkeys(("bps", "bit_per_s", "b_per_s"), 0.125),
    **dict.fromkeys(("kbps", "kbit_per_s"), 125.0),
    **dict.fromkeys(("Mbps", "Mbit_per_s", "Mb_per_s"), 125e3),
    **dict.fromkeys(("Gbps", "Gbit_per_s", "Gb_per_s"), 125e6),
    "B_per_s": 1.0,
    "kB_per_s": 1e3,
    "MB_per_s": 1e6,
    "GB_per_s": 1e9,
    "KiB_per_s": 1024.0,
    "MiB_per_s": 1024.0**2,
    "GiB_per_s": 1024.0**3,
}
_MEMORY = {"B": 1e-6, "kB": 1e-3, "MB": 1.0, "GB": 1e3, "TB": 1e6}
_SIZES = {"op_s": _SECONDS, "latency_s": _SECONDS, "bandwidth_B_per_s": _BANDWIDTHS, "memory_MB": _MEMORY}
_QUANTITY = r"\s*([-+]?[0-9][0-9_]*(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)\s*([^\s0-9].*?)?\s*"


_BASICS = {"op_s": TIME, "latency_s": TIME, "bandwidth_B_per_s": RATE, "memory_MB": SIZE}
WITHOUT = {"op": '"3 ns"', "latency": '"3 us"', "bandwidth": '"10 Gbit/s"', "memory": '"64 GB"'}
"""Keys that say no unit, with a value that does."""
_PER_KEY = {"memory_MB": 10**6}
"""How many basic units one of a key's is."""


def spelled(content: Mapping[str, object], key: str) -> str:
    """`latency` for `latency_s` where its value carries the unit, as in latency = "3 us"; else the key."""
    stem = _stem(key)
    return stem if key in _BASICS and key not in content and _carries_text(content.get(stem)) else key


def _carries_text(value: object) -> bool:
    match value:
        case str():
            return True
        case list():
            return any(map(_carries_text, value))
        case dict():
            return any(_carries_text(inner) for name, inner in value.items() if name != "note")
        case _:
            return False


def quantity(text: str, key: str) -> float | None:
    """The value of a text such as "3 us" in the unit of a key; None where it has no unit, or one of another kind."""
    right = next((full for full in _BASICS if key in (full, _stem(full))), None)
    unit = unit_of(text)
    if right is None or not unit or UNITS[unit].basic != _BASICS[right]:
        return None
    return float(number(key, text) / _PER_KEY.get(right, 1))


def meant(key: str, keys: Sequence[str]) -> str | None:
    """The known key for the quantity that an unknown key names without its unit or with another; None if none."""
    stem = _stem(key)
    return next((right for right in keys if right in _SIZES and _stem(right) == stem), None)


def unit(key: str) -> str:
    """The unit of a key in words."""
    return _UNIT_NAMES[key]


def problem(key: str, right: str) -> str:
    """What is wrong with a key that names the quantity of the right one."""
    return "the unit is missing" if key == _stem(right) else "the unit is another one"


def conversion(key: str, right: str) -> str:
    """How to convert from the unit that the wrong key carries; empty if that is unknown or there is none."""
    scale = _scale(key[len(_stem(key)) + 1 :], right)
    return f"multiply the value by {scale:g}" if scale is not None and scale != 1.0 else ""


def advice(text: str, key: str) -> str:
    """What to write instead of a text such as "3 ms" under a key that carries the unit (or under one without)."""
    match, carrier = re.fullmatch(_QUANTITY, text), key
    key = next((full for full in _UNIT_NAMES if key == _stem(full)), key)
    if match is None:
        return f"the unit is in the key: '{key}' is in {_UNIT_NAMES[key]}" if key in _UNIT_NAMES else ""

    figure = float(match[1])
    if match[2] is None and carrier in WITHOUT:
        return f"give it a unit, as in {WITHOUT[carrier]}"
    if match[2] is None:
        return f"write {match[1]} without quotes"

    scale = _scale(match[2], key)
    if scale is None and key in _UNIT_NAMES and match[2] not in UNITS:
        return f"there is no unit '{match[2]}'{like(match[2])}"
    if scale is None:
        return f"'{key}' is in {_UNIT_NAMES[key]}" if key in _UNIT_NAMES else ""
    return f"'{key}' is in {_UNIT_NAMES[key]}: write {figure * scale:.12g}, without quotes"


def _stem(key: str) -> str:
    return key.split("_", 1)[0]


def _scale(unit_text: str, key: str) -> float | None:
    table = _SIZES.get(key, {})
    normal = unit_text.replace(" ", "").replace("/s", "_per_s").replace("/", "_per_")
    return table.get(normal)
