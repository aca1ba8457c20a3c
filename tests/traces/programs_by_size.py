"""Traces of programs of any size and number of ranks, written down without running them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apet.traces.extrapolate.grids import RankGrid, grid

Lines = Iterator[str]


def share(total: int, parts: int, at: int) -> int:
    """What is dealt to one of several parts: the first get one more."""
    return total // parts + (at < total % parts)


def stencil(n: int, ranks: int, rank: int) -> Lines:
    """A square in rectangles; edges go to four neighbours, at the end all agree."""
    plane = grid("plane", ranks)
    y, x = plane.place(rank)
    rows, columns = share(n, plane.sizes[0], y), share(n, plane.sizes[1], x)
    sides = [
        (plane.rank((y - 1, x)), 1, columns, y > 0),
        (plane.rank((y + 1, x)), 2, columns, y < plane.sizes[0] - 1),
        (plane.rank((y, x - 1)), 3, rows, x > 0),
        (plane.rank((y, x + 1)), 4, rows, x < plane.sizes[1] - 1),
    ]
    for _ in range(5):
        for other, tag, cells, there in sides:
            if there:
                yield f"irecv {other} {tag} {8 * cells} 6"
        for other, tag, cells, there in sides:
            if there:
                yield f"isend {other} {(2, 1, 4, 3)[tag - 1]} {8 * cells} 6"
        yield "waitall"
        yield f"compute {20 * rows * columns + 7 * rows}"
        yield "allreduce 8 0 6"


def box(n: int, ranks: int, rank: int) -> Lines:
    """A cube in boxes with six neighbours; of 4 to 16 ranks, at most two lie along two of the axes."""
    yield from faces(grid("box", ranks), n, rank, around=False)


def torus(n: int, ranks: int, rank: int) -> Lines:
    """The same around the ends, where both neighbours may be one rank."""
    yield from faces(grid("box", ranks), n, rank, around=True)


def faces(cells: RankGrid, n: int, rank: int, around: bool) -> Lines:
    """Along each axis a face from and to both sides, then the inside."""
    place = cells.place(rank)
    shares = [share(n, parts, at) for parts, at in zip(cells.sizes, place, strict=True)]
    for _ in range(4):
        for axis, parts in enumerate(cells.sizes):
            size = 8 * shares[axis - 1] * shares[axis - 2]
            down, up = (cells.rank((*place[:axis], place[axis] + step, *place[axis + 1 :])) for step in (-1, 1))
            below, above = around or place[axis] > 0, around or place[axis] < parts - 1
            yield from (f"irecv {down} {2 * axis} {size} 6",) * below
            yield from (f"irecv {up} {2 * axis + 1} {size} 6",) * above
            yield from (f"isend {up} {2 * axis} {size} 6",) * above
            yield from (f"isend {down} {2 * axis + 1} {size} 6",) * below
            yield from ("waitall",) * (below or above)
        yield f"compute {9 * shares[0] * shares[1] * shares[2] + 5 * shares[0]}"
        yield "allreduce 8 0 6"


def fringes(n: int, ranks: int, rank: int) -> Lines:
    """A plane whose inner columns write their exchange unlike those at its sides."""
    plane = grid("plane", ranks)
    y, x = plane.place(rank)
    cells, last = share(n, plane.sizes[0], y), plane.sizes[1] - 1
    for _ in range(4):
        if 0 < x < last:
            yield f"irecv {rank + 1} 3 {16 + 8 * cells} 6"
            yield f"isend {rank - 1} 3 {16 + 8 * cells} 6"
            yield "waitall"
        elif x:
            yield f"send {rank - 1} 3 {16 + 8 * cells} 6"
        else:
            yield f"recv {rank + 1} 3 {16 + 8 * cells} 6"
        yield "allreduce 8 0 6"


def butterfly(n: int, ranks: int, rank: int) -> Lines:
    """Sums by exchanging halves of blocks, with tags that say which."""
    for step in range((ranks - 1).bit_length()):
        other = rank ^ (1 << step)
        yield f"irecv {other} {10 + step} {8 * n} 6"
        yield f"send {other} {10 + step} {8 * n} 6"
        yield f"wait {other} {rank} {10 + step}"
        yield f"compute {3 * n}"
    yield "barrier"


def pairs(n: int, ranks: int, rank: int) -> Lines:
    """Blocks of a matrix to each other rank, one after the other, and log2(n) passes over rows in between."""
    block = (n // ranks) ** 2
    for _ in range(3):
        yield f"compute {n * n // ranks * (n - 1).bit_length()}"
        for step in range(1, ranks):
            yield f"sendRecv {block} {(rank + step) % ranks} {block} {(rank - step) % ranks} 0 0"


def wave(n: int, ranks: int, rank: int) -> Lines:
    """A pipeline: each of n planes waits for the ranks above and to the left."""
    plane = grid("plane", ranks)
    y, x = plane.place(rank)
    rows, columns = share(n, plane.sizes[0], y), share(n, plane.sizes[1], x)
    for _ in range(n):
        if y > 0:
            yield f"recv {plane.rank((y - 1, x))} 1 {columns} 0"
        if x > 0:
            yield f"recv {rank - 1} 2 {rows} 0"
        yield f"compute {11 * rows * columns}"
        if y < plane.sizes[0] - 1:
            yield f"send {plane.rank((y + 1, x))} 1 {columns} 0"
        if x < plane.sizes[1] - 1:
            yield f"send {rank + 1} 2 {rows} 0"
    yield f"reduce {n} 0 0 0"


def ahead(n: int, ranks: int, rank: int) -> Lines:
    """A pipeline that receives a block ahead: ranks inside have first and last iterations of their own, the first and
    the last rank have none."""
    if rank > 0:
        yield f"irecv {rank - 1} 0 4096 6"
    for k in range(n):
        if rank > 0:
            yield f"wait {rank - 1} {rank} 0"
        if rank > 0 and k < n - 1:
            yield f"irecv {rank - 1} 0 4096 6"
        yield "compute 140000"
        if rank < ranks - 1 and k > 0:
            yield f"wait {rank} {rank + 1} 0"
        if rank < ranks - 1:
            yield f"isend {rank + 1} 0 4096 6"
    if rank < ranks - 1:
        yield f"wait {rank} {rank + 1} 0"


def rows_and_columns(n: int, ranks: int, rank: int) -> Lines:
    """Collectives of the rows of a plane, and of its columns."""
    plane = grid("plane", ranks)
    for axis in (1, 0):
        members = ",".join(map(str, plane.along(rank, axis)))
        yield f"allreduce {8 * n // plane.sizes[axis]} 0 6 # comm {members}"
        yield f"compute {5 * n}"
    yield "barrier"


def irregular(n: int, ranks: int, rank: int) -> Lines:
    """A rank that follows no rule sends one message more."""
    for _ in range(3):
        yield f"allreduce {8 * n} 0 6"
    if (rank, ranks) in ((1, 4), (6, 8), (11, 16)):
        yield "sleep 1"
    yield "barrier"


def crossing(n: int, ranks: int, rank: int) -> Lines:
    """One message across: which rank it goes to, few ranks do not tell."""
    if rank == 0:
        yield f"send {ranks // 2} 1 {8 * n} 6"
    if rank == ranks // 2:
        yield f"recv 0 1 {8 * n} 6"
    yield "barrier"


PROGRAMS: dict[str, Callable[[int, int, int], Lines]] = {
    each.__name__: each for each in (stencil, fringes, butterfly, pairs, wave, ahead, rows_and_columns, box, torus)
}


def text(program: Callable[[int, int, int], Lines], n: int, ranks: int) -> str:
    """The whole trace."""
    return "".join(f"{rank} {line}\n" for rank in range(ranks) for line in program(n, ranks, rank))
