"""Random traces on random platforms whose `<config>` says how messages are sent: every option that is modelled, under
its old names and those that SimGrid 3.32 knows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from tests.traces.random_traces import Case, random_case

from apet.traces.platform.parts import ALGORITHMS


def option_case(seed: int) -> Case:
    """The random case of a seed, with one to four options."""
    random, case = Random(1_000_003 * seed + 45), random_case(seed)
    drawn = random.sample(sorted(OPTIONS), random.choice((1, 1, 2, 3, 4)))
    chosen = {name: OPTIONS[name](random) for name in drawn}
    small, eager = (int(chosen.get(name, usual)) for name, usual in THRESHOLDS.items())
    if small > eager:  # SimGrid refuses this
        chosen["smpi/send-is-detached-thresh"] = str(small)
    props = "".join(f'<prop id="{name}" value="{value}"/>' for name, value in chosen.items())
    head, _, rest = case.platform.partition('<platform version="4.1">\n')
    return case._replace(platform=f'{head}<platform version="4.1">\n<config>{props}</config>\n{rest}')


THRESHOLDS = {"smpi/async-small-thresh": "0", "smpi/send-is-detached-thresh": "65536"}


def _threshold(random: Random) -> str:
    return str(random.choice((0, 1, 101, 9000, 65_536, 70_000, 10_000_000)))


def _overheads(random: Random) -> str:
    """Sizes from which on it holds, with seconds and seconds per byte."""
    sizes = sorted(random.sample((0, 1, 700, 9000, 65_535, 100_000), random.choice((1, 2, 3))))
    rows = [f"{s}:{random.choice((0, 1e-6, 3e-5, 2e-4))}:{random.choice((0, 1e-10, 5e-9))}" for s in sizes]
    return ";".join(rows)


def _factors(random: Random) -> str:
    sizes = sorted(random.sample((0, 100, 1000, 20_000, 65_472), random.choice((1, 2, 4))))
    return ";".join(f"{s}:{random.uniform(0.3, 8):.3f}" for s in sizes)


def _one_of(names: Sequence[str]) -> Callable[[Random], str]:
    return lambda random: random.choice(names)


OPTIONS: dict[str, Callable[[Random], str]] = {
    "smpi/async-small-thresh": _threshold,
    "smpi/send-is-detached-thresh": _threshold,
    "smpi/os": _overheads,
    "smpi/ois": _overheads,
    "smpi/or": _overheads,
    "smpi/lat-factor": _factors,
    "smpi/bw-factor": _factors,
    "network/crosstraffic": lambda random: random.choice(("yes", "no", "0", "on")),
    "network/TCP-gamma": lambda random: random.choice(("0", "1000", "20000", "4194304")),
    "network/weight-S": lambda random: random.choice(("0", "8775", "100000")),
    "network/loopback-lat": lambda random: random.choice(("0", "1e-5")),
    "network/loopback-bw": lambda random: random.choice(("1e9", "1e10")),
    **{f"smpi/{name}": _one_of(names) for name, names in ALGORITHMS.items()},
}
