"""Jobs that come again and again: what the queueing network says is what replays of many runs say."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from tests.joblogs.spark_logs import JobShape, StageShape, run_spark

from apet.api.job_load import under_load
from apet.cli.main import main
from apet.joblogs.question import JobLogQuestion
from apet.joblogs.streams import responses, rounds
from apet.joblogs.what_if import on_cores
from apet.queueing.methods.mva.open_networks import waiting_in_turns

JOBS = [
    JobShape([StageShape([900, 400, 300, 700, 500, 600]), StageShape([800, 200, 300], [0])]),
    JobShape([StageShape([400] * 9)]),
]


@pytest.fixture
def question(tmp_path: Path) -> JobLogQuestion:
    path = tmp_path / "log"
    path.write_text(run_spark(JOBS, 4).text(), encoding="utf-8")
    return JobLogQuestion(path)


def test_one_job_that_is_always_there_is_never_in_its_own_way(question: JobLogQuestion) -> None:
    alone = on_cores(question.work, 3).makespan / 1e6
    (state,) = under_load(question, [3], users=1)
    assert state.response == pytest.approx(alone)
    assert state.throughput == pytest.approx(1 / alone)
    assert state.present == pytest.approx(1)
    (thinking,) = under_load(question, [3], users=1, think=10)
    assert thinking.throughput == pytest.approx(1 / (alone + 10))


def test_streams_of_one_round_are_jobs_begun_together(question: JobLogQuestion) -> None:
    together = [float(p) for (p,) in rounds(question.work, 4, [[0]] * 3)]
    (prediction,) = question.answer([4], jobs=3).predictions
    assert [t / 1e6 for t in together] == pytest.approx(list(prediction.responses))


def test_with_more_jobs_there_each_takes_longer_and_the_cores_fill_up(question: JobLogQuestion) -> None:
    times = responses(question.work, 4, 50)
    assert times == sorted(times)
    rates = [n / time for n, time in enumerate(times, start=1)]
    assert rates[-1] <= 4 / question.work.work * 1.001
    assert rates[-1] >= 0.95 * 4 / question.work.work


@pytest.mark.parametrize(("users", "think", "fair"), [(3, 2.0, False), (4, 12.0, False), (3, 5.0, True)])
def test_users_wait_as_long_as_in_replays_of_many_runs(
    question: JobLogQuestion, users: int, think: float, fair: bool
) -> None:
    source = random.Random(users)
    pauses = [[int(1e6 * source.expovariate(1 / think)) for _ in range(200)] for _ in range(users)]
    runs = rounds(question.work, 4, pauses, fair)
    seen = [time for stream in runs for time in stream[3:190]]
    (state,) = under_load(question, [4], users=users, think=think, fair=fair)
    assert state.response == pytest.approx(sum(seen) / len(seen) / 1e6, rel=0.08)
    assert state.response is not None
    assert state.at_least is not None
    assert state.response >= state.at_least


def test_jobs_that_arrive_wait_for_those_that_are_there(question: JobLogQuestion) -> None:
    alone = on_cores(question.work, 4).makespan / 1e6
    capacity = 4 / (question.work.work / 1e6)
    rare, often, too_often = (under_load(question, [4], arrival_rate=share * capacity)[0] for share in (0.01, 0.8, 1.2))
    assert rare.response == pytest.approx(alone, rel=0.02)
    assert often.response is not None
    assert often.response > 1.5 * alone
    assert often.used == pytest.approx(0.8)
    assert (too_often.response, too_often.present) == (None, None)


def test_services_in_turn_wait_from_half_of_what_sharing_costs_to_all_of_it() -> None:
    """Of one service as F. Pollaczek (1930) has it; of two as solved by hand; of many as in processor sharing."""
    assert [waiting_in_turns(use, [7]) for use in (0.1, 0.5, 0.9)] == pytest.approx([0.5] * 3)
    rate = 0.4
    first = rate * (1 + 2 * rate) / ((1 - 2 * rate) * (1 + rate))
    second = 2 * rate * (first + 1)
    assert waiting_in_turns(2 * rate, [3, 3]) == pytest.approx((first + second) * (1 - 2 * rate) / (4 * rate))
    assert waiting_in_turns(0.8, [1] * 400) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("use", [0.4, 0.75])
def test_arrivals_wait_as_long_as_in_a_replay_of_many(question: JobLogQuestion, use: float) -> None:
    rate = use * 4 / (question.work.work / 1e6)
    means = []
    for seed in range(4):
        source, time, arrivals = random.Random(seed), 0.0, list[list[int]]()
        for _ in range(200):
            time += source.expovariate(rate)
            arrivals.append([int(time * 1e6)])
        seen = rounds(question.work, 4, arrivals)[20:]
        means.append(sum(response for (response,) in seen) / len(seen) / 1e6)
    (state,) = under_load(question, [4], arrival_rate=rate)
    assert state.response == pytest.approx(sum(means) / len(means), rel=0.08)


def test_load_is_asked_for_on_the_command_line(question: JobLogQuestion, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["jobs", question.path, "--jobs", "3", "--think", "2s", "--cores", "4,8"]) == 0
    assert "3 users, each of whom pauses 2" in capsys.readouterr().out
    assert main(["jobs", question.path, "--every", "1", "--cores", "2"]) == 0
    assert "overloaded" in capsys.readouterr().out
    assert main(["jobs", question.path, "--every", "1min", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["arrival_rate"] == pytest.approx(1 / 60)
    assert all(p["response_s"] >= p["at_least_s"] for p in content["predictions"])


@pytest.mark.parametrize(
    "options", [["--every", "5", "--think", "1"], ["--every", "0"], ["--think", "-1"], ["--every", "9", "--jobs", "2"]]
)
def test_options_of_load_that_make_no_sense_are_refused(
    options: list[str], question: JobLogQuestion, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["jobs", question.path, *options]) == 2
    assert "hint:" in capsys.readouterr().err
