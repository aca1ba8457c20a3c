"""Access logs: what lines mean, the service times behind response times, bursts of arrivals."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.queueing.data.networks import Network
from apet.queueing.measured.access_logs import AccessLog, read_access_log
from apet.queueing.measured.service_times import servers_of, service_times
from apet.queueing.read import read_queue

START = datetime(2026, 10, 10, 13, 55, tzinfo=UTC)


def entry(at: float, path: str = "/a", last: str = "", method: str = "GET") -> str:
    moment = START + timedelta(seconds=int(at))
    return (
        f'192.0.2.1 - - [{moment:%d/%b/%Y:%H:%M:%S} +0000] "{method} {path} HTTP/1.1" 200 17 "-" "a \\"b\\" 9" {last}'
    )


def load(lines: list[str], length: float = 60.0, by: str = "", unit: str = "") -> AccessLog:
    return read_access_log([Source("access.log", "\n".join(lines))], length, by, unit)


def of_a_queue(servers: int, rate: float, service: float, until: float = 3_000.0, seed: int = 3) -> list[str]:
    """Poisson arrivals at servers in order of arrival."""
    random, at, free, lines = Random(seed), 0.0, [0.0] * servers, []
    while at < until:
        at += random.expovariate(rate)
        k = min(range(servers), key=free.__getitem__)
        free[k] = max(free[k], at) + random.expovariate(1 / service)
        lines.append(entry(at, last=str(int((free[k] - at) * 1e6))))
    return lines


@pytest.mark.parametrize(
    ("last", "unit", "seconds"),
    [("250000", "", 0.25), ("0.250", "", 0.25), ("2", "s", 2.0), ("250", "ms", 0.25), ("250000", "us", 0.25)],
)
def test_times_are_read_as_they_are_written_unless_asked_otherwise(last: str, unit: str, seconds: float) -> None:
    log = load([entry(0, last=last), entry(59, last=last)], unit=unit)
    assert log.intervals[0].seconds == pytest.approx({"requests": 2 * seconds})


def test_a_log_without_times_has_a_load_only() -> None:
    log = load([entry(t) for t in range(120)])
    assert [i.seconds for i in log.intervals] == [None, None]
    assert [i.requests["requests"] for i in log.intervals] == [60, 60]
    assert service_times(log, 1) is None


def test_classes_are_first_parts_of_paths_or_methods() -> None:
    lines = [entry(0, "/a/b?c=d"), entry(1, "/a"), entry(59, "/", method="POST")]
    assert load(lines, by="path").intervals[0].requests == {"/a": 2, "/": 1}
    assert load(lines, by="method").intervals[0].requests == {"GET": 2, "POST": 1}
    many = load([*(entry(t, f"/p{t}") for t in range(60)), entry(0), entry(0)], by="path")
    assert len(many.classes) == 13
    assert many.classes[0] == "other"


@pytest.mark.parametrize(("servers", "load_of_one"), [(1, 0.3), (1, 0.7), (4, 0.5), (4, 0.85)])
def test_service_times_are_found_behind_response_times(servers: int, load_of_one: float) -> None:
    lines = of_a_queue(servers, load_of_one * servers / 0.1, 0.1)
    estimates = service_times(load(lines), servers)
    assert estimates is not None
    assert estimates["requests"].seconds == pytest.approx(0.1, rel=0.08)


def test_poisson_arrivals_are_no_bursts_and_batches_are() -> None:
    plain = load(of_a_queue(1, 5.0, 0.01))
    assert plain.dispersion == pytest.approx(1.0, abs=0.25)
    assert not plain.is_bursty
    batches = load([line for line in of_a_queue(1, 2.0, 0.01) for _ in range(6)])
    assert batches.is_bursty
    assert batches.dispersion == pytest.approx(6.0, rel=0.3)


def test_a_drift_of_the_load_is_no_burst() -> None:
    random, at, lines = Random(8), 0.0, []
    while at < 3_000:
        at += random.expovariate(2 + at / 300)
        lines.append(entry(at))
    assert not load(lines).is_bursty


@given(st.text(max_size=80))
def test_any_line_is_an_entry_or_none(text: str) -> None:
    with pytest.raises(ApetError):
        load([text])


@pytest.mark.parametrize("lines", [[], ["nothing"], [entry(0)], [entry(0).replace("Oct", "Okt")]])
def test_what_is_no_log_is_refused(lines: list[str]) -> None:
    with pytest.raises(ApetError):
        load(lines)


def test_whole_seconds_are_not_taken_for_microseconds() -> None:
    lines = [entry(i, last=str(i % 3)) for i in range(200)]
    with pytest.raises(ApetError, match="nothing says of what"):
        load(lines)
    assert load(lines, unit="s").intervals


def test_a_time_that_is_missing_is_the_mean_of_the_others() -> None:
    interval = load([entry(i, last="-" if i % 10 == 0 else "0.5") for i in range(120)]).intervals[0]
    assert interval.requests == {"requests": 60}
    assert interval.seconds is not None
    assert interval.seconds["requests"] == pytest.approx(30.0)


def test_the_command_writes_a_file_that_can_be_solved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, file = tmp_path / "access.log", tmp_path / "service.toml"
    log.write_text("\n".join([*of_a_queue(2, 10.0, 0.1, 600.0), "broken"]), encoding="utf-8")
    assert main(["queue", "from-log", str(log), "--servers", "server=2", "-o", str(file)]) == 0
    problem = read_queue(file).problem
    assert isinstance(problem, Network)
    assert problem.stations[0].servers == 2
    assert problem.classes[0].arrival_rate == pytest.approx(10.0, rel=0.1)
    assert "no entries: 1" in file.read_text(encoding="utf-8")

    assert main(["queue", "from-log", str(log), "--load", "--interval", "100s"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[0] == "begin,throughput[requests],response_time[requests]"
    assert len(rows) == 7
    assert main(["queue", "from-log", str(log), "--interval", "0.1s"]) == 2
    assert main(["queue", str(file), "--load"]) == 2


SECOND = "10/Oct/2026:13:55:{:02d}"
COMBINED = 'h - - [{at} +0000] "GET /a HTTP/1.1" 200 5 "-" "a b"'
NAMES = '"RequestMethod": "GET", "RequestPath": "/a", "Duration": 56000000'
PROXY = "web app/s1 0/0/1/55/56 200 23 - - ---- 1/1/0/0/0 0/0"
FORMATS = {
    "ingress-nginx": (COMBINED + " 345 0.056 [w-80] [] 1.1.1.1:80 5 0.055 200 f1", "#4"),
    "named": (COMBINED + ' rt=0.056 uct="0.000" urt="0.055"', "rt"),
    "quoted": (COMBINED + ' "0.056"', "#3"),
    "quoted name": (COMBINED + ' "rt=0.056"', "rt"),
    "traefik": (COMBINED + ' 17 "w@docker" "http://1:80" 56ms', "#6"),
    "spaced": (COMBINED + " 56.0 ms", "#3"),
    "length behind": (COMBINED + " 0.056 345", "#3"),
    "Apache": (COMBINED + " 0/56000", "#3"),
    "ltsv": ("time:{at} +0000\treq:GET /a HTTP/1.1\tstatus:200\treqtime:0.056", "reqtime"),
    "ltsv us": ("time:{at} +0000\treq:GET /a HTTP/1.1\tstatus:200\treqtime_microsec:56000", "reqtime_microsec"),
    "json": ('{{"time_local": "{at} +0000", "method": "GET", "uri": "/a", "request_time": "0.056"}}', "request_time"),
    "traefik json": ('{{"time": "2026-10-10T13:55:{s:02d}Z", ' + NAMES + "}}", "Duration"),
    "nested json": ('{{"ts": {e}, "request": "GET /a", "http": {{"latency_ms": 56}}}}', "http.latency_ms"),
    "haproxy": ("x haproxy[1]: 1.1.1.1:80 [{at}.123] " + PROXY + ' "GET /a HTTP/1.1"', "Ta_ms"),
}


@pytest.mark.parametrize("kind", FORMATS)
def test_logs_of_all_servers_name_their_field_and_its_unit(kind: str) -> None:
    form, field = FORMATS[kind]
    log = load([form.format(at=SECOND.format(s), s=s, e=1_760_000_000 + s) for s in range(60)], by="path")
    assert log.field is not None
    assert log.field.name == field
    assert log.intervals[0].seconds == pytest.approx({"/a": 60 * 0.056})


def test_small_whole_numbers_are_asked_for_their_unit() -> None:
    lines = [entry(i, last=str(20 + i % 9)) for i in range(120)]
    with pytest.raises(ApetError, match="nothing says of what"):
        load(lines)
    assert load(lines, unit="ms").intervals[0].seconds == pytest.approx({"requests": 1.434}, rel=0.01)


def test_the_last_lines_of_a_log_count_as_well() -> None:
    """118 s of which the last minute is the busiest."""
    lines = [entry(t) for t in range(60)] + [entry(60 + i / 50) for i in range(58 * 50)]
    log = load(lines)
    assert sum(i.requests["requests"] for i in log.intervals) == len(lines)
    assert log.length * len(log.intervals) == pytest.approx(118, abs=1)


@pytest.mark.parametrize("servers", [1, 2, 4])
def test_intervals_of_other_loads_show_the_number_of_servers(servers: int) -> None:
    lines, shift = list[str](), 0.0
    for number, load_of_one in enumerate((0.2, 0.5, 0.8, 0.35, 0.65)):
        rows = of_a_queue(servers, load_of_one * servers / 0.1, 0.1, 600.0, number)
        lines += [entry(shift + i * 600 / len(rows), last=row.rpartition(" ")[2]) for i, row in enumerate(rows)]
        shift += 600
    found = servers_of(load(lines, 120.0))
    assert found.servers == servers
    assert found.certain == (servers > 1)


def test_packed_logs_and_several_of_them_are_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = of_a_queue(1, 5.0, 0.1, 600.0)
    whole, first, second = tmp_path / "log", tmp_path / "log.2.gz", tmp_path / "log.1"
    whole.write_text("\n".join(lines), encoding="utf-8")
    first.write_bytes(gzip.compress("\n".join(lines[:1000]).encode()))
    second.write_text("\n".join(lines[1000:]), encoding="utf-8")
    assert main(["import", str(whole), "--load"]) == 0
    together = capsys.readouterr().out
    assert main(["import", str(first), str(second), "--load"]) == 0
    assert capsys.readouterr().out == together
    first.write_bytes(gzip.compress(b"a" * 99)[:-9])
    assert main(["import", str(first), "--from", "access-log"]) == 2
    assert "it ends in the middle" in capsys.readouterr().err
