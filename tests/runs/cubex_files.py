"""Small profiles in Cube's format, as Score-P lays them out: what the tests of its reader read."""

from __future__ import annotations

import io
import struct
import tarfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

ANCHOR = """<?xml version="1.0" encoding="UTF-8"?>
<cube version="4.4"><attr key="Creator" value="test"/>
<metrics><metric id="0" type="INCLUSIVE"><disp_name>Time</disp_name><uniq_name>{metric}</uniq_name><dtype>DOUBLE</dtype>
<uom>{unit}</uom><url></url><descr></descr></metric></metrics>
<program>{regions}
<cnode id="0" calleeId="0"><cnode id="1" calleeId="1"><cnode id="2" calleeId="2"></cnode></cnode>
<cnode id="3" calleeId="3"></cnode></cnode></program>
<system><systemtreenode Id="0"><name>machine</name><class>machine</class>{groups}</systemtreenode></system></cube>
"""
REGION = '<region id="{0}" mod="" begin="-1" end="-1"><name>{1}</name></region>'
GROUP = """<locationgroup Id="{0}"><name>rank {0}</name><rank>{0}</rank><type>process</type>
<location Id="{0}"><name>thread</name><rank>0</rank><type>thread</type></location></locationgroup>"""
PATHS = ("main", "main/solve", "main/solve/MPI_Send", "main/write")
"""Of call nodes 0 to 3."""


def cubex(
    path: Path,
    seconds: Mapping[str, Sequence[float]],
    *,
    metric: str = "time",
    unit: str = "sec",
    packed: bool = False,
    parts: Mapping[str, bytes] | None = None,
) -> None:
    """Write a profile: inclusive seconds of each path by rank; `parts` replaces files of the archive."""
    ranks = len(next(iter(seconds.values())))
    regions = "".join(REGION.format(k, p.rpartition("/")[2]) for k, p in enumerate(PATHS))
    groups = "".join(GROUP.format(k) for k in range(ranks))
    # Inclusive metrics are stored breadth first: main, its callees, theirs.
    order = [0, 1, 3, 2]
    values = struct.pack(f"<{4 * ranks}d", *(v for k in order for v in seconds[PATHS[k]]))
    data = b"CUBEX.DATA" + values
    if packed:
        squeezed = zlib.compress(values)
        data = b"ZCUBEX.DATA" + struct.pack("<4q", 1, 0, 0, len(squeezed)) + squeezed
    files = {
        "0.data": data,
        "0.index": b"CUBEX.INDEX" + struct.pack("<ihci4i", 1, 0, b"\x01", 4, 0, 1, 2, 3),
        "anchor.xml": ANCHOR.format(metric=metric, unit=unit, regions=regions, groups=groups).encode(),
    }

    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in (files | dict(parts or {})).items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
