"""CSV of load generators and what promtool prints: the same requests make the same file."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from apet.cli.main import main
from apet.ground.source import Source
from apet.queueing.measured.tables import read_table

SECONDS, BEGIN = 600, 1_700_000_000
LOCUST = "Timestamp,User Count,Type,Name,Requests/s,Total Request Count,Total Average Response Time"


def queue() -> list[tuple[float, float]]:
    """Seconds at which requests come to one server, and response times: 5 per second at 0.1 s of work each."""
    random, now, free, requests = Random(1), 0.0, 0.0, list[tuple[float, float]]()
    while now < SECONDS - 1:
        now += random.expovariate(5)
        free = max(free, now) + random.expovariate(10)
        requests.append((now, free - now))
    return requests


def written(tool: str) -> str:
    """The requests as a tool writes them."""
    requests = queue()
    match tool:
        case "k6":
            head = "metric_name,timestamp,metric_value,method,status,url"
            rows = [f"http_req_duration,{BEGIN + int(t)},{1000 * r:.6f},GET,200,http://x/a" for t, r in requests]
            rows += [f"http_req_waiting,{BEGIN + int(t)},{900 * r:.6f},GET,200,http://x/a" for t, r in requests]
        case "jmeter":
            head = "timeStamp,elapsed,label,responseCode,success"
            rows = [f"{int(1000 * (BEGIN + t))},{round(1000 * r)},home,200,true" for t, r in requests]
        case "hey":
            head = "response-time,DNS+dialup,status-code,offset"
            rows = [f"{r:.4f},0.0001,200,{t:.4f}" for t, r in requests]
        case _:
            head, rows = LOCUST, []
            for second in range(1, SECONDS + 1):
                ended = [r for t, r in requests if t < second]
                mean = 1000 * sum(ended) / len(ended) if ended else 0.0
                rows.append(f"{BEGIN + second},5,,Aggregated,5.0,{len(ended)},{mean:.9f}")
                rows.append(f"{BEGIN + second},5,GET,/a,5.0,{len(ended)},{mean:.9f}")
    return "\n".join([head, *rows])


@pytest.mark.parametrize("tool", ["k6", "jmeter", "hey", "locust"])
def test_load_generators_become_the_service_that_they_measured(
    tool: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"{tool}.csv"
    path.write_text(written(tool), encoding="utf-8")
    assert main(["import", str(path)]) == 0
    shown = capsys.readouterr().out
    rate, service = (
        float(re.findall(rf"^{what}[^\n]*?= ([\d.]+)", shown, re.M)[0]) for what in ("arrival_rate", "service")
    )
    requests = queue()
    assert rate == pytest.approx(len(requests) / SECONDS, rel=0.01)
    assert service == pytest.approx(0.094, rel=0.03)  # of R = S (1 + N), the same for all tools


def test_a_cell_that_is_no_number_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "run.csv"
    path.write_text("timeStamp,elapsed,label,responseCode\n1700000000000,fast,home,200\n", encoding="utf-8")
    assert main(["import", str(path)]) == 2
    assert "run.csv:2" in capsys.readouterr().err


def test_what_promtool_prints_is_what_prometheus_answers() -> None:
    samples = [(BEGIN + i, 0.1 * i, float(i)) for i in range(1, 9)]
    values = {"station": [[t, str(u)] for t, u, _ in samples], "class": [[t, str(x)] for t, _, x in samples]}
    series = ", ".join(f'{{"metric": {{"{k}": "a"}}, "values": {v}}}' for k, v in values.items()).replace("'", '"')
    dump = "\n".join(
        f'{{__name__="u", station="a"}} {u} {t}000\n{{__name__="x", class="a"}} {x} {t}000' for t, u, x in samples
    )
    answer = read_table(Source("a.json", f'{{"data": {{"result": [{series}]}}}}'))
    assert read_table(Source("query.json", f"[{series}]")) == answer
    assert read_table(Source("dump.txt", dump)) == answer
