"""Laws of jobs made from application models: one run alone keeps to what is proved of it, and work is never lost."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.brute_force import brute_force
from tests.strategies import Case, Features, cases

import apet
from apet import api
from apet.api.models import read
from apet.cost import Setting, analyse
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.ground.source import Source
from apet.machine.network import End
from apet.model.pamela import parse
from apet.prediction import setting_of
from apet.queueing.data.jobs import Scenario
from apet.queueing.methods.precedence import flows
from apet.queueing.methods.precedence.flows import Flow, Split, StationWork
from apet.queueing.methods.precedence.from_model import scenario
from apet.queueing.methods.precedence.under_load import alone_seconds, under_load

SAMPLES = Path(__file__).resolve().parents[2] / "samples" / "pamela"
ENDS: tuple[End, End] = ("tmin", "tmax")
PROCESSORS = {"join-2005": 4, "cluster-64": 8, "two-nodes": 2}
NAMES = sorted(path.stem for path in SAMPLES.glob("*.pam"))


def loads(found: Scenario) -> dict[str, float]:
    """Seconds of work by station."""
    total: dict[str, float] = {}
    for variant in found.classes[0].variants:
        for task in variant.tasks:
            for step in task.steps:
                name = found.stations[step.station].name
                total[name] = total.get(name, 0.0) + variant.probability * step.demand
    return total


@given(cases(Features(nested=False)), st.sampled_from(ENDS))
@settings(max_examples=60, deadline=None)
def test_one_run_alone_lies_between_the_bounds(case: Case, end: End) -> None:
    model = parse(Source("random.pam", case.text))
    app = analyse(model, Setting(topology=case.topology))
    bounds = brute_force(model, case.table, end, topology=case.topology, kind=Fraction)
    one = scenario(app, case.table, end, {}, "static", 1, 0.0)
    seconds = alone_seconds(one)
    assert float(bounds.lower) * (1 - 1e-9) <= seconds <= float(bounds.upper) * (1 + 1e-9)


@given(cases(Features(nested=False)))
@settings(max_examples=40, deadline=None)
def test_no_work_is_lost_or_invented(case: Case) -> None:
    model = parse(Source("random.pam", case.text))
    topology = "bus" if case.topology == "switch" else case.topology
    want = brute_force(model, case.table, "tmax", topology=topology).loads
    found = loads(scenario(analyse(model, Setting(topology=topology)), case.table, "tmax", {}, "static", 1, 0.0))
    found.pop("delays", None)
    assert {r: pytest.approx(float(t)) for r, t in want.items() if t} == {r: t for r, t in found.items() if t}


VALUES: dict[str, dict[str, Number]] = {
    "published": {"p": 1},
    "round-robin": {"N": 100},
    "neighbours": {"steps": 3, "blocks": 3, "points": 1e4},
    "map-reduce": {"maps": 8, "reduces": 4},
}
"""Of samples whose defaults are missing, or make too large a job."""
SQUARES = {8: 4, 2: 1}
"""Numbers of processors for a sample that needs a square of them."""


@pytest.mark.parametrize("machines", PROCESSORS)
@pytest.mark.parametrize("name", NAMES)
def test_samples_alone_lie_between_the_bounds_and_wait_for_each_other(name: str, machines: str) -> None:
    loaded = apet.load_machines(machines)
    branches = "average" if name == "primes-average" else "probability"
    app = analyse(read(SAMPLES / f"{name}.pam"), setting_of(loaded, branches))
    values = VALUES.get(name, {})
    try:
        predictor = api.predictor(app, loaded)
    except ApetError:
        pytest.skip("this machine model lacks operations of the sample")
    processors = PROCESSORS[machines]
    if name == "halo":
        processors = SQUARES.get(processors, processors)
    found = under_load(predictor, processors, values, 1, 0.0)
    ends = zip(found.alone.lower, found.response_time, found.alone.upper, strict=True)
    for lower, seconds, upper in ends:
        assert lower * (1 - 1e-9) <= seconds <= upper * (1 + 1e-9)
    if len(app.resources):
        crowded = under_load(predictor, processors, values, 3, 1.0)
        assert crowded.response_time.lo >= found.response_time.lo * 0.99


def test_ranges_and_jobs_that_are_too_large_are_refused() -> None:
    loaded = apet.load_machines("join-2005")
    app = analyse(read(SAMPLES / "pi.pam"), setting_of(loaded, "probability"))
    with pytest.raises(ApetError):
        under_load(api.predictor(app, loaded), 4, {"q": Interval(0.1, 0.2)}, 2, 0.0)
    text = "param P; L = par (i = 1, 200000) { use(disk, 1); use(tape, 1); };"
    many = analyse(parse(Source("many.pam", text)), Setting())
    with pytest.raises(ApetError) as refused:
        under_load(api.predictor(many, loaded), 4, {}, 2, 0.0)
    assert "too large" in str(refused.value)


# Folding


WORKS = st.builds(StationWork, st.integers(0, 2), st.floats(0.1, 3.0))
FLOWS = st.lists(WORKS, min_size=1, max_size=4).map(lambda items: flows.chained([tuple(items)]))


def work(flow: Flow) -> dict[int, float]:
    total: dict[int, float] = {}
    for item in flow:
        parts = item.parts if isinstance(item, Split) else ((item,),)
        for part in parts:
            for inner in part:
                if isinstance(inner, StationWork):
                    total[inner.station] = total.get(inner.station, 0.0) + inner.seconds
    return total


@given(FLOWS, st.integers(1, 1000))
def test_folding_a_loop_keeps_work_and_time(flow: Flow, times: int) -> None:
    folded = flows.repeated(flow, times)
    assert len(folded) <= flows.FOLDED * len(flow)
    assert flows.duration(folded) == pytest.approx(times * flows.duration(flow))
    assert work(folded) == {k: pytest.approx(times * s) for k, s in work(flow).items()}


@given(st.lists(FLOWS, min_size=1, max_size=30))
def test_putting_flows_together_keeps_work(parts: list[Flow]) -> None:
    found = work(flows.together(parts, [1, 2, 1]))
    want: dict[int, float] = {}
    for part in parts:
        for k, seconds in work(part).items():
            want[k] = want.get(k, 0.0) + seconds
    assert found == {k: pytest.approx(s) for k, s in want.items()}
