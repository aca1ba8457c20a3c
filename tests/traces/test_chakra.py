"""Graphs of Chakra: their three forms say the same, a ring of 8 takes what a sheet of paper says, and what is missing
is counted."""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.traces.training_oracle import Network, platform

from apet import api
from apet.ground.diagnostics import ApetError

Nodes = Sequence[tuple[int, int, int, Sequence[int], dict[str, Any]]]
"""Number, type, microseconds, numbers of what comes before, attributes."""
COMP, SEND, RECV, COLL = 4, 5, 6, 7
LOAD = 2
NAMES = {
    LOAD: "MEM_LOAD_NODE",
    COMP: "COMP_NODE",
    SEND: "COMM_SEND_NODE",
    RECV: "COMM_RECV_NODE",
    COLL: "COMM_COLL_NODE",
}


def varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first."""
    value &= (1 << 64) - 1
    low, rest = value & 127, value >> 7
    return bytes([low | 128]) + varint(rest) if rest else bytes([low])


def field(number: int, value: int | bytes) -> bytes:
    """A field of protobuf: a varint, or bytes with their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def attribute(name: str, value: Any) -> bytes:
    """By the kind of the value: bool, int64, double or string."""
    if isinstance(value, float):
        return field(1, name.encode()) + varint(3 << 3 | 1) + struct.pack("<d", value)
    if isinstance(value, list):
        return field(1, name.encode()) + field(28, field(1, bytes(value)))
    number = 27 if isinstance(value, bool) else 9 if isinstance(value, int) else 29
    return field(1, name.encode()) + field(number, value.encode() if isinstance(value, str) else int(value))


def frames(nodes: Nodes) -> bytes:
    """As Chakra writes `.et`, with lists of numbers packed."""
    messages = [field(1, b"0.0.4") + field(2, attribute("note", 1.5))]
    for number, kind, lasts, after, attributes in nodes:
        message = field(1, number) + field(2, b"node") + field(3, kind) + field(7, lasts)
        message += field(5, b"".join(map(varint, after)))
        messages.append(message + b"".join(field(10, attribute(*each)) for each in attributes.items()))
    return b"".join(varint(len(message)) + message for message in messages)


def messages(nodes: Nodes) -> bytes:
    """As protobuf prints messages in JSON, one after the other."""
    documents: list[dict[str, Any]] = [{"version": "0.0.4"}]
    for number, kind, lasts, after, attributes in nodes:
        kinds = {bool: "boolVal", int: "int64Val", str: "stringVal"}
        named: list[dict[str, Any]] = [
            {"name": k, kinds[type(v)]: str(v) if type(v) is int else v}
            for k, v in attributes.items()
            if type(v) is not list
        ]
        named += [{"name": k, "boolList": {"values": v}} for k, v in attributes.items() if type(v) is list]
        node = {"id": str(number), "type": NAMES[kind], "durationMicros": str(lasts), "attr": named}
        documents.append({**node, "dataDeps": list(map(str, after))})
    return "\n".join(json.dumps(document, indent=2) for document in documents).encode()


def feeder(nodes: Nodes) -> bytes:
    """As Chakra's feeder reads JSON."""
    graph = [
        {"Id": number, "Name": "node", "NodeType": kind, "runtime": lasts, "data_deps": list(after), **attributes}
        for number, kind, lasts, after, attributes in nodes
    ]
    return json.dumps({"workload_graph": graph}).encode()


FORMS = {"et": frames, "json": messages, "feeder.json": feeder}


