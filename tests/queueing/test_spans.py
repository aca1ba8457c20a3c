"""Networks from traces of requests: own times, users and servers are found again, in every format."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.queueing.data.jobs import JobsResult, Scenario
from apet.queueing.data.networks import Network
from apet.queueing.measured.request_shapes import distribution
from apet.queueing.measured.service_files import from_requests, services
from apet.queueing.measured.spans import ServiceCall, read_requests
from apet.queueing.methods.answer import queue
from apet.queueing.read import parse_queue_file


def written(text: str) -> Any:
    return parse_queue_file(Source("x.toml", text)).problem


def otlp(*spans: tuple[str, str, str, float, float]) -> str:
    """Span, parent, service, start and end in milliseconds."""
    rows = [
        {
            "resource": {"attributes": [{"key": "service.name", "value": {"stringValue": service}}]},
            "scopeSpans": [
                {
                    "spans": [
                        {
                            "traceId": span[0],
                            "spanId": span,
                            "parentSpanId": parent,
                            "name": "GET /",
                            "startTimeUnixNano": str(int(start * 1e6)),
                            "endTimeUnixNano": str(int(end * 1e6)),
                        }
                    ]
                }
            ],
        }
        for span, parent, service, start, end in spans
    ]
    return json.dumps({"resourceSpans": rows})


ONE_BY_ONE = otlp(
    ("a", "", "web", 0, 100),
    ("a1", "a", "db", 10, 30),
    ("a2", "a", "db", 40, 70),
    ("b", "", "web", 1000, 1100),
    ("b1", "b", "db", 1010, 1060),
)


def test_calls_one_after_the_other_make_an_open_network_of_own_times() -> None:
    network = written(from_requests("t", read_requests(Source("t.json", ONE_BY_ONE)), {}))
    assert isinstance(network, Network)
    assert network.visits == [[1.0, 1.5]]
    assert network.demands()[0] == pytest.approx([0.05, 0.05], rel=1e-5)
    assert network.classes[0].arrival_rate == pytest.approx(1 / 1.0, rel=1e-5)


def test_calls_that_overlap_make_jobs_with_parallel_parts() -> None:
    text = otlp(("a", "", "web", 0, 100), ("a1", "a", "db", 10, 60), ("a2", "a", "mail", 20, 90))
    requests = read_requests(Source("t.json", text))
    assert [len(b) for b in requests.calls[0].batches()] == [2]
    assert requests.calls[0].own_seconds() == pytest.approx(0.02)
    scenario = written(from_requests("t", requests, {}))
    assert isinstance(scenario, Scenario)
    tasks = scenario.classes[0].variants[0].tasks
    assert sum(s.demand for t in tasks for s in t.steps) == pytest.approx(0.02 + 0.05 + 0.07)
    assert any(len(t.predecessors) == 2 for t in tasks)


def test_sessions_make_users_who_think() -> None:
    """Two users, each with a request of 100 ms in every second."""
    spans = [
        (f"{user}{i}", "", "web", 1000 * i + 300 * user, 1000 * i + 300 * user + 100)
        for i in range(20)
        for user in (1, 2)
    ]
    content = json.loads(otlp(*spans))
    for resource in content["resourceSpans"]:
        [span] = resource["scopeSpans"][0]["spans"]
        span["attributes"] = [{"key": "session.id", "value": {"stringValue": span["spanId"][0]}}]
    network = written(from_requests("t", read_requests(Source("t.json", json.dumps(content))), {}))
    assert isinstance(network, Network)
    assert network.classes[0].population == 2
    assert network.classes[0].think == pytest.approx(0.9)
    assert network.demands() == [[pytest.approx(0.1)]]


def test_jaeger_has_the_same_requests() -> None:
    span = {"traceID": "t", "processID": "p", "operationName": "GET /"}
    spans = [
        {**span, "spanID": "a", "startTime": 0, "duration": 100_000},
        {**span, "spanID": "a1", "processID": "q", "startTime": 10_000, "duration": 20_000}
        | {"references": [{"refType": "CHILD_OF", "spanID": "a"}]},
    ]
    processes = {"p": {"serviceName": "web"}, "q": {"serviceName": "db"}}
    text = json.dumps({"data": [{"spans": spans, "processes": processes}]})
    same = otlp(("t", "", "web", 0, 100), ("t1", "t", "db", 10, 30))
    assert read_requests(Source("j.json", text)) == read_requests(Source("o.json", same))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "1",
        '{"data": []}',
        '{"data": [{"spans": [{}]}]}',
        '{"resourceSpans": [{"scopeSpans": 3}]}',
        otlp(("a1", "a2", "web", 0, 1), ("a2", "a1", "web", 0, 1)),
        otlp(("a", "", "web", 1, 0)),
        ONE_BY_ONE.replace('"100000000"', '"0.1"'),
    ],
)
def test_what_is_no_trace_is_refused(text: str) -> None:
    with pytest.raises(ApetError):
        read_requests(Source("t.json", text))


def test_lines_of_json_and_batches_are_the_same_requests() -> None:
    """OpenTelemetry's file exporter writes a document per line; Tempo answers with `batches`."""
    resources = json.loads(ONE_BY_ONE)["resourceSpans"]
    lines = "\n".join(json.dumps({"resourceSpans": [r]}) for r in resources)
    requests = read_requests(Source("t.json", ONE_BY_ONE))
    assert read_requests(Source("t.json", lines)) == requests
    assert read_requests(Source("t.json", json.dumps({"batches": resources}))) == requests


