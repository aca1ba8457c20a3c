"""Collectives of NCCL and RCCL as PyTorch's profiler records them: kind, size, and the processes of the group."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from apet.traces.event_traces.processes import Call, equal_parts
from apet.traces.event_traces.source_lines import size

BYTES = {
    **dict.fromkeys(("Byte", "Char", "Bool", "QInt8", "QUInt8"), 1),
    **dict.fromkeys(("Float8_e4m3fn", "Float8_e5m2", "Float8_e4m3fnuz", "Float8_e5m2fnuz"), 1),
    **dict.fromkeys(("Short", "Half", "BFloat16"), 2),
    **dict.fromkeys(("Int", "Float"), 4),
    **dict.fromkeys(("Long", "Double", "ComplexFloat"), 8),
}
"""Bytes of an element by PyTorch's name of its type."""
DECORATIONS = ("_coalesced", "_into_tensor", "_tensor", "_base", "_oop", "_out", "_")
"""What names of PyTorch's functions have besides the collective."""


class Groups(NamedTuple):
    """The processes: how many they are, and those of groups by name."""

    world: int
    named: Mapping[str, tuple[int, ...]]

    @classmethod
    def of(cls, info: Mapping[str, Any], collectives: Iterable[Mapping[str, Any]]) -> Groups:
        """As a recording says; without it as many as the greatest group has."""
        named = dict[str, tuple[int, ...]]()
        for group in info.get("pg_config", ()):
            if members := _listed(group.get("ranks")):
                named[str(group["pg_name"])] = members
        sizes = (int(arguments.get("Group size", 1)) for arguments in collectives)
        return cls(int(info.get("world_size", 0)) or max(sizes, default=1), named)

    def members(self, arguments: Mapping[str, Any]) -> tuple[int, ...]:
        """Those of a collective; none where that is not recorded."""
        members = _listed(arguments.get("Process Group Ranks"))
        members = members or self.named.get(str(arguments.get("Process Group Name")), ())
        number = int(arguments.get("Group size", 0))
        if not members and number == self.world:
            return tuple(range(number))
        fits = len(set(members)) == len(members) == number and max(members, default=0) < self.world
        return members if fits else ()


def is_collective(name: str) -> bool:
    """Whether a kernel of this name communicates."""
    return name.lower().startswith(("nccl", "rccl", "void nccl", "void rccl"))


def call_of(arguments: Mapping[str, Any], groups: Groups, recorded: int, process: int, alone: bool) -> Call | None:
    """The call of a process by the arguments of a kernel that another one like it, or itself, recorded; None where its
    kind, size, group or partner is not known. `alone`: not all processes are recorded."""
    element, members = BYTES.get(str(arguments.get("dtype"))), groups.members(arguments)
    name = str(arguments.get("Collective name", "")).lower()
    if element is None or not members or "In msg nelems" not in arguments:
        return None
    for decoration in DECORATIONS:
        name = name.removesuffix(decoration)
    sent, received = (size(element * int(arguments[f"{way} msg nelems"])) for way in ("In", "Out"))
    if name in ("send", "recv"):
        ends = int(arguments.get("Src Rank", recorded)), int(arguments.get("Dst Rank", recorded))
        return None if alone or ends[0] == ends[1] else Call(name, ends, (max(sent, received),))

    group = _of_likes(members, recorded, process, groups.world)
    made = _arguments(name.strip("_"), sent, received, group, arguments)
    return None if made is None else Call(made[0], group, made[1:])


def _arguments(
    name: str, sent: int, received: int, group: Sequence[int], arguments: Mapping[str, Any]
) -> tuple[Any, ...] | None:
    """The action of the trace; roots are not recorded, so that the first of a group is taken."""
    number = len(group)
    split = [_listed(arguments.get(f"{way} split size")) for way in ("In", "Out")]
    match name.replace("all_", "all").replace("allto_all", "alltoall"):
        case "" | _ if not number:
            return None
        case "allreduce":
            return "allreduce", sent, 0.0
        case "broadcast":
            return "bcast", max(sent, received), 0
        case "reduce":
            return "reduce", sent, 0.0, 0
        case "allgather":
            return "allgather", sent
        case "reduce_scatter" | "reducescatter":
            return "reducescatter", equal_parts(received, number), 0.0
        case "alltoallv" if all(len(each) == number and sum(each) and min(each) >= 0 for each in split):
            return "alltoallv", *(_parts(total, each) for total, each in zip((sent, received), split, strict=True))
        case "alltoall" | "alltoallv" if not any(split):
            return "alltoall", sent // number
        case "gather":
            return "gather", sent, 0
        case "scatter":
            return "scatter", received, 0
        case "barrier":
            return ("barrier",)
        case _:
            return None


def _parts(total: int, split: Sequence[int]) -> list[int]:
    return [total * each // sum(split) for each in split]


def _of_likes(members: tuple[int, ...], recorded: int, process: int, world: int) -> tuple[int, ...]:
    """The group of a process that is to another what the recorded one is to this: groups of equal strides tile all
    processes. None where these do not."""
    if process in members:
        return members
    number, stride = len(members), members[1] - members[0] if len(members) > 1 else 1
    first = recorded - recorded // stride % number * stride if stride > 0 else -1
    if members != tuple(range(first, first + number * stride, stride)) or world % (number * stride):
        return ()
    first = process - process // stride % number * stride
    return tuple(range(first, first + number * stride, stride))


def _listed(value: Any) -> tuple[int, ...]:
    """`[0, 1]`, as text or as such; nothing where it is shortened."""
    if isinstance(value, str):
        if "..." in value:
            return ()
        value = json.loads(value or "[]")
    return tuple(map(int, value or ()))
