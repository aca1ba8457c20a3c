"""What a platform file says in `<config>`: SimGrid's options (3.32 to 4.1) that change the times of a replay.

What is modelled becomes a `Network`; what changes times and is not modelled is an error, as is a name that SimGrid does
not know; what changes no times of a replay is kept by name, so that it can be said.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from apet.ground.diagnostics import nearest
from apet.ground.documents.xml import Element
from apet.traces.platform import units
from apet.traces.platform.parts import ALGORITHMS, SMPI, Factors, Network, Protocol

if TYPE_CHECKING:
    from apet.traces.platform.reader import Builder

Value = TypeVar("Value")
Steps = list[tuple[float, float]]
"""Thresholds in bytes, and the factor above each."""
LATENCY, BANDWIDTH = "smpi/lat-factor", "smpi/bw-factor"
ALIASES = {
    "network/latency-factor": LATENCY,
    "network/latency_factor": LATENCY,
    "network/bandwidth-factor": BANDWIDTH,
    "network/bandwidth_factor": BANDWIDTH,
    "smpi/async_small_thres": "smpi/async-small-thresh",
    "smpi/async_small_thresh": "smpi/async-small-thresh",
    "smpi/send_is_detached_thres": "smpi/send-is-detached-thresh",
    "smpi/send_is_detached_thresh": "smpi/send-is-detached-thresh",
    "network/TCP_gamma": "network/TCP-gamma",
    "network/weight_S": "network/weight-S",
    "network/loopback": "network/loopback-bw",
    "smpi/finalization-barrier": "smpi/barrier-finalization",
    "surf/precision": "precision/timing",
    "maxmin/precision": "precision/work-amount",
}
"""Older and newer names of one option. SimGrid from 3.34 on takes factors by their names of network; so does APET."""
USUAL = {
    **dict.fromkeys((f"smpi/{n}" for n in ("allgatherv", "alltoallv", "gather", "scatter")), ("default", "")),
    "smpi/coll-selector": ("default",),
    "smpi/init": ("0",),
    "smpi/test": ("0.0001", "1e-4"),
    "smpi/barrier-finalization": ("no", "off", "false", "0"),
    "smpi/barrier-collectives": ("no", "off", "false", "0"),
    "precision/work-amount": ("1e-5", "0.00001"),
    "maxmin/concurrency-limit": ("-1",),
    "host/model": ("default",),
    "cpu/model": ("Cas01",),
    "network/model": ("SMPI",),
    "plugin": ("",),
}
"""Options that change times and are not modelled, and the values with which they change nothing."""
UNUSED = (
    *("contexts/", "tracing/", "debug/", "model-check", "ns3/", "disk/", "storage/", "help", "cmonkey/", "bmf/"),
    *("exception/", "smpi/shared-malloc", "smpi/auto-shared-malloc", "smpi/display-", "smpi/trace-call-", "smpi/papi"),
    *("cpu/optim", "cpu/maxmin-selective-update", "cpu/solver", "network/optim", "network/maxmin-selective-update"),
    *("network/solver", "host/solver", "path", "verbose-exit", "clean-atexit", "precision/timing", "smpi/host-speed"),
    *("smpi/cpu-threshold", "smpi/simulate-computation", "smpi/comp-adjustment-file", "smpi/keep-temps", "smpi/tmpdir"),
    *("smpi/privatization", "smpi/privatize", "smpi/grow-injected-times", "smpi/iprobe", "smpi/wtime", "smpi/np"),
    *("smpi/hostfile", "smpi/replay", "smpi/map", "smpi/errors-are-fatal", "smpi/pedantic", "smpi/list-leaks"),
    *("smpi/IB-penalty-factors", "smpi/reduced-precision", "smpi/buffering", "smpi/default-errhandler"),
)
"""How options begin that change no times of a replay."""
HERE = frozenset(("smpi/or", "smpi/os", "smpi/ois"))
"""Properties by which one host differs from the others in SMPI."""
TRUE, FALSE = ("yes", "on", "true", "1"), ("no", "off", "false", "0")


class Options:
    """The options of one platform file, as far as they were read."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.props: dict[str, Element] = {}
        self.unused: list[str] = []

    def read(self, root: Element) -> Network:
        """What they come to."""
        for config in root.inside:
            for prop in config.inside if config.tag == "config" else ():
                self._sort(prop)

        usual = Network()
        names = ("smpi/os", "smpi/ois", "smpi/or")
        send, isend, take = (tuple(chain.from_iterable(self._overheads(name))) for name in names)
        protocol = Protocol(
            self._value("smpi/async-small-thresh", units.whole, usual.protocol.small, "65536"),
            self._value("smpi/send-is-detached-thresh", units.whole, usual.protocol.eager, "65536"),
            send,
            isend,
            take,
            algorithms=tuple(map(self._algorithm, ALGORITHMS)),
        )
        if protocol.small > protocol.eager:
            problem = f"above smpi/send-is-detached-thresh, which is {protocol.eager}"
            prop = self.props["smpi/async-small-thresh"]
            self.builder.wrong(prop, prop.attributes["id"], str(protocol.small), problem, "SimGrid needs it to be less")
        gamma = self._value("network/TCP-gamma", _number, usual.window, "4194304")
        crossed = self._value("network/crosstraffic", _truth, True, "no")
        weight = self._value("network/weight-S", _number, usual.weight_of_bandwidth, "8775")
        return Network(self._factors(), gamma or math.inf, weight, usual.back if crossed else 0.0, protocol)

    def _algorithm(self, collective: str) -> int:
        """The place of a collective's algorithm among those that are modelled."""
        names = ALGORITHMS[collective]
        places = {"": 0, "default": 0, **{name: k for k, name in enumerate(names)}}
        prop = self.props.get(f"smpi/{collective}")
        text = prop.attributes.get("value", "") if prop else ""
        if text not in places:
            assert prop is not None
            problem, advised = "this algorithm is not modelled", f"modelled are {', '.join(names)}"
            self.builder.wrong(prop, prop.attributes["id"], text, problem, advised)
        return places.get(text, 0)

    def loopback(self) -> tuple[float, float]:
        """Bytes per second and seconds of what hosts of no cluster have for messages to themselves."""
        return (
            self._value("network/loopback-bw", _number, 1e10, "1e10"),
            self._value("network/loopback-lat", lambda text: units.quantity(text, "time"), 0.0, "1us"),
        )

    def _sort(self, prop: Element) -> None:
        """Keep an option that is modelled or unused; note any other."""
        written = prop.attributes.get("id", "")
        name, value = ALIASES.get(written, written), prop.attributes.get("value", "")
        if name in MODELLED:
            self.props[name] = prop
        elif name in USUAL:
            if value not in USUAL[name]:
                usual = next(filter(None, USUAL[name]), "")
                advised = f"take it out, or write {usual}" if usual else "take it out"
                self.builder.wrong(prop, written, value, "it changes times, and this is not modelled", advised)
        elif name.startswith(UNUSED):
            self.unused.append(written)
        else:
            near = nearest(written, (*MODELLED, *ALIASES, *USUAL, *UNUSED))
            self.builder.wrong(prop, written, value, f"SimGrid has no such option{near}", "take it out")

    def _value(self, name: str, read: Callable[[str], Value], usual: Value, example: str) -> Value:
        """An option's value, or the usual one."""
        prop = self.props.get(name)
        if prop is None:
            return usual
        text = prop.attributes.get("value", "")
        try:
            return read(text)
        except ValueError:
            self.builder.wrong(prop, prop.attributes["id"], text, "it has no such value", f'write "{example}"')
            return usual

    def _factors(self) -> Factors:
        """The factors of messages by size; those of SMPI for what is not said."""
        steps_by_name = {name: self._steps(name) for name in (LATENCY, BANDWIDTH)}
        if not any(steps_by_name.values()):
            return SMPI

        usual = {LATENCY: SMPI.latency, BANDWIDTH: SMPI.bandwidth}
        of_smpi = {name: list(zip(SMPI.thresholds, values[1:], strict=True)) for name, values in usual.items()}
        chosen = [steps or of_smpi[name] for name, steps in steps_by_name.items()]
        thresholds = sorted({above for steps in chosen for above, _ in steps})
        latency, bandwidth = ((1.0, *(_at(steps, t) for t in thresholds)) for steps in chosen)
        return Factors(tuple(thresholds), latency, bandwidth)

    def _steps(self, name: str) -> Steps:
        """`0:1.0;65472:11.6` by threshold; one number holds for all sizes."""
        prop, steps = self.props.get(name), Steps()
        if prop is None:
            return steps
        text = prop.attributes.get("value", "")
        for part in text.split(";"):
            above, _, factor = part.rpartition(":") if ";" in text or ":" in text else ("0", "", part)
            step = _finite(above), _finite(factor)
            if math.isnan(step[0] + step[1]):
                problem, advised = f"'{part}' is no threshold with a factor", 'write "0:1.0;65472:11.6"'
                self.builder.wrong(prop, prop.attributes["id"], text, problem, advised)
                return []
            if name == BANDWIDTH and step[1] == 0:
                problem, advised = "a bandwidth cannot be multiplied by 0", "leave the threshold out"
                self.builder.wrong(prop, prop.attributes["id"], text, problem, advised)
                return []
            steps.append(step)

        return sorted(steps)

    def _overheads(self, name: str) -> Iterator[tuple[float, float, float]]:
        """`0:1e-6:0;65536:2us:1e-10`: bytes above which it holds, seconds, seconds per byte; none where all are 0."""
        prop = self.props.get(name)
        text = prop.attributes.get("value", "") if prop else ""
        rows = list[tuple[float, float, float]]()
        for part in text.split(";") if prop else ():
            words = part.split(":")
            try:
                above, fixed, each = units.whole(words[0]), *(units.quantity(w, "time") for w in words[1:])
            except ValueError:
                assert prop is not None
                problem = f"'{part}' is no size with seconds and seconds per byte"
                self.builder.wrong(prop, name, text, problem, 'write "0:1us:0;65536:2us:1e-10"')
                return
            rows.append((above, fixed, each))

        if any(fixed or each for _, fixed, each in rows):
            yield from sorted(rows)


