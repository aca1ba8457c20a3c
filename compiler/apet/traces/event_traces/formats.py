"""Which event trace a file or folder is, by how it begins, and the files that belong to it. Every call asks this of its
file, so it loads no reader."""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Iterator

from apet.traces.lines.files import DAMAGED, is_packed, opened

OTF2, PRINTED, PARAVER, DUMPI = "OTF2", "printed OTF2", "Paraver", "DUMPI"
GOAL, LIBALLPROF, KINETO, CHAKRA = "GOAL", "liballprof", "Kineto", "Chakra"
GOAL_MAGIC = struct.pack("<Q", 4223)
_LENGTH = rb"[\x80-\xff]{0,3}[\x01-\x7f]"
BEGINNINGS = {
    PARAVER: rb"#Paraver \(",
    PRINTED: rb"[^\0]*=== OTF2-PRINT ===",
    DUMPI: rb"[^\0]* entering at walltime ",
    LIBALLPROF: rb"(?:#[^\n]*\n|\s)*MPI_\w+:",
    GOAL: re.escape(GOAL_MAGIC) + rb"|(?:\s|//[^\n]*\n)*num_ranks\s+\d",
    KINETO: rb'\s*\{\s*"(?:schemaVersion"|deviceProperties"|record_shapes"|[^\0]*"traceEvents")',
    # a frame of protobuf with a version (of 3 characters or more: its length is no blank), or an attribute with
    # its name; or a document: a version alone or with attributes, since other tools' files begin with one, too
    CHAKRA: _LENGTH + rb"(?:\x0a[\x03-\x08]\d+\.\d|\x12" + _LENGTH + rb"\x0a[\x01-\x3f]\w)"
    rb'|\s*\{\s*"(?:workload_graph"\s*:|attr"\s*:\s*\[|schema"\s*:\s*"[^"\n]*chakra'
    rb'|version"\s*:\s*"[^"\n]*"\s*(?:,\s*"attr"\s*:|\}\s*\{))',
}
PACKABLE = (GOAL, KINETO, CHAKRA)
"""Those that are read from compressed files, too."""
BY_NUMBER = re.compile(r"-(\d{1,9})\.[^/]*$")
RECORDED = re.compile(r"\.(?:json|et)(?:\.gz|\.xz)?$")
OF_FOLDERS = {DUMPI: BY_NUMBER, LIBALLPROF: BY_NUMBER, KINETO: RECORDED, CHAKRA: RECORDED}
"""Those of which a folder has a file for each rank or process, and how names of these end."""
HEAD, PART = 1 << 16, 1 << 10


def format_of(name: str) -> str:
    """One of the above; empty where it is none of them, or cannot be read."""
    if name.endswith(".otf2"):
        return OTF2
    if os.path.isdir(name):
        return next((each for each in OF_FOLDERS if any(_inside(name, each))), "")
    head, packed = _head(name)
    return next((k for k, b in BEGINNINGS.items() if re.match(b, head) and (k in PACKABLE or not packed)), "")


def is_event_trace(path: str | os.PathLike[str]) -> bool:
    """Whether a file, or a folder of files, is an event trace."""
    return bool(format_of(os.fspath(path)))


def files_of(path: str, kind: str) -> list[str]:
    """The files of all ranks: those of a folder; of DUMPI and liballprof those whose names differ from that of one of
    them in the last number alone, in its order."""
    one = None if os.path.isdir(path) else BY_NUMBER.search(os.path.basename(path))
    if not os.path.isdir(path) and (one is None or OF_FOLDERS.get(kind) is not BY_NUMBER):
        return [path]
    folder = path if one is None else os.path.dirname(path)
    files = [name for name in _inside(folder, kind) if one is None or _ends(name) == _ends(os.path.basename(path))]
    if OF_FOLDERS[kind] is BY_NUMBER:
        files.sort(key=lambda name: [int(match[1]) for match in BY_NUMBER.finditer(name)])
    return [os.path.join(folder, name) for name in files]


def _ends(name: str) -> tuple[str, str]:
    """What is before and behind its number."""
    match = BY_NUMBER.search(name)
    return (name[: match.start()], name[match.end(1) :]) if match else (name, "")


def _inside(folder: str, kind: str) -> Iterator[str]:
    """The names of the files of this kind."""
    for name in sorted(os.listdir(folder or ".")):
        known = OF_FOLDERS[kind].search(name)
        # what is a graph by its name and none by its content is refused where it is read, not left out
        named = kind == CHAKRA and ".et" in name
        if known and (named or re.match(BEGINNINGS[kind], _head(os.path.join(folder, name))[0])):
            yield name


def _head(name: str) -> tuple[bytes, bool]:
    """The beginning of a file, unpacked, as far as it is not damaged, and whether it is compressed."""
    head, unpacked = b"", b""
    try:
        with open(name, "rb") as file:
            head = file.read(HEAD)
        if is_packed(head):
            with opened(name) as packed:
                while len(unpacked) < HEAD and (part := packed.read(PART)):
                    unpacked += part
    except (*DAMAGED, ValueError):
        pass
    return (unpacked, True) if is_packed(head) else (head, False)
