"""Profiles of Score-P in Cube's format, `profile.cubex`, by the Python package pycubexr. No other file knows it.

P. Saviankou et al., Cube v4: from performance report explorer to performance analysis tool, 2015. A file is a tar
archive: `anchor.xml` has the metrics, the call tree and the locations, `N.index` and `N.data` the values of metric N by
call path and location. The archive is checked first: parts of it may be compressed, and the package unpacks them whole.
"""

from __future__ import annotations

import os
import tarfile
import zlib
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.ground.source_files import FileTooBig
from apet.runs import errors
from apet.runs.read.profile import CallNode, ProfiledRun, broken, of_call_tree
from apet.runs.read.units import SECONDS

NAME, SUFFIX = "profile.cubex", ".cubex"
TIME, ANCHOR = "time", "anchor.xml"
_MAGIC = slice(257, 262)
MOST_BYTES = 256 * 2**20
"""Of any part of an archive, unpacked."""
PORTION = 2**20
PACKED_DATA, PACKED_TEXT = b"ZCUBEX.DATA", b"\x1f\x8b"
WITH_GZIP_HEADER = 31
FIRST = "0"
"""The rank within its process of the thread whose times are those of the run: others wait, or are not there yet."""


def profile_in(folder: str) -> str | None:
    """The profile in a folder, as Score-P writes it; None where there is none, or several."""
    if not os.path.isdir(folder):
        return None
    files = [e for e in sorted(os.listdir(folder)) if e.endswith(SUFFIX)]
    name = NAME if NAME in files else files[0] if len(files) == 1 else None
    return None if name is None else os.path.join(folder, name)


def is_archive(content: bytes) -> bool:
    """Whether a file is a tar archive: of all that is read here, only these profiles are."""
    return content[_MAGIC] == b"ustar"


def read(path: str) -> ProfiledRun:
    """Seconds by call path, means over processes; the run is the longest process's. `ApetError`."""
    try:
        import pycubexr
    except ImportError:
        raise ApetError(errors.NoCubeReader(None, None, path)) from None

    try:
        _check_parts(path)
        with pycubexr.CubexParser(path) as profile:
            return _profile(path, profile)
    except ApetError:
        raise
    except Exception as error:  # the package asserts where a file is damaged, or fails in any other way
        problem = " ".join(str(error).split()) or type(error).__name__
        raise _broken(path, f"it is damaged ({problem[:200]})") from None


def _broken(path: str, problem: str) -> ApetError:
    return broken(Source(path, ""), "Score-P", problem, None)


def _check_parts(path: str) -> None:
    """`ApetError` where a part of the archive is larger, unpacked, than any profile."""
    with tarfile.open(path, mode="r:") as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() else None
            if file is None:
                continue
            head = file.read(len(PACKED_DATA))
            size = member.size
            if head == PACKED_DATA:
                size = _unpacked_data(file, size)
            elif head[: len(PACKED_TEXT)] == PACKED_TEXT:
                file.seek(0)
                size = _unpacked(zlib.decompressobj(WITH_GZIP_HEADER), file, member.size)

            if size > MOST_BYTES:
                raise ApetError(FileTooBig(None, None, f"{member.name} in {path}", MOST_BYTES // 2**20))


def _unpacked_data(file: Any, size: int) -> int:
    """Bytes of values in a file whose head has been read: a count, so many triples of positions and sizes, parts."""
    number = file.read(8)
    orders = [int.from_bytes(number, "little"), int.from_bytes(number, "big")]
    count = min(orders)
    if not 0 <= count <= size // 24:
        return MOST_BYTES + 1

    order = "little" if orders[0] <= orders[1] else "big"
    table = file.read(24 * count)
    sizes = [int.from_bytes(table[k + 16 : k + 24], order) for k in range(0, len(table), 24)]  # type: ignore[arg-type]
    if any(each > size for each in sizes):
        return MOST_BYTES + 1

    total = 0
    for each in sizes:
        if total <= MOST_BYTES and each:
            total += _unpacked(zlib.decompressobj(), file, each)
    return total


def _unpacked(inflating: Any, file: Any, size: int) -> int:
    """Bytes that so many become; no more than a portion is held, and no more than the limit unpacked."""
    total, pending = 0, b""
    while total <= MOST_BYTES and not inflating.eof:
        pending = inflating.unconsumed_tail
        if not pending:
            pending = file.read(min(size, PORTION))
            size -= len(pending)
        if not pending:
            break
        total += len(inflating.decompress(pending, PORTION))
    file.read(max(size, 0))
    return total


def _profile(path: str, profile: Any) -> ProfiledRun:
    import numpy as np

    metric = next((m for m in profile.all_metrics() if m.name == TIME), None)
    factor = SECONDS.get(str(metric.units)) if metric is not None else None
    if metric is None or factor is None:
        listed = ", ".join(m.name for m in profile.all_metrics())
        raise _broken(path, f"no metric is {TIME}, in a unit of time; there are: {listed}")
    locations = profile.get_locations()
    masters = [each.id for each in locations if each.rank == FIRST] or [each.id for each in locations]

    values, called = profile.get_metric_values(metric), profile.all_cnodes()
    numbers = {node.id: k for k, node in enumerate(called)}
    nodes, totals = list[CallNode](), np.zeros(len(masters))
    for node in called:
        own = np.asarray(values.cnode_values(node, convert_to_exclusive=True), dtype=float)[masters] * factor
        own = np.maximum(own, 0.0)
        totals += own
        caller = None if node.parent is None else numbers[node.parent.id]
        nodes.append(CallNode(str(node.region.name), caller, float(own.mean())))
    if not 0 < totals.max() < np.inf:
        raise _broken(path, "it holds no times")
    return of_call_tree(nodes, float(totals.max()), {})
