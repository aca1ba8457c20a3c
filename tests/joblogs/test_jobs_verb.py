"""`apet jobs` as it is called: its text, its JSON, its model, and questions asked of a log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.conftest import Golden
from tests.joblogs.spark_logs import JobShape, StageShape, run_spark

import apet
from apet.cli.main import main
from apet.joblogs.read import read_job_log

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = str(ROOT / "samples" / "joblogs" / "nightly.json")
TABLE = str(ROOT / "samples" / "joblogs" / "workflow.csv")
EXPECTED = ROOT / "tests" / "data" / "joblogs"


def _printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["jobs", *arguments]) == 0
    return capsys.readouterr().out


def test_the_whole_answer_is_the_expected_one(assert_golden: Golden, capsys: pytest.CaptureFixture[str]) -> None:
    text = _printed(capsys, SAMPLE, "--executors", "1,2,4", "--cost-per-hour", "0.5")
    assert_golden(EXPECTED / "nightly.txt", text)
    assert_golden(EXPECTED / "workflow.txt", _printed(capsys, TABLE, "--cores", "1:4"))


def test_json_has_the_keys_that_the_reference_names(capsys: pytest.CaptureFixture[str]) -> None:
    content = json.loads(_printed(capsys, SAMPLE, "--cores", "8,16", "--json"))
    page = (ROOT / "docs" / "reference" / "job-logs.md").read_text(encoding="utf-8")
    assert not [key for key in content if key != "apet" and f"`{key}`" not in page]
    assert content["cores"] == 8
    own, more = content["predictions"]
    assert own["estimate_s"] == pytest.approx(content["measured_s"], rel=0.01)
    assert more["lower_s"] < more["estimate_s"] < more["upper_s"]


def test_a_model_of_a_chain_has_the_bounds_of_the_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Stages one after the other: bounds of the emitted model overlap those of the log, whose upper one is sharper."""
    log, model = tmp_path / "log", tmp_path / "model.pam"
    chain = [JobShape([StageShape([100, 250, 400, 90] * 3), StageShape([700, 60, 60], [0])])]
    log.write_text(run_spark(chain, 4).text(), encoding="utf-8")
    assert main(["jobs", str(log), "--emit", "pamela", "-o", str(model)]) == 0
    emitted, own = apet.compile(model), apet.load_model(log)
    for cores in (1, 2, 4, 7, 32):
        mine = apet.predict(own, None, cores=cores).guaranteed
        theirs = apet.predict(emitted, None, cores=cores).guaranteed
        assert theirs.hi >= mine.hi * (1 - 1e-6)  # which knows each task
        assert theirs.lo >= mine.lo * (1 - 1e-6)  # its lower bound may be sharper: heads and tails


def test_stages_beside_each_other_become_a_task_graph(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Stage 2 waits for 0 and 1, stage 3 for 1 alone: no nesting of braces has this order."""
    log, model = tmp_path / "log", tmp_path / "model.pam"
    shapes = [StageShape([300] * 5), StageShape([200, 500]), StageShape([400] * 6, [0, 1]), StageShape([900] * 3, [1])]
    log.write_text(run_spark([JobShape(shapes)], 4).text(), encoding="utf-8")
    assert main(["jobs", str(log), "--emit", "pamela", "-o", str(model)]) == 0
    assert "graph {" in model.read_text(encoding="utf-8")
    emitted, own = apet.compile(model), apet.load_model(log)
    for cores in (1, 3, 16):
        mine = apet.predict(own, None, cores=cores).guaranteed
        theirs = apet.predict(emitted, None, cores=cores).guaranteed
        assert max(mine.lo, theirs.lo) <= mine.hi <= theirs.hi * 1.000001


def test_a_log_is_a_model_for_other_verbs(capsys: pytest.CaptureFixture[str]) -> None:
    model = apet.load_model(SAMPLE)
    assert model.kind == "jobs"
    solution = apet.solve(model, None, 20, "cores")
    assert main(["solve", SAMPLE, "--deadline", "20"]) == 0
    assert "met          cores = 36" in capsys.readouterr().out
    assert solution is not None
    assert main(["explain", SAMPLE, "--set", "cores=16"]) == 0
    assert "limited by stage 5" in capsys.readouterr().out


def test_a_log_whose_own_run_is_missed_has_no_bounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Half of the cores did nothing: the replay uses them."""
    run = run_spark([JobShape([StageShape([500] * 16)])], 2)
    for _, _, event in run.events:
        if event["Event"] == "SparkListenerExecutorAdded":
            event["Executor Info"]["Total Cores"] = 16
    path = tmp_path / "log"
    path.write_text(run.text(), encoding="utf-8")
    content = json.loads(_printed(capsys, str(path), "--json"))
    assert content["own_run_error"] < -0.1
    assert {p["lower_s"] for p in content["predictions"]} == {None}
    assert main(["solve", str(path), "--deadline", "20"]) == 2
    assert "there are no bounds" in capsys.readouterr().err


def test_an_anonymous_log_predicts_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, shared = tmp_path / "log", tmp_path / "shared.json"
    log.write_text(run_spark([JobShape([StageShape([100, 250, 400] * 3)])], 2).text(), encoding="utf-8")
    assert main(["jobs", "anonymise", str(log), "-o", str(shared)]) == 0
    assert "Generated" not in shared.read_text(encoding="utf-8")
    assert read_job_log(shared).name == "anonymous"
    answers = [json.loads(_printed(capsys, str(path), "--cores", "1,2,8", "--json")) for path in (log, shared)]
    assert answers[0]["predictions"] == answers[1]["predictions"]


def test_pictures_are_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "stages.svg"
    _printed(capsys, SAMPLE, "--plot", str(picture))
    assert picture.read_text(encoding="utf-8").startswith("<?xml")


def test_checking_names_what_a_log_lacks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = run_spark([JobShape([StageShape([100] * 8)])], 2).text()
    path = tmp_path / "cut"
    path.write_text(text[: len(text) - 20], encoding="utf-8")
    printed = _printed(capsys, "check", str(path))
    assert "the log is incomplete" in printed
    assert "middle of an event" in printed


def test_changes_of_tasks_and_rules_of_executors_apply_to_every_question(capsys: pytest.CaptureFixture[str]) -> None:
    """`solve`, `sweep` and `explain` ask the bounds and the estimate that `predict` has."""
    elastic, change = "samples/joblogs/elastic.json", ["--set", "allocation.min=2", "--set", "allocation.startup=2"]
    assert main(["predict", elastic, "--executors", "4", *change, "--json"]) == 0
    (replay,) = json.loads(capsys.readouterr().out)["predictions"]
    assert main(["sweep", elastic, "--vary", "executors=4", *change, "--json"]) == 0
    (point,) = json.loads(capsys.readouterr().out)["predictions"]
    assert list(point["guaranteed"].values()) == pytest.approx([replay["lower_s"], replay["upper_s"]])
    assert point["estimate"]["tmin"] == pytest.approx(replay["estimate_s"], rel=0.15)

    assert main(["explain", elastic, *change, "--json"]) == 0
    assert "executors that come" in capsys.readouterr().out
    assert main(["solve", elastic, "--deadline", f"{replay['upper_s'] + 0.001}", *change]) == 0
    assert "met          cores = 4..100,000" in capsys.readouterr().out

    assert main(["solve", "samples/joblogs/nightly.json", "--deadline", "20", "--set", "allocation.min=1"]) == 2
    assert "no rules for executors that come and go" in capsys.readouterr().err
