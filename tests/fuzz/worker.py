"""A process that reads many mutated inputs one after the other; crashes and endless calls end it, not the campaign.

    python -m tests.fuzz.worker READER SEED FIRST COUNT FOLDER

It writes the number of the input at hand to FOLDER/READER.at, and each kind of finding once, with its smallest input,
to FOLDER/READER-*.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

from tests.core import sanitized
from tests.fuzz.minimise import smallest
from tests.fuzz.mutations import mutated
from tests.fuzz.readers import READERS, SAMPLES, FuzzedReader
from tests.fuzz.trial import REFUSAL, TrialOutcome, outcome

MOST_ADDRESSES = 2 << 30
MOST_RESIDENT = 1 << 30
GREW = 3
"""The exit code of a worker that one input made too large to go on."""


def content_of(reader: FuzzedReader, seed: int, number: int, samples: list[bytes]) -> bytes:
    """The input of a number, the same always."""
    return mutated(Random(f"{reader.name} {seed} {number}"), samples)


def main(name: str, seed: int, first: int, count: int, folder: Path) -> int:
    """Read the inputs from `first` on; the exit code."""
    if not sanitized.load():  # sanitizers map more than there is
        resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESSES, MOST_ADDRESSES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    reader, scratch = READERS[name], tempfile.mkdtemp(prefix="apet-fuzz-")
    samples, counts = list(reader.samples()), Counter[str]()
    seen = {path.name for path in folder.glob(f"{name}-*")}
    path = beside(scratch, reader)

    with open(folder / f"{name}.at", "w", encoding="ascii") as at:
        try:
            for number in range(first, first + count):
                os.pwrite(at.fileno(), b"%-20d" % number, 0)
                content = content_of(reader, seed, number, samples)
                path.write_bytes(content)
                result = _measured(outcome(reader.read, str(path)))
                counts[result.kind if result.fine else "finding"] += 1
                counts["placed"] += result.kind == REFUSAL and result.placed
                if not result.fine and (file := file_name(name, result.kind)) not in seen:
                    seen.add(file)
                    save(folder, file, smallest(reader.read, path, content, result), result)
                if result.kind == GREEDY:
                    return GREW
            return 0
        finally:
            print(json.dumps(counts), flush=True)
            shutil.rmtree(scratch, ignore_errors=True)


GREEDY = "more than 1 GB"


def _measured(result: TrialOutcome) -> TrialOutcome:
    return TrialOutcome(GREEDY) if _most_resident() > MOST_RESIDENT else result


def _most_resident() -> int:
    """The greatest number of bytes in memory; what getrusage says may be that of the process which started this one."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def beside(scratch: str, reader: FuzzedReader) -> Path:
    """The place of the input, beside the files that samples name."""
    for file in (*SAMPLES.glob("java/*.java"), *SAMPLES.glob("pamela/pi.pam"), *SAMPLES.glob("runs/*.csv")):
        shutil.copy(file, scratch)
    os.chdir(scratch)
    return Path(scratch) / reader.file


def file_name(reader: str, kind: str) -> str:
    """The file of a kind of finding."""
    return f"{reader}-{hashlib.sha256(kind.encode()).hexdigest()[:8]}"


def save(folder: Path, file: str, content: bytes, result: TrialOutcome) -> None:
    """An input that shows something, and beside it what."""
    (folder / file).write_bytes(content)
    (folder / f"{file}.txt").write_text(f"{result.kind}\n{result.detail}\n", encoding="utf-8", errors="replace")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), Path(sys.argv[5]).resolve()))
