"""Laws of loading machine models: where they are found, and what is read from them."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from tests.work import growth

from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.ground.resources import data_path, names
from apet.ground.source import Source
from apet.machine import Machines, load_machines, parse_machines, shipped_machines
from apet.machine.operation_classes import completed

LAB = Path(__file__).resolve().parents[1] / "data" / "machines" / "lab.toml"
LEAST = "schema = 1\n[[machine]]\n[machine.op_s]\nsum = 1\n"


def _parse(text: str) -> Machines:
    return parse_machines(Source("some/where/x.toml", text))


def _refused(name: str | Path) -> str:
    with pytest.raises(ApetError) as caught:
        load_machines(name)
    return str(caught.value)


def test_a_file_is_read_as_it_is_written() -> None:
    lab = load_machines(LAB)
    assert (lab.name, lab.file, lab.processors, lab.has_network) == ("Test laboratory", "lab.toml", 5, True)
    assert lab.groups[0].op_s == {"sum_double": Interval(1.0, 3.0), "mpy_double": Interval(2.0, 2.0)}
    assert (lab.groups[0].cores, lab.groups[0].load) == (4, Interval(0.0, 0.5))
    assert lab.network.topology == "bus"
    assert lab.provenance == {"who": "a test"}


def test_the_least_file_has_one_processor_and_no_network() -> None:
    machines = _parse(LEAST)
    assert (machines.name, machines.file, machines.processors) == ("x.toml", "x.toml", 1)
    assert machines.coordinator.op_s == machines.groups[0].op_s
    assert (machines.has_network, machines.network.topology) == (False, "none")


def test_a_coordinator_with_its_own_operations_inherits_nothing() -> None:
    text = (
        LEAST.replace("[[machine]]", "[[machine]]\ncores = 4\nload = 0.5")
        + "[coordinator]\n[coordinator.op_s]\nsum = 2\n"
    )
    coordinator = _parse(text).coordinator
    assert (coordinator.cores, coordinator.load, coordinator.op_s["sum"].lo) == (1, Interval(0.0, 0.0), 2.0)


def test_a_coordinator_without_operations_is_like_machine_one_but_for_what_it_says() -> None:
    text = LEAST.replace("[[machine]]", "[[machine]]\ncores = 4\nload = 0.5") + "[coordinator]\ncores = 2\n"
    coordinator = _parse(text).coordinator
    assert (coordinator.name, coordinator.cores, coordinator.load) == ("coordinator", 2, Interval(0.5, 0.5))
    assert coordinator.op_s["sum"].lo == 1.0


def test_optional_keys_are_read() -> None:
    extra = 'memory_MB = 512\nnote = "old"\ncost_per_hour = 0.5\nfactor = 0.25'
    group = _parse(LEAST.replace("[[machine]]", "[[machine]]\n" + extra)).groups[0]
    assert (group.memory_MB, group.note, group.cost_per_hour, group.factor) == (512.0, "old", 0.5, 0.25)


def test_a_topology_of_none_needs_no_costs() -> None:
    assert not _parse(LEAST + '[network]\ntopology = "none"\n').has_network


@pytest.mark.parametrize("name", ["join-2005", "join-2005.toml"])
def test_a_shipped_file_is_found_by_its_name(name: str) -> None:
    assert load_machines(name).file == "join-2005.toml"


def test_a_file_of_the_user_comes_before_a_shipped_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "join-2005.toml").write_text(LEAST, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert load_machines("join-2005.toml").processors == 1


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(b"\xef\xbb\xbf" + LEAST.replace("\n", "\r\n").encode())
    assert load_machines(path).processors == 1


def test_a_misspelt_name_is_answered_with_the_nearest_and_the_list() -> None:
    shipped = ", ".join(shipped_machines())
    assert _refused("join-205") == (
        "error: there is no machine model 'join-205'; did you mean 'join-2005'?\n"
        f"  hint: give the path of a file, or one that comes with APET: {shipped}"
    )


def test_a_misspelt_path_is_answered_with_the_nearest_file_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "laboratory.toml").write_text(LEAST, encoding="utf-8")
    assert f"did you mean '{tmp_path}/laboratory.toml'?" in _refused(tmp_path / "labratory.toml")


def test_a_folder_is_no_machine_model(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(LEAST, encoding="utf-8")
    assert _refused(tmp_path).startswith(
        f"error: {tmp_path} is a folder, not a machine model; did you mean '{tmp_path}/x.toml'?"
    )


@pytest.mark.parametrize(
    ("content", "detail", "advice"),
    [
        (b"schema = 1 \xff", "UTF-8 text (byte 11)", " Of another encoding (line 1): iconv -f ISO-8859-1 -t UTF-8"),
        (b"\x7fELF\0\0", "text: it has a null byte (byte 4)", ""),
    ],
)
def test_a_binary_file_is_no_machine_model(tmp_path: Path, content: bytes, detail: str, advice: str) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(content)
    assert _refused(path) == (
        f"error: {path} is not a {detail}\n  hint: a plain text file is wanted; is this the right one?{advice}"
    )


def test_a_file_that_may_not_be_read_is_a_mistake_and_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    assert _refused(LAB) == f"error: cannot read {LAB}: permission denied"


@pytest.mark.parametrize("name", ["", "\0", "x" * 5000, "a/b/c.toml", "."])
def test_a_strange_name_is_a_mistake_and_no_crash(name: str) -> None:
    assert _refused(name).startswith("error: ")


def test_machines_survive_pickling() -> None:
    lab = load_machines(LAB)
    assert pickle.loads(pickle.dumps(lab)) == lab
    assert hash(pickle.loads(pickle.dumps(lab))) == hash(lab)


def test_loading_needs_no_numpy() -> None:
    code = "import sys, apet.machine as m; m.load_machines('join-2005').configure(); print('numpy' in sys.modules)"
    source_root = Path(data_path("machines", "")).parent / "compiler"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": str(source_root)}
    )
    assert done.stdout == "False\n"


def _many(machines: int) -> str:
    table = '[[machine]]\nname = "m{0}"\ncount = 2\nload = [0, 0.5]\n[machine.op_s]\nsum = 1\nadd = [1, 2]\n'
    return "schema = 1\n" + "".join(map(table.format, range(machines)))


def test_twice_the_machines_take_twice_the_work_to_load() -> None:
    assert growth(lambda n: _parse(_many(n)).configure(), 50) < 2.1


def test_shipped_names_are_those_of_the_data_folder() -> None:
    assert [f"{name}.toml" for name in shipped_machines()] == [n for n in names("machines") if n.endswith(".toml")]
    assert {"join-2005", "two-nodes", "cluster-64"} <= set(shipped_machines())


@pytest.mark.parametrize(
    ("own", "first", "seconds"),
    [
        ("a = 1", "a = 1\nbig = 2", 2),
        ("a = 1", 'a = 1\n"b*" = 3', 3),
        ('a = 1\n"b*" = 4', "a = 1\nbig = 2", 4),
        ("a = 1", 'a = 1\n"*g" = 5', 5),
    ],
)
def test_the_coordinator_takes_what_it_lacks_from_the_first_machine(own: str, first: str, seconds: int) -> None:
    text = f"schema = 1\nname = 'A'\n[coordinator]\n[coordinator.op_s]\n{own}\n"
    machines = completed(_parse(f"{text}[[machine]]\n[machine.op_s]\n{first}\n"), ["a", "big"])
    assert machines.coordinator.op_s["big"].lo == seconds
    assert machines.coordinator.op_s["a"].lo == 1