def test_clocks_that_are_set_apart_are_mended() -> None:
    """The clock of the database is 54 ms ahead, so that its calls end after those of the web server do."""
    spans = [
        ("a", "", "web", 0, 40),
        ("a1", "a", "db", 59, 89),
        ("b", "", "web", 1000, 1020),
        ("b1", "b", "db", 1059, 1069),
    ]
    text = from_requests("t", read_requests(Source("t.json", otlp(*spans))), {})
    assert "clock of db is +0.054 s off that of web" in text  # between 49 and 59 ms
    network = written(text)
    assert network.demands()[0] == pytest.approx([0.01, 0.02], rel=0.1)


def test_a_clock_that_no_offset_mends_is_left_alone_and_said() -> None:
    spans = [
        ("a", "", "web", 0, 40),
        ("a1", "a", "db", 20, 90),
        ("b", "", "web", 1000, 1020),
        ("b1", "b", "db", 1001, 1009),
    ]
    text = from_requests("t", read_requests(Source("t.json", otlp(*spans))), {})
    assert "Calls of db outlast web" in text


def test_traces_that_lack_callers_count_as_load_and_not_as_demand() -> None:
    lost = otlp(
        ("a", "", "web", 0, 100), ("a1", "a", "db", 10, 30), ("b", "", "web", 900, 1000), ("b2", "b1", "db", 910, 990)
    )
    network = written(from_requests("t", read_requests(Source("t.json", lost)), {}))
    assert [c.name for c in network.classes] == ["GET /"]
    assert network.classes[0].arrival_rate == pytest.approx(1 / 0.9, rel=1e-5)
    assert network.demands()[0] == pytest.approx([0.08, 0.02])
    with pytest.raises(ApetError, match="lacks the callers"):
        read_requests(Source("t.json", otlp(("b", "", "web", 0, 100), ("b2", "b1", "db", 10, 90))))


def test_requests_of_several_shapes_are_a_choice() -> None:
    """Every third request finds what it needs in a cache."""
    spans = []
    for i, name in enumerate("abcdef"):
        spans += [(name, "", "web", 1000 * i, 1000 * i + 100), (f"{name}1", name, "auth", 1000 * i, 1000 * i + 50)]
        spans += [(f"{name}2", name, "db", 1000 * i + 10, 1000 * i + 90)] if i % 3 else []
    scenario = written(from_requests("t", read_requests(Source("t.json", otlp(*spans))), {}))
    assert [v.probability for v in scenario.classes[0].variants] == pytest.approx([2 / 3, 1 / 3], abs=1e-6)