def refuse_own(builder: Builder, host: Element) -> None:
    """Note what one host says of its own sends and receives."""
    for prop in host.inside:
        name = prop.attributes.get("id", "")
        if prop.tag == "prop" and name in HERE:
            problem, advised = "it is modelled for all hosts alike", "write it into <config>"
            builder.wrong(prop, name, prop.attributes.get("value", ""), problem, advised)


def _finite(text: str) -> float:
    """A number of at least 0; NaN for anything else."""
    try:
        number = float(text)
    except ValueError:
        return math.nan
    return number if 0 <= number < math.inf else math.nan


def _number(text: str) -> float:
    number = _finite(text)
    if math.isnan(number):
        raise ValueError(text)
    return number


def _truth(text: str) -> bool:
    if text.lower() not in (*TRUE, *FALSE):
        raise ValueError(text)
    return text.lower() in TRUE


def _at(steps: Steps, threshold: float) -> float:
    """The factor above a threshold."""
    k = bisect_left(steps, (threshold, math.inf))
    return steps[k - 1][1] if k else 1.0


MODELLED = frozenset(
    (
        *(LATENCY, BANDWIDTH, "smpi/async-small-thresh", "smpi/send-is-detached-thresh", *HERE, "network/TCP-gamma"),
        *("network/crosstraffic", "network/weight-S", "network/loopback-bw", "network/loopback-lat"),
        *(f"smpi/{name}" for name in ALGORITHMS),
    )
)
"""Options that are modelled."""
