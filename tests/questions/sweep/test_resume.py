"""Laws of resuming: a sweep that was killed at any moment ends in the same bytes, and nothing half-written is seen."""

from __future__ import annotations

import errno
import os
import random
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from tests.questions.sweep.design import FARM, POOL, parts, start, table, task, wait_for_parts

from apet.ground.diagnostics import ApetError
from apet.questions.sweep import space as spaces
from apet.questions.sweep import store as storing
from apet.questions.sweep.loop import Interrupted, Local, sweep_to

SPACE = ("P=2,4", "n=1:80")
LARGE = ("P=2:3", "n=1:6000")
CALL = (FARM, "-m", POOL, "--vary", LARGE[0], "--vary", LARGE[1])


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Ten chunks for a small space; the processes have chunks of the usual size."""
    if "large" not in request.fixturenames:
        monkeypatch.setattr(spaces, "LEAST_CHUNK", 16)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a small sweep that nobody interrupted."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spaces, "LEAST_CHUNK", 16)
        return _files(tmp_path_factory.mktemp("whole"), SPACE)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a larger one."""
    return _files(tmp_path_factory.mktemp("large"), LARGE)


def _files(folder: Path, space: tuple[str, ...]) -> dict[str, bytes]:
    found = {}
    for form in ("csv", "parquet"):
        sweep_to(task(*space, form=form), Local(), str(folder / f"s.{form}"))
        found[form] = (folder / f"s.{form}").read_bytes()
        assert sorted(p.name for p in folder.glob("*.parts")) == []
    return found


class Stopping(Local):
    """An engine that stops after some chunks."""

    def __init__(self, after: int, error: BaseException) -> None:
        super().__init__()
        self.after, self.error = after, error

    def __call__(self, task: object, chunks: object) -> object:  # type: ignore[override]
        for k, result in enumerate(super().__call__(task, chunks)):  # type: ignore[arg-type]
            if k == self.after:
                raise self.error
            yield result


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_an_interrupted_sweep_ends_in_the_same_bytes(form: str, whole: dict[str, bytes], tmp_path: Path) -> None:
    path, t = tmp_path / f"s.{form}", task(*SPACE, form=form)
    for after in (3, 0, 5):
        with pytest.raises(Interrupted) as caught:
            sweep_to(t, Stopping(after, KeyboardInterrupt()), str(path), resume=True)  # type: ignore[arg-type]
        assert caught.value.finished == parts(path)
        assert not path.exists()
    found = sweep_to(t, Local(), str(path), resume=True)
    assert path.read_bytes() == whole[form]
    assert found.reused == 8
    assert found.points == t.space.size
    assert not path.with_name(path.name + ".parts").exists()


def test_what_is_found_is_the_same_after_a_resumption(tmp_path: Path) -> None:
    t = task(*SPACE)
    once = sweep_to(t, Local(), str(tmp_path / "a.csv"))
    with pytest.raises(Interrupted):
        sweep_to(t, Stopping(4, KeyboardInterrupt()), str(tmp_path / "b.csv"))  # type: ignore[arg-type]
    again = sweep_to(t, Local(), str(tmp_path / "b.csv"), resume=True)
    assert replace(once, path=again.path, seconds=again.seconds, reused=again.reused) == again


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_damaged_part_is_computed_again(form: str, whole: dict[str, bytes], tmp_path: Path) -> None:
    path, t = tmp_path / f"s.{form}", task(*SPACE, form=form)
    with pytest.raises(Interrupted):
        sweep_to(t, Stopping(4, KeyboardInterrupt()), str(path))  # type: ignore[arg-type]
    folder = path.with_name(path.name + ".parts")
    one, two, three, four = sorted(folder.glob("part-*"))
    four.write_bytes(four.read_bytes().replace(b'"digest": [16, 0', b'"digest": [16, 1'))
    one.write_bytes(one.read_bytes()[:-1])
    two.write_bytes(two.read_bytes()[:-1] + bytes([two.read_bytes()[-1] ^ 1]))
    three.write_bytes(b"nonsense")
    (folder / "part-000000009.tmp").write_bytes(b"half")
    assert sweep_to(t, Local(), str(path), resume=True).reused == 0
    assert path.read_bytes() == whole[form]


