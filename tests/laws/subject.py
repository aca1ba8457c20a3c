"""What the product says of a program: the only file of the law that calls it, as the command line does."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from types import FrameType
from typing import TYPE_CHECKING, Any

from tests.laws.drawing import Program
from tests.laws.machine_pool import POOL

import apet
from apet.answers.formulas import EMITTERS
from apet.cost import analyse
from apet.ground.source import Source
from apet.machine import parse_machines
from apet.model.lints import opposite_nesting
from apet.model.pamela import parse
from apet.prediction import setting_of

if TYPE_CHECKING:
    from apet.machine import Machines

SECONDS = 20
Pair = tuple[float, float]
OF_NAMES = (
    "is a built-in",
    "is already",
    "is a resource, not a process",
    "is an index, not a process",
    "there is no function",
    "share",
    "is a named processor",
    "stands where a",
)

"""What refusals say that concern names and units, and not what a run does."""


@dataclass(frozen=True)
class Refusal:
    """`text` of the diagnostics; `crash` is the name of an exception that is none of the product's."""

    text: str
    has_place: bool
    crash: str = ""

    @property
    def of_names(self) -> bool:
        """Whether it is a name that was refused."""
        return any(words in self.text for words in OF_NAMES)


@dataclass(frozen=True)
class PredictedNumbers:
    """Seconds. Pairs are at tmin and at tmax; `simulated` is one run with all operations at `end`, 0 or 1 of these.

    `terms`: T0 and the greatest load of each family of resources, at tmax. `emitted`: of T, lower and upper, what the
    Python code gives at that end, or why it gives nothing; empty where it was not asked.
    """

    guaranteed: Pair
    lower: Pair
    upper: Pair
    estimate: Pair
    warns_of_deadlock: bool
    end: int
    simulated: float | Refusal
    terms: Mapping[str, float] = field(default_factory=dict)
    emitted: Mapping[str, float | str] = field(default_factory=dict)

    def __str__(self) -> str:
        shown = {"guaranteed": self.guaranteed, "lower": self.lower, "upper": self.upper, "estimate": self.estimate}
        return ", ".join(f"{name} {low:g}..{high:g}" for name, (low, high) in shown.items())


class OutOfTimeError(BaseException):
    """The product has not answered in time."""


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Nothing here takes more processor time, where the system has such timers; call it in the main thread."""
    if not hasattr(signal, "SIGPROF"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise OutOfTimeError

    previous = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


def ask(program: Program, end: str, seed: int) -> PredictedNumbers | Refusal:
    """Predict and simulate a program; of every fourth, the emitted code is run as well."""
    try:
        with limited(SECONDS):
            return _asked(program, end, seed)
    except OutOfTimeError:
        return Refusal(f"no answer within {SECONDS} s of processor time", True, "out of time")


def _asked(program: Program, end: str, seed: int) -> PredictedNumbers | Refusal:
    machines = machines_of(program.machine)
    values = {
        n: float(low) if low == high else (float(low), float(high)) for n, (low, high) in program.settings.items()
    }
    try:
        app = analyse(parse(Source("drawn.pam", program.text)), setting_of(machines, program.branches))
        prediction = apet.predict(app, machines, values=values)
        warns = any(True for _ in opposite_nesting(app.resolved))
    except Exception as error:
        return _refusal(error)

    pairs = (prediction.guaranteed, prediction.lower, prediction.upper, prediction.estimate)
    guaranteed, lower, upper, estimate = ((float(p.lo), float(p.hi)) for p in pairs)
    simulated = _simulated(app, machines, values, end, seed)
    terms: dict[str, float] = {}
    for limit in prediction.limits:
        family = limit.name.removeprefix("T[").rstrip("]").partition("[")[0]
        terms[family] = max(terms.get(family, 0.0), limit.seconds)
    point = not any(isinstance(v, tuple) for v in values.values())
    emitted = _emitted(app, program, prediction.parameters, int(end == "tmax")) if point and seed % 4 == 0 else {}
    numbers = (guaranteed, lower, upper, estimate, warns, int(end == "tmax"))
    return PredictedNumbers(*numbers, simulated, terms, emitted)


def _simulated(
    app: apet.Application, machines: Machines, values: Mapping[str, float | Pair], end: str, seed: int
) -> float | Refusal:
    if any(isinstance(v, tuple) for v in values.values()):
        return 0.0
    try:
        return apet.simulate(app, machines, values=values, end=end, seed=seed).makespan
    except Exception as error:
        return _refusal(error)


def _emitted(app: apet.Application, program: Program, values: Mapping[str, Any], end: int) -> dict[str, float | str]:
    """What the emitted functions return, called with everything that they ask for; T is skipped where it is none."""
    if app.open_shape is not None:  # the order of a graph's members depends on values: there is no formula to emit
        return {}
    computers = POOL[program.machine]
    try:
        code = EMITTERS["python"](app)
    except apet.ApetError:
        return {}  # T0 is a path that has no formula
    functions: dict[str, Any] = {}
    exec(code, functions)  # code of the product, from the model's text
    known: dict[str, Any] = {
        **{f"t_{name}": lambda p, *_, n=name: computers.times[p][n][end] for name in computers.times[0]},
        "t_send": lambda p, q, size: 0 if p == q else computers.message_seconds(size)[end],
        "cores": lambda p: computers.cores[p],
        **{name: int(value) if value == int(value) else value for name, value in values.items()},
    }
    found: dict[str, float | str] = {}
    for name in ("T", "lower", "upper"):
        wanted = functions[name].__code__.co_varnames[: functions[name].__code__.co_argcount]
        if set(wanted) <= known.keys():
            try:
                found[name] = float(functions[name](*(known[argument] for argument in wanted)))
            except Exception as error:
                found[name] = f"{type(error).__name__}: {error}"
    return found


def _refusal(error: Exception) -> Refusal:
    if not isinstance(error, apet.ApetError):
        return Refusal(str(error), True, type(error).__name__)
    text = "; ".join(f"{d.text} ({d.advice})" for d in error.diagnostics)
    return Refusal(text, all(d.source is not None and d.span is not None for d in error.diagnostics))


@cache
def machines_of(number: int) -> Machines:
    """A machine model of the pool, as the product reads it."""
    return parse_machines(Source(f"machine {number}", POOL[number].toml()))
