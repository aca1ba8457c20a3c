"""Open classes without product form: priorities, uneven service, bursts; next to formulas and simulations."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.queueing.data.jobs import Distribution
from apet.queueing.data.networks import JobClass, Network, NetworkResult, Station
from apet.queueing.data.problems import Ranges, Uncertain
from apet.queueing.methods.answer import queue, simulated, solved
from apet.queueing.questions.cost_model import queue_model
from apet.queueing.read import parse_queue_file

EXPONENTIAL = Distribution()
HYPEREXPONENTIAL = Distribution("hyperexp", 1, 4.0)
EVENTS = 600_000


def line(
    classes: list[tuple[float, float, int]],
    discipline: str = "FCFS",
    shape: Distribution = EXPONENTIAL,
    servers: int = 1,
    arrivals: Distribution = EXPONENTIAL,
) -> Network:
    """One station; of each class jobs per second, seconds of service and priority."""
    station = Station("s", "queue", servers, discipline, shape)
    jobs = [JobClass(f"c{i}", None, 0.0, rate, arrivals, None, p) for i, (rate, _, p) in enumerate(classes)]
    return Network((station,), tuple(jobs), [[s] for _, s, _ in classes], [[1.0]] * len(classes))


def answer(network: Network, percentiles: bool = False) -> NetworkResult:
    result = queue(network, percentiles=True) if percentiles else solved(network)
    assert isinstance(result, NetworkResult)
    return result


def simulation(network: Network, jobs: int = EVENTS) -> NetworkResult:
    result = simulated(network, jobs, 1)
    assert isinstance(result, NetworkResult)
    return result


loads = st.lists(
    st.tuples(st.floats(0.01, 0.24), st.floats(0.1, 1.0), st.integers(1, 3)), min_size=2, max_size=4
)  # less than one server in all
shapes = st.sampled_from([Distribution(), Distribution("det"), Distribution("erlang", 3), HYPEREXPONENTIAL])


@given(loads, shapes)
@settings(deadline=None)
def test_priorities_move_waits_between_classes_but_not_their_work(
    classes: list[tuple[float, float, int]], shape: Distribution
) -> None:
    """The conservation law of L. Kleinrock (1965): sum of rho W is that of any order that lets services end."""

    def waiting_work(network: Network) -> float:
        result = answer(network)
        return sum(r * s * (t - s) for (r, s, _), t in zip(classes, result.system_response_time, strict=True))

    assert waiting_work(line(classes, "priority", shape)) == pytest.approx(waiting_work(line(classes, "FCFS", shape)))


@given(loads, shapes)
@settings(deadline=None)
def test_interruptions_hide_all_others_from_the_first_class(
    classes: list[tuple[float, float, int]], shape: Distribution
) -> None:
    first = [(r, s, p) for r, s, p in classes if p == min(p for _, _, p in classes)]
    with_others, alone = answer(line(classes, "preemptive", shape)), answer(line(first, "FCFS", shape))
    times = [t for t, c in zip(with_others.system_response_time, classes, strict=True) if c in first]
    assert times == pytest.approx(alone.system_response_time)


@pytest.mark.parametrize("discipline", ["priority", "preemptive"])
@pytest.mark.parametrize("shape", [Distribution(), Distribution("det"), HYPEREXPONENTIAL], ids=str)
def test_priorities_are_those_of_a_simulation(discipline: str, shape: Distribution) -> None:
    network = line([(0.3, 0.6, 1), (0.2, 1.0, 2), (0.25, 1.2, 3)], discipline, shape)
    for exact, seen in zip(answer(network).system_response_time, simulation(network).system_response_time, strict=True):
        assert seen == pytest.approx(exact, rel=0.06)


def test_equal_exponential_services_by_priority_at_several_servers_are_exact() -> None:
    network = line([(1.2, 1.0, 1), (1.2, 1.0, 2)], "priority", servers=3)
    assert answer(network).method == "Cobham"
    for exact, seen in zip(answer(network).system_response_time, simulation(network).system_response_time, strict=True):
        assert seen == pytest.approx(exact, rel=0.03)


def interarrival_root(shape: Distribution, rate: float, service: float) -> float:
    """The share of arrivals that wait at GI/M/1: the root of x = A((1 - x) / S) in (0, 1), by iteration."""
    x = 0.5
    for _ in range(2_000):
        x = float(shape.transform((1 - x) / service / rate).real)
    return x


@given(st.sampled_from([Distribution("det"), Distribution("erlang", 3), HYPEREXPONENTIAL]), st.floats(0.1, 0.9))
@settings(deadline=None)
def test_the_bound_of_independent_arrivals_holds_and_the_estimate_is_near(shape: Distribution, load: float) -> None:
    """GI/M/1 has the exact mean S / (1 - x), x the root of D. G. Kendall (1953)."""
    from apet.queueing.methods.mva.order_of_arrival import at_most

    network = line([(load, 1.0, 1)], arrivals=shape)
    exact = 1 / (1 - interarrival_root(shape, load, 1.0))
    bound = at_most(network, 0)
    assert bound is not None
    assert bound >= exact * (1 - 1e-9)
    assert answer(network).system_response_time[0] == pytest.approx(exact, rel=0.25)


@pytest.mark.parametrize("servers", [1, 2, 8])
@pytest.mark.parametrize("shape", [Distribution("det"), Distribution("erlang", 2), HYPEREXPONENTIAL], ids=str)
def test_estimates_of_uneven_service_at_several_servers_are_near_simulations(servers: int, shape: Distribution) -> None:
    network = line([(0.8 * servers, 1.0, 1)], shape=shape, servers=servers)
    result = answer(network)
    assert result.system_response_time[0] == pytest.approx(simulation(network).system_response_time[0], rel=0.08)
    assert result.is_estimate == (servers > 1 and shape.kind != "det")


def test_bursts_of_independent_flows_add_in_proportion_to_their_rates() -> None:
    bursty = JobClass("a", None, 0.0, 0.3, dispersion=5.0)
    smooth = JobClass("b", None, 0.0, 0.3, dispersion=1.0)
    both = Network((Station("s"),), (bursty, smooth), [[1.0], [1.0]], [[1], [1]])
    mean = Network((Station("s"),), (JobClass("c", None, 0.0, 0.6, dispersion=3.0),), [[1.0]], [[1]])
    assert answer(both).system_response_time[0] == pytest.approx(answer(mean).system_response_time[0])


def test_bursts_of_long_services_weigh_more_than_those_of_short_ones() -> None:
    short, long = JobClass("a", None, 0.0, 4.0), JobClass("b", None, 0.0, 0.2)
    line_of = (Station("s", "queue", 1, "FCFS"),)
    poisson = Network(line_of, (short, long), [[0.05], [2.0]], [[1], [1]])
    waits = [answer(poisson).response_time_per_visit[0][0] - 0.05]
    for bursty in (0, 1):
        classes = tuple(replace(c, dispersion=4.0) if i == bursty else c for i, c in enumerate((short, long)))
        waits.append(answer(replace(poisson, classes=classes)).response_time_per_visit[0][0] - 0.05)
    # W0 = sum lambda S^2 (I + 1) / 2: 0.005 and 0.4 per unit of I.
    assert waits[1] / waits[0] == pytest.approx((0.005 * 5 + 0.4 * 2) / (0.405 * 2))
    assert waits[2] / waits[0] == pytest.approx((0.005 * 2 + 0.4 * 5) / (0.405 * 2))


@pytest.mark.parametrize("discipline", ["priority", "preemptive"])
def test_bursts_of_later_classes_make_no_line_for_the_first(discipline: str) -> None:
    network = line([(0.4, 0.8, 1), (0.2, 1.0, 2)], discipline)
    bursty = replace(network, classes=(network.classes[0], replace(network.classes[1], dispersion=6.0)))
    first, second = (answer(n).system_response_time for n in (network, bursty))
    assert first[0] == pytest.approx(second[0])
    assert first[1] < second[1]
    seen = simulation(bursty).system_response_time
    assert seen[0] == pytest.approx(second[0], rel=0.03)
    assert seen[1] == pytest.approx(second[1], rel=0.25)  # the index is that of long times


def test_bursts_thin_out_where_few_jobs_go() -> None:
    """A fraction v of arrivals, taken at random, has the index 1 + v (I - 1)."""
    rare = Network((Station("s"),), (JobClass("c", None, 0.0, 10.0, dispersion=5.0),), [[1.0]], [[0.05]])
    often = Network((Station("s"),), (JobClass("c", None, 0.0, 0.5, dispersion=5.0),), [[1.0]], [[1.0]])
    poisson = Network((Station("s"),), (JobClass("c", None, 0.0, 0.5),), [[1.0]], [[1.0]])
    waits = [answer(n).response_time_per_visit[0][0] for n in (poisson, rare, often)]
    assert waits == sorted(waits)
    assert waits[1] - waits[0] == pytest.approx(0.05 * (waits[2] - waits[0]))


def test_bursts_at_a_shared_server_are_simulated() -> None:
    network = line([(0.5, 1.0, 1)], "PS", arrivals=HYPEREXPONENTIAL)
    assert "simulat" in answer(network).method
    assert answer(network).system_response_time[0] > 2.0


def test_percentiles_of_priorities_are_near_those_of_a_simulation() -> None:
    network = line([(0.4, 0.8, 1), (0.4, 0.8, 2)], "priority")
    model, seen = answer(network, percentiles=True).percentiles, simulation(network).percentiles
    for one, other in zip(model, seen, strict=True):
        assert one is not None
        assert other is not None
        assert one.source == "simulated"
        assert one.by_level()[95] == pytest.approx(other.by_level()[95], rel=0.05)


def test_closed_classes_by_priority_are_simulated_and_lose_nothing() -> None:
    station = (Station("cpu", "queue", 1, "preemptive"),)
    classes = (JobClass("first", 2, 3.0, priority=1), JobClass("second", 2, 3.0, priority=2))
    network = Network(station, classes, [[1.0], [1.0]], [[1], [1]])
    result, alone = answer(network), answer(Network(station, classes[:1], [[1.0]], [[1]]))
    assert result.system_response_time[0] == pytest.approx(alone.system_response_time[0], rel=0.03)
    shared = answer(replace(network, stations=(Station("cpu"),)))
    used = [sum(row[0] or 0.0 for row in r.utilization) for r in (result, shared)]
    assert used[0] == pytest.approx(used[1], rel=0.02)


def test_open_and_closed_classes_without_product_form_are_simulated() -> None:
    """Exponential and equal, but for a priority that no class differs in: product form says what must come out."""
    classes = (JobClass("open", None, 0.0, 0.4), JobClass("closed", 3, 5.0))
    ranked = tuple(replace(c, priority=p) for c, p in zip(classes, (1, 2), strict=True))
    plain = Network((Station("s"), Station("d")), classes, [[0.8, 0.3], [0.8, 0.3]], [[1, 1], [1, 1]])
    by_rank = replace(plain, stations=(Station("s", "queue", 1, "priority"), Station("d")), classes=ranked)
    result, exact = answer(by_rank), answer(plain)
    assert result.system_response_time[0] < exact.system_response_time[0]
    assert result.throughput[0] == pytest.approx(0.4, rel=0.02)
    assert simulation(plain).system_response_time == pytest.approx(exact.system_response_time, rel=0.05)


@pytest.mark.parametrize("discipline", ["priority", "preemptive"])
def test_too_much_work_is_refused(discipline: str) -> None:
    with pytest.raises(ApetError, match="utilization"):
        queue(line([(0.6, 1.0, 1), (0.6, 1.0, 2)], discipline))


def test_a_class_that_nobody_waits_for_has_no_times() -> None:
    network = Network(
        (Station("s", "queue", 1, "FCFS"),),
        (JobClass("a", None, 0.0, 0.5), JobClass("b", None, 0.0, 0.2)),
        [[1.0], [0.0]],
        [[1], [0]],
    )
    assert answer(network).system_response_time == pytest.approx([2.0, 0.0])
    assert math.isfinite(answer(network, percentiles=True).system_response_time[0])


@pytest.mark.parametrize(("dispersion", "ends"), [(None, "proved"), (2.0, "searched")])
def test_waits_of_poisson_arrivals_rise_in_rates_and_service(dispersion: float | None, ends: str) -> None:
    def corner(rate: float, service: float) -> Network:
        job = JobClass("c", None, 0.0, rate, dispersion=dispersion)
        return Network((Station("s", "queue", 1, "FCFS", Distribution("det")),), (job,), [[service]], [[1.0]])

    low, high = corner(0.2, 0.9), corner(0.6, 1.2)
    between = queue(Uncertain(low, high))
    assert isinstance(between, Ranges)
    assert between.ends == ends
    assert isinstance(between.low, NetworkResult)
    assert between.low.system_response_time == pytest.approx(answer(low).system_response_time)


def test_jobs_that_return_to_a_line_are_no_poisson_arrivals() -> None:
    """One class of three constant visits: its own visits are in order behind each other, W is longer than M/D/1's."""
    line = (Station("s", "queue", 1, "FCFS", Distribution("det")),)
    classes = (JobClass("again", None, 0.0, 0.372), JobClass("once", None, 0.0, 0.554))
    network = Network(line, classes, [[0.323], [0.176]], [[3], [1]])
    formula, answer = solved(network), queue(network)
    assert isinstance(formula, NetworkResult)
    assert isinstance(answer, NetworkResult)
    assert formula.is_estimate
    in_events = simulated(network, 200_000, 3)
    assert isinstance(in_events, NetworkResult)
    assert answer.system_response_time == pytest.approx(in_events.system_response_time, rel=0.02)


