"""Every verb that answers does so in one form, which docs/reference/answer.schema.json describes."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from apet.cli.main import main
from apet.ground.notes import NoteKind

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs" / "reference" / "answer.schema.json").read_text(encoding="utf-8"))
ON = "--platform samples/traces/cluster.xml"
CALLS = f"""
predict pi -m join-2005 -P 2,4
predict pi -m join-2005 --quantiles 5,95 --draws 200
predict pi -m join-2005 -P 4 --set n=1e5..1e6 --no-formulas
predict pi -m join-2005 -P 4 --backend queueing --jobs 2 --think 1
predict samples/runs/kmeans.json --set n=64000
predict samples/queueing/terminals.toml
predict samples/joblogs/nightly.json --set cores=16
simulate samples/pamela/task-graph.pam
explain pi -m join-2005 -P 4
explain samples/queueing/thread-pool.toml
solve pi -m join-2005 --deadline 60
solve samples/queueing/web-service.toml --for arrival_rate --deadline 300ms --percentile 99
compare pi primes-q -m join-2005 -P 4
regions pi -m join-2005 --for P
regions samples/queueing/terminals.toml --for N
sweep pi -m join-2005 -P 2,4
compile pi
inspect pi -m join-2005
check pi
check samples/queueing/shop.toml
predict samples/queueing/shop.toml
predict samples/queueing/terminals.toml
predict samples/queueing/hop-pipelined.toml --population 1:3
predict samples/queueing/web-service.toml --vary servers[app]=4,5
predict samples/joblogs/nightly.json --cores 8,16
predict samples/joblogs/nightly.json --cores 8 --jobs 2 --think 10s
check samples/joblogs/nightly.json
predict samples/runs/kmeans.json --to 64000 --deadline 1s
predict samples/runs/sp-openmp.csv
predict samples/runs/nbody.csv --parameters n,P --to n=8000,P=64 --tree
predict samples/traces/ring.txt {ON}
simulate samples/traces/ring.txt {ON}
simulate samples/traces/ring.txt {ON} --vary latency=1,2
explain samples/traces/ring.txt {ON}
compile samples/traces/ring.txt {ON}
check samples/traces/ring.txt
trace fold samples/traces/ring.txt
translate samples/java/PiTask.java
""".strip().splitlines()


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def answered(call: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """What a call prints, as data."""
    assert main([*shlex.split(call), "--json"]) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


@pytest.mark.parametrize("call", CALLS)
def test_an_answer_has_the_form_of_the_schema(call: str, capsys: pytest.CaptureFixture[str]) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    assert [error.message for error in validator.iter_errors(answered(call, capsys))] == []


def test_the_schema_names_every_kind_of_note() -> None:
    assert set(SCHEMA["$defs"]["note"]["properties"]["kind"]["enum"]) == {str(kind) for kind in NoteKind}


def test_a_queue_names_its_stations_and_classes(capsys: pytest.CaptureFixture[str]) -> None:
    for file in ("terminals", "shop", "thread-pool"):
        text = (ROOT / "samples" / "queueing" / f"{file}.toml").read_text(encoding="utf-8")
        answer = answered(f"predict samples/queueing/{file}.toml", capsys)
        for kind in ("stations", "classes"):
            assert answer[kind], kind
            assert all(f'"{name}"' in text for name in answer[kind])
            assert all(("utilization" if kind == "stations" else "throughput") in f for f in answer[kind].values())


def test_what_is_guaranteed_lies_around_the_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    for call in CALLS[:8]:
        for row in answered(call, capsys)["predictions"]:
            if row["guaranteed"] is not None and row["lower"] is not None:
                assert row["guaranteed"]["tmin"] <= row["lower"]["tmin"]
                assert row["upper"]["tmax"] <= row["guaranteed"]["tmax"]


NO_PICTURE = (
    "compile samples/queueing/shop.toml",
    "check samples/joblogs/nightly.json",
    "export samples/joblogs/nightly.json --as anonymous",
    "predict samples/runs/kmeans.json --emit latex",
    "predict samples/runs/sp-openmp.csv --emit formula",
    "predict samples/runs/nbody.csv --emit formula",
    "solve samples/queueing/web-service.toml --for arrival_rate --deadline 300ms --percentile 99",
    f"predict samples/traces/ring.txt {ON}",
)


@pytest.mark.parametrize("call", NO_PICTURE)
def test_a_picture_is_drawn_or_refused(call: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "picture.svg"
    assert main([*shlex.split(call), "--plot", str(path)]) == 2
    printed = capsys.readouterr()
    assert "--plot" in printed.err
    assert not printed.out
    assert not path.exists()