def test_an_unfinished_sweep_is_not_overwritten(tmp_path: Path) -> None:
    path, t = str(tmp_path / "s.csv"), task(*SPACE)
    with pytest.raises(Interrupted):
        sweep_to(t, Stopping(2, KeyboardInterrupt()), path)  # type: ignore[arg-type]
    with pytest.raises(ApetError, match=r"unfinished sweep \(2 of \d+ parts\)"):
        sweep_to(t, Local(), path)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"vary": ("P=2,4", "n=1:81")}, "--vary or --points"),
        ({"schedule": "join"}, "--schedule"),
        ({"fixed": {"tasks": 5}}, "--set"),
        ({"skip_undefined": True}, "--skip-undefined"),
        ({"versions": {"apet": "0.0"}}, "the version"),
        ({"machines": ("cluster-64",)}, "machine"),
    ],
)
def test_another_sweep_is_not_resumed(other: dict[str, object], said: str, tmp_path: Path) -> None:
    path = str(tmp_path / "s.csv")
    with pytest.raises(Interrupted):
        sweep_to(task(*SPACE), Stopping(2, KeyboardInterrupt()), path)  # type: ignore[arg-type]
    first = task(*SPACE)
    from dataclasses import replace

    import apet

    changed = dict(other)
    if "vary" in changed:
        t = task(*changed.pop("vary"))  # type: ignore[misc]
    elif "versions" in changed:
        t = replace(first, versions=(("apet", "0.0"),))
    elif "machines" in changed:
        t = replace(first, machines=(apet.load_machines("cluster-64"),), labels=("cluster-64.toml",))
    else:
        t = replace(first, **changed)  # type: ignore[arg-type]
    with pytest.raises(ApetError, match="holds another sweep: it differs in") as caught:
        sweep_to(t, Local(), path, resume=True)
    assert said in str(caught.value)


def test_a_strange_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "s.csv.parts").mkdir()
    (tmp_path / "s.csv.parts" / "diary.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(ApetError, match="in the way"):
        sweep_to(task(*SPACE), Local(), str(tmp_path / "s.csv"), resume=True)
    assert (tmp_path / "s.csv.parts" / "diary.txt").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("manifest", ["", "[]", '{"is": 3, "fingerprint": "x"}', '{"is": {}}', "[" * 100_000])
def test_a_damaged_manifest_is_told(manifest: str, tmp_path: Path) -> None:
    folder = tmp_path / "s.csv.parts"
    folder.mkdir()
    (folder / "sweep.json").write_text(manifest, encoding="utf-8")
    (folder / "part-000000000").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(ApetError, match="it cannot be read"):
        sweep_to(task(*SPACE), Local(), str(tmp_path / "s.csv"), resume=True)


def test_two_processes_do_not_sweep_into_one_file(tmp_path: Path) -> None:
    held = storing.Store(task(*SPACE), str(tmp_path / "s.csv"))
    held.open(False)
    with pytest.raises(ApetError, match="another process is sweeping"):
        sweep_to(task(*SPACE), Local(), str(tmp_path / "s.csv"), resume=True)
    held.close()
    sweep_to(task(*SPACE), Local(), str(tmp_path / "s.csv"), resume=True)


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_full_disk_leaves_nothing_under_the_name(form: str, whole: dict[str, bytes], tmp_path: Path) -> None:
    path, t, written = tmp_path / f"s.{form}", task(*SPACE, form=form), 0

    def full(path: str) -> None:
        nonlocal written
        written += os.path.isfile(path)
        if written in (5, 13):  # in a part, and in the whole file
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(storing, "sync", full)
        for _ in range(2):
            with pytest.raises(ApetError, match="No space left on device"):
                sweep_to(t, Local(), str(path), resume=True)
            assert not path.exists()
    sweep_to(t, Local(), str(path), resume=True)
    assert path.read_bytes() == whole[form]


def test_ctrl_c_says_how_to_go_on(large: dict[str, bytes], tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    process = start(*CALL, "-o", str(path))
    wait_for_parts(process, path, 2)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    if process.returncode == 0:
        pytest.skip("the sweep was faster than the signal")
    assert process.returncode == 130
    assert "interrupted: " in said
    assert "go on with the same command and --resume" in said
    assert "Traceback" not in said
    process = start(*CALL, "-o", str(path), "--resume")
    assert process.wait(timeout=60) == 0
    assert path.read_bytes() == large["csv"]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_sweep_killed_at_random_moments_ends_in_the_same_bytes(
    form: str, large: dict[str, bytes], tmp_path: Path
) -> None:
    draw, path, killed = random.Random(form), tmp_path / f"s.{form}", 0
    for _ in range(2):
        process = start(*CALL, "-o", str(path), "--resume")
        wait_for_parts(process, path, parts(path) + draw.randint(1, 4))
        process.kill()
        process.communicate(timeout=60)
        killed += process.returncode == -signal.SIGKILL
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL
        assert not path.exists() or path.read_bytes() == large[form]
    assert killed
    process = start(*CALL, "-o", str(path), "--resume")
    _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert path.read_bytes() == large[form]
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_rows_are_complete_and_in_order(large: dict[str, bytes], tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_bytes(large["csv"])
    found = table(tmp_path / "s.csv")
    assert [(int(r["P"]), int(r["n"])) for r in found] == [(p, n) for p in (2, 3) for n in range(1, 6001)]