def test_a_station_that_nobody_visits_changes_nothing() -> None:
    alone = line([(0.5, 1.0, 1)], "priority")
    idle = Station("idle", "queue", 2, "FCFS", HYPEREXPONENTIAL)
    beside = replace(alone, stations=(*alone.stations, idle), service=[[1.0, 0.0]], visits=[[1.0, 1.0]])
    assert answer(beside).system_response_time == answer(alone).system_response_time


@given(st.lists(st.floats(0.01, 0.08), min_size=4, max_size=4), st.sampled_from(("D", "rate")))
def test_response_times_of_open_networks_move_one_way_in_every_parameter(demands: list[float], kind: str) -> None:
    """What the model promises to questions: between its breaks, of which there are none, bounds are monotone."""
    classes = (JobClass("a", None, 0.0, 2.0), JobClass("b", None, 0.0, 3.0))
    network = Network(
        (Station("cpu", servers=2), Station("disk")), classes, [demands[:2], demands[2:]], [[1.0] * 2] * 2
    )
    app = queue_model("open.toml", network, "response[a]")
    assert set(app.breaks) == set(app.declared)

    values = {name: float(parameter.value.value) for name, parameter in app.declared.items()}  # type: ignore[union-attr]
    for name in (n for n in values if n.startswith(kind)):
        times = [app.T_total.evaluate({**values, name: values[name] * share}) for share in (0.5, 0.8, 1.0, 1.3)]
        assert times == sorted(times)