def ring(process: int, number: int, size: int) -> Nodes:
    """An all-reduce around a ring; after the first half of its steps parts are added for 7 us each."""
    nodes = list[tuple[int, int, int, Sequence[int], dict[str, Any]]]()
    before: list[int] = []
    there, here = {"comm_dst": (process + 1) % number}, {"comm_src": (process - 1) % number}
    for step in range(2 * (number - 1)):
        part = {"comm_size": size // number, "comm_tag": 0}
        nodes.append((len(nodes), SEND, 0, before, {**part, **there}))
        nodes.append((len(nodes), RECV, 0, [len(nodes) - 1], {**part, **here}))
        before = [len(nodes) - 1]
        if step < number - 1:
            nodes.append((len(nodes), COMP, 7, before, {}))
            before = [len(nodes) - 1]
    return nodes


def written(folder: Path, graphs: Sequence[Nodes], form: str = "et") -> Path:
    """A folder with a file of each process."""
    folder.mkdir(exist_ok=True)
    for process, nodes in enumerate(graphs):
        (folder / f"graph.{process}.{form}").write_bytes(FORMS[form](nodes))
    return folder


@pytest.mark.parametrize("form", FORMS)
def test_a_ring_of_eight_takes_as_long_as_by_hand(form: str, tmp_path: Path) -> None:
    network = Network(0.5, 50_000.0)
    folder = written(tmp_path / "ring", [ring(p, 8, 1 << 20) for p in range(8)], form)
    (tmp_path / "p.xml").write_text(platform(network, 8))

    seconds = api.replay(folder, *api.read_platform(tmp_path / "p.xml", trace=folder)).makespan_s
    assert seconds == pytest.approx(1e-6 * (14 * (0.5 + (1 << 17) / 50_000) + 7 * 7), rel=1e-3)


COLLECTIVES: list[tuple[int, tuple[Any, ...]]] = [
    (0, ("allreduce", 1000, 0.0)),
    (2, ("allgather", 1000)),
    (5, ("bcast", 1000, 0)),
    (6, ("alltoall", 250)),
    (7, ("reducescatter", [250] * 4, 0.0)),
    (9, ("barrier",)),
]


@pytest.mark.parametrize("write", FORMS.values())
@pytest.mark.parametrize(("kind", "action"), COLLECTIVES)
def test_collectives_are_on_a_lane_of_their_own(
    write: Callable[[Nodes], bytes], kind: int, action: tuple[Any, ...], tmp_path: Path
) -> None:
    nodes = [
        (1, COMP, 5, [], {}),
        (2, COLL, 0, [1], {"comm_type": kind, "comm_size": 1000, "is_cpu_op": False}),
        (3, COMP, 2, [1], {}),
        (4, COMP, 1, [2, 3], {}),
    ]
    (tmp_path / "one.et").write_bytes(write(nodes))
    trace = api.convert_trace(tmp_path / "one.et", processes=4)

    own, collective = ("compute", 5e3), ("recv", 4, 0, 0)
    assert trace.ranks[0] == [own, ("send", 4, 0, 0), ("compute", 2e3), collective, ("compute", 1e3)]
    assert trace.ranks[4] == [("recv", 0, 0, 0), action, ("send", 0, 0, 0)]
    assert [gap.count for gap in trace.gaps if "root" not in gap.what] == [3]
    assert [gap.count for gap in trace.gaps if "root" in gap.what] == [4] * (kind == 5)


def test_what_a_collective_waits_for_is_received_where_it_was_posted(tmp_path: Path) -> None:
    size = {"comm_size": 100}
    graphs: list[Nodes] = [
        [(1, SEND, 0, [], {**size, "comm_dst": 1}), (2, COLL, 0, [1], {**size, "comm_type": 0})],
        [(1, RECV, 0, [], {**size, "comm_src": 0}), (2, COLL, 0, [1], {**size, "comm_type": 0})],
    ]
    trace = api.convert_trace(written(tmp_path / "two", graphs))
    assert trace.ranks[1] == [("irecv", 0, 0, 100), ("wait", 0, 1, 0), ("send", 3, 0, 0)]
    assert trace.ranks[3] == [("recv", 1, 0, 0), ("allreduce", 100, 0.0)]


def test_what_is_not_said_is_counted(tmp_path: Path) -> None:
    nodes: Nodes = [(1, COLL, 9, [], {"comm_type": 0}), (2, LOAD, 0, [77], {}), (3, COMP, 3, [2], {"is_cpu_op": True})]
    (tmp_path / "one.et").write_bytes(frames(nodes))
    trace = api.convert_trace(tmp_path / "one.et")

    assert {gap.what.split()[0]: gap.count for gap in trace.gaps} == {"what": 1, "communication": 1, "operations": 1}
    assert ("compute", 9e3) in trace.ranks[1]
    assert ("compute", 3e3) in trace.ranks[2]


SIZE: dict[str, Any] = {"comm_size": 100}
UNSAID: list[tuple[int, int, dict[str, Any], str]] = [
    (COLL, 9, SIZE, "communication"),
    (COLL, 9, {**SIZE, "comm_type": 10}, "communication"),
    (COLL, 9, {**SIZE, "comm_type": -1}, "communication"),
    (COLL, 9, {**SIZE, "comm_type": 0, "pg_name": "3"}, "communication"),
    (COLL, 9, {**SIZE, "comm_type": 0, "involved_dim": [True, False]}, "communication"),
    (SEND, 0, {"comm_dst": 0}, "messages"),
    (COMP, 0, {"num_ops": 1000}, "operations"),
    (COMP, 0, {}, "operations"),
]


OTHER_SIDE: Nodes = ((2, RECV, 0, [1], {"comm_src": 0}),)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("kind", "lasts", "attributes", "what"), UNSAID)
def test_what_is_taken_for_granted_is_counted(
    kind: int, lasts: int, attributes: dict[str, Any], what: str, form: str, tmp_path: Path
) -> None:
    file = tmp_path / f"one.{form}"
    file.write_bytes(FORMS[form]([(1, kind, lasts, [], attributes), *(OTHER_SIDE if kind == SEND else ())]))
    trace = api.convert_trace(file)
    assert ("compute", 9e3) in [a for rank in trace.ranks for a in rank] or not lasts
    assert [(gap.what.split()[0], gap.count) for gap in trace.gaps] == [(what, 1 + (kind == SEND))]