def test_a_client_waits_for_the_network_or_for_what_has_no_spans() -> None:
    content = json.loads(
        otlp(
            ("a", "", "web", 0, 100),
            ("a1", "a", "web", 10, 60),
            ("a2", "a1", "api", 20, 50),
            ("a3", "a", "web", 70, 90),
        )
    )
    for i, attributes in ((1, {}), (3, {"db.system": "redis"})):
        [span] = content["resourceSpans"][i]["scopeSpans"][0]["spans"]
        span |= {"kind": 3, "attributes": [{"key": k, "value": {"stringValue": v}} for k, v in attributes.items()]}
    network = written(from_requests("t", read_requests(Source("t.json", json.dumps(content))), {}))
    demands_by_name = dict(zip([s.name for s in network.stations], network.demands()[0], strict=True))
    assert demands_by_name == pytest.approx({"web": 0.03, "network": 0.02, "api": 0.03, "redis": 0.02})
    assert network.stations[[s.name for s in network.stations].index("network")].is_delay


def jaeger_span(key: str, parent: str, start: int, length: int) -> dict[str, object]:
    references = [{"refType": "CHILD_OF", "traceID": "t", "spanID": parent}] if parent else []
    names = {"spanID": key, "traceID": "t", "operationName": "GET /", "references": references}
    return {**names, "startTime": start, "duration": length, "process": {"serviceName": f"s{key}"}}


def zipkin_span(key: str, parent: str, start: int, length: int) -> dict[str, object]:
    parents = {"parentId": parent} if parent else {}
    place = {"traceId": "t", "id": key, "name": "GET /", "localEndpoint": {"serviceName": f"s{key}"}}
    return {**place, **parents, "timestamp": start, "duration": length}


def snake_span(key: str, parent: str, start: int, length: int) -> dict[str, object]:
    times = {"start_time_unix_nano": str(start * 1000), "end_time_unix_nano": str((start + length) * 1000)}
    span = {"trace_id": "t", "span_id": key, "parent_span_id": parent, "name": "GET /", **times}
    named = {"attributes": [{"key": "service.name", "value": {"string_value": f"s{key}"}}]}
    return {"resource": named, "scope_spans": [{"spans": [span]}]}


def test_spans_are_the_same_in_all_formats() -> None:
    def rows(span: Callable[[str, str, int, int], dict[str, object]]) -> list[dict[str, object]]:
        return [span("a", "", 1_000_000, 100_000), span("b", "a", 1_020_000, 60_000)]

    trace = {"traceID": "t", "spans": rows(jaeger_span), "processes": {}}
    texts = {
        "Jaeger, API": {"data": [trace]},
        "Jaeger, UI": trace,
        "Jaeger, list": [trace],
        "Jaeger, storage": [{"_source": row} for row in rows(jaeger_span)],
        "Zipkin": rows(zipkin_span),
        "Zipkin, traces": [rows(zipkin_span)],
        "OTLP": {"resource_spans": rows(snake_span)},
    }
    for kind, content in texts.items():
        (request,) = read_requests(Source("t.json", json.dumps(content))).calls
        assert [(c.service, round(c.own_seconds(), 9)) for c in request.everything()] == [("sa", 0.04), ("sb", 0.06)], (
            kind
        )


def test_spans_that_are_not_used_are_counted() -> None:
    rows = [zipkin_span("a", "", 10**6, 10**5), {**zipkin_span("b", "a", 10**6, 0), "duration": None}]
    lost = {**zipkin_span("c", "gone", 10**6, 10**5), "traceId": "u"}
    found = read_requests(Source("t.json", json.dumps([*rows, lost])))
    assert (len(found.calls), found.unfinished, found.rootless) == (1, 1, 1)
    text = from_requests("t", found, {})
    assert "Spans without times, left out: 1" in text
    assert "1 more lack their first call" in text


