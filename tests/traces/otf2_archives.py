"""Small OTF2 archives, written as Score-P writes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

RANKS = 4


def write_archive(folder: Path, counted: bool = False) -> Path:
    """An archive of four ranks: computing, a ring of messages of every kind, collectives of all and of some ranks.

    Seconds are in nanoseconds; with `counted`, instructions are three times the nanoseconds.
    """
    import otf2
    from otf2 import events

    with otf2.writer.open(str(folder), timer_resolution=1_000_000_000) as trace:
        made = trace.definitions
        tree = made.system_tree_node("node")
        places = [
            made.location("Master thread", group=made.location_group(f"MPI Rank {r}", system_tree_parent=tree))
            for r in range(RANKS)
        ]
        made.group("", otf2.GroupType.COMM_LOCATIONS, otf2.Paradigm.MPI, members=places)
        everybody = made.group("", otf2.GroupType.COMM_GROUP, otf2.Paradigm.MPI, members=places)
        world = made.comm("MPI_COMM_WORLD", group=everybody)
        pairs = [
            made.comm("pair", group=made.group("", otf2.GroupType.COMM_GROUP, otf2.Paradigm.MPI, members=places[k::2]))
            for k in range(2)
        ]
        names = "MPI_Init MPI_Send MPI_Recv MPI_Isend MPI_Irecv MPI_Wait MPI_Sendrecv MPI_Allreduce MPI_Bcast"
        names += " MPI_Alltoallv MPI_Finalize main"
        region = {n: made.region(n, paradigm=otf2.Paradigm.MPI) for n in names.split()}
        metric = made.metric_class(
            members=[made.metric_member("PAPI_TOT_INS", metric_mode=otf2.MetricMode.ACCUMULATED_START)]
        )
        for rank, place in enumerate(places):
            _write_rank(
                events,
                trace.event_writer_from_location(place),
                rank,
                world,
                pairs[rank % 2],
                region,
                metric if counted else None,
                otf2,
            )
    return folder / "traces.otf2"


def _write_rank(
    events: Any, writer: Any, rank: int, world: Any, pair: Any, region: Any, metric: Any, otf2: Any
) -> None:
    now = 0

    def at(step: int) -> int:
        nonlocal now
        now += step
        return now

    def call(name: str, compute: int, *inside: Any) -> None:
        begin = at(compute)
        if metric is not None:
            writer.metric(begin, metric, [3 * begin])
        writer.enter(begin, region[name])
        for each in inside:
            writer(each(at(1)))
        end = at(10)
        if metric is not None:
            writer.metric(end, metric, [3 * end])
        writer.leave(end, region[name])

    def collective(operation: str, comm: Any, root: int, sent: int, received: int) -> tuple[Any, Any]:
        kind = getattr(otf2.CollectiveOp, operation)
        root = root if root >= 0 else otf2.CollectiveRoot.NONE
        return events.MpiCollectiveBegin, lambda t: events.MpiCollectiveEnd(t, kind, comm, root, sent, received)

    right, left = (rank + 1) % RANKS, (rank - 1) % RANKS
    writer.enter(at(5), region["main"])
    call("MPI_Init", 5)
    call("MPI_Irecv", 1000, lambda t: events.MpiIrecvRequest(t, 1))
    call("MPI_Isend", 100, lambda t: events.MpiIsend(t, right, world, 7, 4096, 2))
    call("MPI_Wait", 0, lambda t: events.MpiIrecv(t, left, world, 7, 4096, 1))
    call("MPI_Wait", 0, lambda t: events.MpiIsendComplete(t, 2))
    call(
        "MPI_Sendrecv",
        50,
        lambda t: events.MpiSend(t, right, world, 3, 80),
        lambda t: events.MpiRecv(t, left, world, 3, 80),
    )
    call("MPI_Allreduce", 2000, *collective("ALLREDUCE", world, -1, 8 * RANKS, 8 * RANKS))
    call("MPI_Bcast", 30, *collective("BCAST", pair, 1, 2 * 64 if rank // 2 == 1 else 0, 64))
    sent = 400 * (rank + 1)
    call("MPI_Alltoallv", 30, *collective("ALLTOALLV", world, -1, sent, 1000))
    if rank % 2 == 0:
        call("MPI_Send", 10, lambda t: events.MpiSend(t, right, world, 1, 100_000))
    else:
        call("MPI_Recv", 0, lambda t: events.MpiRecv(t, left, world, 1, 100_000))
    call("MPI_Finalize", 5)
    writer.leave(at(5), region["main"])