def test_all_dimensions_are_the_group_of_all(tmp_path: Path) -> None:
    for form, write in FORMS.items():
        said = {**SIZE, "comm_type": 0, "involved_dim": [True, True]}
        (tmp_path / f"one.{form}").write_bytes(write([(1, COLL, 9, [], said)]))
        assert api.convert_trace(tmp_path / f"one.{form}").ranks[1] == [("allreduce", 100, 0.0)]


def test_a_long_chain_of_messages_takes_as_long_as_it_is(tmp_path: Path) -> None:
    times = []
    for length in (500, 4000):
        nodes = [(k, SEND + k % 2, 0, [k - 1] * (k > 0), {**SIZE, "comm_dst": 0, "comm_src": 0}) for k in range(length)]
        (tmp_path / "one.et").write_bytes(frames(nodes))
        begin = time.process_time()
        api.convert_trace(tmp_path / "one.et")
        times.append(time.process_time() - begin)
    assert times[1] < 24 * times[0]


def test_fewer_processes_than_there_are_graphs_are_refused(tmp_path: Path) -> None:
    folder = written(tmp_path / "two", [[(1, COMP, 1, [], {})]] * 2)
    with pytest.raises(ApetError, match="there are graphs of 2 processes"):
        api.convert_trace(folder, processes=1)
    with pytest.raises(ApetError, match="more than can be read"):
        api.convert_trace(folder, processes=10**9)
    (folder / "graph.2.et").write_bytes(b"")
    with pytest.raises(ApetError, match=r"graph\.2\.et: there are no operations"):
        api.convert_trace(folder)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (frames([(1, COMP, 1, [2], {}), (2, COMP, 1, [1], {})]), "depend on each other"),
        (frames([(1, SEND, 1, [], SIZE)]), "message 1 has no comm_dst"),
        (frames([(1, RECV, 1, [], SIZE)]), "message 1 has no comm_src"),
        (frames([(1, COLL, 1, [], {**SIZE, "comm_type": 5, "root": 1})]), "root 1 of 1"),
        (frames([(1, 11, 1, [], {})]), "operation 1 has type 11"),
        (feeder([(1, -1, 1, [], {})]), "operation 1 has type -1"),
        (feeder([(1, COMP, -1, [], {})]), "nothing takes -1"),
        (frames([]) + b"\x80" * 100_000, "more than 64 bits"),
        (frames([]) + b"\x04\x12\x09ab", "a field is cut off"),
        (b'{"workload_graph": ' + b"[" * 100_000, "damaged"),
        (frames([(1, COMP, 1, [], {}), (1, COMP, 1, [], {})]), "have one number"),
        (frames([(1, COMP, 1, [], {})])[:-2], "damaged"),
        (frames([]), "no operations"),
        (b'{"workload_graph": [{"Id": 1}]}', "damaged"),
        (b'{"workload_graph": ', "damaged"),
    ],
)
def test_a_graph_that_cannot_be_is_refused(content: bytes, problem: str, tmp_path: Path) -> None:
    (tmp_path / "bad.et").write_bytes(content)
    with pytest.raises(ApetError, match=problem):
        api.convert_trace(tmp_path / "bad.et")


def test_a_graph_has_no_steps(tmp_path: Path) -> None:
    (tmp_path / "one.et").write_bytes(frames([(1, COMP, 1, [], {})]))
    with pytest.raises(ApetError, match="neither steps"):
        api.convert_trace(tmp_path / "one.et", step=1)
