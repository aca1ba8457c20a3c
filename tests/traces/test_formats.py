"""Which event trace a file is: asking takes no time whatever it begins with, and files of other tools are none."""

from __future__ import annotations

import gzip
import lzma
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.traces.training_oracle import OF_SAMPLE, SMALL, platform, recorded, write

from apet import api
from apet.api.kinds import MACHINES, kind_of
from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.traces.event_traces.formats import format_of


@pytest.mark.parametrize("blank", [" ", "\n", "#\n", "# a\n ", "//\n"])
def test_asking_takes_no_longer_where_a_file_begins_with_many_blanks(blank: str, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text(blank * 10_000 + "n,t\n1,2\n")
    begin = time.process_time()
    assert not format_of(str(tmp_path / "t.txt"))
    assert time.process_time() - begin < 1


@pytest.mark.parametrize(
    "content",
    [
        '{"version": 1, "points": []}',
        '{"version": "1.0.2", "results": []}',
        '{"schema": 1, "machine": {}}',
        '{"schema": "https://json-schema.org/x"}',
        '{"attr": 7}',
        "n\n\n\n0.5 1.5\n",
        "x\n\t0.5 1.5\n",
        "\r\n\r1.5\r\n",
    ],
)
def test_what_only_begins_like_a_graph_of_chakra_is_none(content: str, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_bytes(content.encode())
    assert not format_of(str(tmp_path / "t.txt"))


@pytest.mark.parametrize(
    "content",
    [
        '{"version": "0.0.4"}\n{"id": "1"}',
        '{\n  "version": "0.0.4", "attr": []}',
        '{"attr": [{"name": "schema"}]}',
        '{"schema": "1.0.2-chakra.0.0.4", "nodes": []}',
        '{"workload_graph": []}',
        "\x07\n\x050.0.4",
    ],
)
def test_graphs_of_chakra_are_known(content: str, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_bytes(content.encode())
    assert format_of(str(tmp_path / "t.txt")) == "Chakra"


def test_machines_in_json_are_machines(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text('{"schema": 1, "machine": {"name": "x"}}')
    assert kind_of(tmp_path / "m.json") == MACHINES


def test_a_file_that_changes_in_a_folder_is_read_again(tmp_path: Path) -> None:
    folder = write(tmp_path / "run", recorded(SMALL, OF_SAMPLE, 2).events)
    before = api.read_trace(folder)
    changed = folder / "rank-1.json"
    changed.write_text(changed.read_text().replace('"dur": ', '"dur": 1'))
    os.utime(changed, ns=(1, 1))
    assert api.read_trace(folder) != before


def test_ranks_of_a_process_share_a_host_even_where_hosts_are_fewer_than_processes(tmp_path: Path) -> None:
    folder = write(tmp_path / "run", recorded(SMALL, OF_SAMPLE, 4).events)
    (tmp_path / "p.xml").write_text(platform(OF_SAMPLE, 3))
    _, hosts = api.read_platform(tmp_path / "p.xml", trace=folder)
    assert hosts == [0, 1, 2, 0]


def test_a_step_of_what_has_none_is_refused_even_the_first(tmp_path: Path) -> None:
    with pytest.raises(ApetError, match="neither steps nor"):
        api.convert_trace("samples/traces/ring.txt", step=0)


@pytest.mark.parametrize("folder", [True, False])
def test_regions_of_an_event_trace_are_refused(
    folder: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = "samples/traces/training" + ("" if folder else "/rank-0.json")
    assert main(["import", source, "--region", "3=2", "-o", str(tmp_path / "t.txt")]) == 2
    assert f"{source} names no regions" in capsys.readouterr().err
    assert not (tmp_path / "t.txt").exists()


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_packed_recording_that_is_cut_off_is_said_to_be(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    content = pack(Path("samples/traces/training/rank-0.json").read_bytes())
    (tmp_path / "one.json.packed").write_bytes(content[:-20])
    with pytest.raises(ApetError, match=r"one\.json\.packed: Compressed file ended"):
        api.read_trace(tmp_path / "one.json.packed")