def test_measured_times_are_a_distribution_like_others() -> None:
    shape = Distribution("measured", values=(0.25, 0.5, 2.25))
    assert shape.variation == pytest.approx((0.25**2 + 0.5**2 + 2.25**2) / 3 - 1)
    assert shape.longest_residual == pytest.approx(1.75)
    assert shape.transform(0.7) == pytest.approx(sum(math.exp(-0.7 * v) for v in shape.values) / 3)
    assert [float(shape.moment_beyond(n, 0.4)) for n in (0, 1)] == pytest.approx([2 / 3, 2.75 / 3])

    dist = '{"type": "measured", "values": [1, 2, 9]}'
    text = f'{{"stations": [{{"name": "a", "discipline": "FCFS", "service_dist": {dist}}}],'
    text += '"classes": [{"arrival_rate": 0.8, "service": {"a": 0.6}}]}'
    result = queue(parse_queue_file(Source("a.json", text)).problem)
    assert isinstance(result, NetworkResult)
    # W = lambda E S^2 / (2 (1 - rho)) (Pollaczek and Khinchine)
    squares = 0.36 * (1 + 4 + 81) / 48
    assert result.system_response_time[0] == pytest.approx(0.6 + 0.8 * squares / (2 * (1 - 0.48)))


@pytest.mark.parametrize(
    ("service", "arrivals", "truth"),
    [
        ("measured", "exp", 3.3333),  # Pollaczek and Khinchine
        ("measured", "det", 1.7638),  # Lindley's recursion, 2 million jobs
        ("exp", "measured", 3.7523),  # 1 / (mu (1 - z)), z = A*(mu (1 - z))
    ],
)
def test_measured_times_that_vary_as_exponential_ones_do_are_none(service: str, arrivals: str, truth: float) -> None:
    def shape(kind: str) -> str:
        return f'{{ type = "{kind}"{", values = [0, 2]" if kind == "measured" else ""} }}'

    text = f"""
    stations = [{{ name = "a", discipline = "FCFS", service_dist = {shape(service)} }}]
    [[classes]]
    name = "c"
    arrival_rate = 0.7
    arrival_dist = {shape(arrivals)}
    service = {{ a = 1.0 }}
    """
    result = queue(parse_queue_file(Source("a.toml", text)).problem)
    assert isinstance(result, NetworkResult)
    assert result.system_response_time[0] == pytest.approx(truth, rel=2e-3)
    assert result.method != "exact"
