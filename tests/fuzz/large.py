"""Reads inputs of about 10 MB with every reader of APET, and says what each takes.

    python -m tests.fuzz.large [READER…]

Each sample is made large in several ways: its lines many times, one line or word without end, brackets in each other,
names of its own for each copy; and there are the large inputs of `large_valid`, which get past the first line. Each
must come to an answer or a diagnostic, in 60 s of CPU time and 1 GB.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.fuzz.large_valid import BYTES, LARGE
from tests.fuzz.readers import READERS, ROOT
from tests.fuzz.trial import outcome

MOST_SECONDS, MOST_KIB = 60.0, 1 << 20
NAME = re.compile(rb"[A-Za-z_]\w*")


def _lines(sample: bytes) -> bytes:
    """All lines but the first ones again and again, as records follow a head."""
    lines = sample.splitlines(keepends=True)
    last = lines[-1] if lines[-1].endswith(b"\n") else lines[-1] + b"\n"
    return sample + b"\n" + last * (BYTES // len(last))


def _whole(sample: bytes) -> bytes:
    return sample * (BYTES // max(1, len(sample)))


def _middle(sample: bytes) -> bytes:
    """A line from the middle, in its place."""
    lines = sample.splitlines(keepends=True)
    at = len(lines) // 2
    return b"".join((*lines[:at], lines[at] * (BYTES // len(lines[at])), *lines[at + 1 :]))


def _one_line(sample: bytes) -> bytes:
    return b" ".join(sample.split()) * (BYTES // max(1, len(sample)))


def _one_word(sample: bytes) -> bytes:
    return NAME.sub(lambda m: m[0] * (BYTES // len(m[0])), sample, count=1)


def _nested(sample: bytes) -> bytes:
    at = sample.find(b"(") + 1 or sample.find(b"[") + 1 or sample.find(b"{") + 1 or len(sample) // 2
    return sample[:at] + sample[at - 1 : at] * BYTES + sample[at:]


def _named(sample: bytes) -> bytes:
    """Records of which each has other names."""

    def renamed(k: int) -> bytes:
        return NAME.sub(lambda name: name[0] if len(name[0]) > 6 else name[0] + b"%d" % k, sample)

    return b"".join(map(renamed, range(BYTES // max(1, len(sample)))))


WAYS: dict[str, Callable[[bytes], bytes]] = {
    "last line": _lines,
    "whole": _whole,
    "middle line": _middle,
    "one line": _one_line,
    "one word": _one_word,
    "nested": _nested,
    "named": _named,
}


def read_one(reader: str, way: str) -> Iterator[str]:
    """What reading the largest sample made large comes to, in this process."""
    content = LARGE[reader][way]() if way not in WAYS else WAYS[way](max(READERS[reader].samples(), key=len))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path(READERS[reader].file).write_bytes(content[: 2 * BYTES])
        before = resource.getrusage(resource.RUSAGE_SELF)
        result = outcome(READERS[reader].read, READERS[reader].file, MOST_SECONDS)
        after = resource.getrusage(resource.RUSAGE_SELF)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        yield json.dumps([result.kind, seconds, after.ru_maxrss, result.fine])
        os.chdir("/")


def main(names: Sequence[str]) -> int:
    """The exit code: 1 where one takes more than it may."""
    wrong = 0
    for name in names or READERS:
        for way in (*LARGE.get(name, ()), *WAYS):
            command = [sys.executable, "-m", "tests.fuzz.large", "--one", name, way]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900, check=False)
            kind, seconds, kib, fine = json.loads(done.stdout or json.dumps([done.stderr[-300:], 0, 0, False]))
            bad = not fine or seconds > MOST_SECONDS or kib > MOST_KIB
            wrong += bad
            shown = f"{name:16} {way:12} {seconds:6.1f} s {kib / 1024:7.0f} MiB  {kind}"
            print(shown + ("  TOO MUCH" if bad else ""), flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(*read_one(*sys.argv[2:]))
    else:
        sys.exit(main(sys.argv[1:]))
