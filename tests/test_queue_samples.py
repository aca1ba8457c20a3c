"""The shipped queueing samples: what they print, and the published findings about pipelines, against simulation."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from tests.benchmarks.job_methods import reference_amva
from tests.conftest import Golden

import apet.api
from apet.cli.main import main
from apet.queueing.data.jobs import Distribution, JobsResult, Scenario
from apet.queueing.methods.precedence import solve
from apet.queueing.methods.precedence.simulation import simulate

FOLDER = Path(__file__).resolve().parents[1] / "samples" / "queueing"
GOLDEN = Path(__file__).parent / "data" / "samples" / "queueing"
NAMES = sorted(path.name for path in FOLDER.iterdir() if path.suffix in (".toml", ".lqn"))
LOADS = (1, 2, 4, 8, 12, 16)
STUDIES = ("bi", "hop")
EXPONENTIAL = Distribution()


@cache
def scenario(name: str, jobs: int, shape: Distribution = EXPONENTIAL) -> Scenario:
    found = apet.api.read_queue(FOLDER / f"{name}.toml").problem
    assert isinstance(found, Scenario)
    one = found.classes[0]
    variants = []
    for v in one.variants:
        tasks = (t._replace(steps=tuple(s._replace(distribution=shape) for s in t.steps)) for t in v.tasks)
        variants.append(v._replace(tasks=tuple(tasks)))
    return found._replace(classes=(one._replace(population=jobs, variants=tuple(variants)),))


@cache
def response(name: str, jobs: int, shape: Distribution = EXPONENTIAL) -> float:
    found = apet.api.queue(scenario(name, jobs, shape))
    assert isinstance(found, JobsResult)
    return found.classes[0].response_time


@pytest.mark.parametrize("name", NAMES)
def test_a_queueing_sample_prints_its_answer(
    name: str, assert_golden: Golden, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert re.search(rf"^# Try: apet predict samples/queueing/{re.escape(name)}\b", text, re.MULTILINE)
    assert main(["predict", str(FOLDER / name)]) == 0
    assert_golden(GOLDEN / f"{name.removesuffix('.toml')}.txt", capsys.readouterr().out)


@pytest.mark.parametrize("study", STUDIES)
def test_the_gain_of_pipelining_is_there_under_light_load_and_vanishes_after_saturation(
    study: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solve, "MOST_EVENTS", 600_000)
    gains = [1 - response(f"{study}-pipelined", n) / response(f"{study}-blocking", n) for n in LOADS]
    assert gains[0] > 0.09
    assert gains[-1] < 0.6 * gains[0]
    assert response(f"{study}-pipelined", 30) / response(f"{study}-blocking", 30) > 0.97


@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize("kind", ["blocking", "pipelined"])
def test_the_default_is_near_simulation_under_light_load_and_heavy(study: str, kind: str) -> None:
    for jobs in (2, 12):
        simulated = simulate(scenario(f"{study}-{kind}", jobs), 1_500, jobs).classes[0].response_time
        assert response(f"{study}-{kind}", jobs) == pytest.approx(simulated, rel=0.08)


@pytest.mark.parametrize("study", STUDIES)
def test_the_exponential_assumption_over_estimates_what_varies_less(study: str) -> None:
    shape = Distribution("erlang", 4)
    simulated = simulate(scenario(f"{study}-pipelined", 2, shape), 2_000, 1).classes[0].response_time
    published = reference_amva.solve(scenario(f"{study}-pipelined", 2, shape), "reference")
    assert published.classes[0].response_time > 1.1 * simulated
    assert response(f"{study}-pipelined", 2, shape) == pytest.approx(simulated, rel=0.05)