def test_clients_that_call_nobody_knows_what_are_named() -> None:
    client = {**zipkin_span("b", "a", 1_020_000, 60_000), "kind": "CLIENT"}
    for tags, station in (
        ({}, "network"),
        ({"http.url": "http://mail:80/x"}, "mail"),
        ({"net.peer.name": "db1"}, "db1"),
    ):
        content = [zipkin_span("a", "", 10**6, 10**5), {**client, "tags": tags}]
        found = read_requests(Source("t.json", json.dumps(content)))
        assert station in services(found.calls)
        assert ("No attribute names" in from_requests("t", found, {})) == (not tags)


@pytest.mark.parametrize("servers", [1, 3])
def test_waits_in_recorded_calls_are_no_service(servers: int) -> None:
    """Calls of a queue whose services are known: what waits is found from the others that are there."""
    random, at, free, rows = Random(2), 1.0, [0.0] * servers, []
    for number in range(3_000):
        at += random.expovariate(0.8 * servers / 0.01)
        k = min(range(servers), key=free.__getitem__)
        free[k] = max(free[k], at) + random.expovariate(1 / 0.01)
        row = zipkin_span(f"{number}", "", round(at * 1e6), round((free[k] - at) * 1e6))
        rows.append({**row, "traceId": f"{number}", "localEndpoint": {"serviceName": "db"}})
    network = written(from_requests("t", read_requests(Source("t.json", json.dumps(rows))), {}))
    assert network.stations[0].servers == servers
    assert network.demands()[0][0] == pytest.approx(0.01, rel=0.1)
    half = written(from_requests("t", read_requests(Source("t.json", json.dumps(rows))), {}, 0.5))
    assert half.classes[0].arrival_rate == pytest.approx(2 * (network.classes[0].arrival_rate or 0.0), rel=1e-5)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=6))
def test_own_time_is_between_none_and_all(calls: list[tuple[float, float]]) -> None:
    inner = [ServiceCall("db", "q", min(pair), max(pair)) for pair in calls]
    call = ServiceCall("web", "r", 0.0, 1.0, inner)
    covered = sum(c.end - c.start for c in inner)
    assert -1e-9 <= call.own_seconds() <= 1
    assert call.own_seconds() >= 1 - covered - 1e-9
    assert sum(map(len, call.batches())) == len(inner)


def parallel_requests(draw: Callable[[Random], float], number: int = 600) -> tuple[str, list[float]]:
    """Requests a second apart of a web server that calls two databases at once, and how long they take, in seconds."""
    random, spans, seconds = Random(7), [], []
    for i in range(number):
        at, one, two = 1000.0 * i, draw(random), draw(random)
        slow = max(one, two)
        spans += [(f"{i}", "", "web", at, at + 10 + slow)]
        spans += [(f"{i}x", f"{i}", "one", at + 5, at + 5 + one), (f"{i}y", f"{i}", "two", at + 5, at + 5 + two)]
        seconds.append((10 + slow) / 1000)
    return otlp(*spans), seconds


def seldom_slow(random: Random) -> float:
    return random.expovariate(1 / 5) if random.random() < 0.9 else random.expovariate(1 / 100)


@pytest.mark.parametrize("draw", [lambda _: 40.0, lambda random: random.gammavariate(4, 10), seldom_slow])
def test_percentiles_follow_how_own_times_vary(draw: Callable[[Random], float]) -> None:
    text, seconds = parallel_requests(draw)
    file = from_requests("t", read_requests(Source("t.json", text)), {"web": 50, "one": 50, "two": 50})
    result = queue(written(file))
    assert isinstance(result, JobsResult)
    measured, found = np.percentile(seconds, [50, 95, 99]), result.classes[0].percentiles
    assert found is not None
    by_level = found.by_level()
    assert [by_level[50], by_level[95], by_level[99]] == pytest.approx(measured.tolist(), rel=0.12)


def test_times_that_may_be_exponential_are_taken_for_that() -> None:
    random = Random(3)
    assert distribution([random.expovariate(1) for _ in range(500)]) == ""
    assert distribution([0.0, 0.0]) == ""
    assert "values = [0.5, 1.5]" in distribution([1.0] * 50 + [3.0] * 50).replace("0.5, " * 49, "").replace(
        ", 1.5" * 49, ""
    )
