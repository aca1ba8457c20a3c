"""Workers started for each reader, and started again behind an input that ended one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.fuzz.readers import READERS, ROOT
from tests.fuzz.trial import TrialOutcome
from tests.fuzz.worker import GREW, content_of, file_name, save

STUCK = 120.0
"""Seconds after which a worker that does not go on is ended: nothing else stops calls of C, and waiting."""


class Tally(NamedTuple):
    """What became of the inputs of a reader, and in how many seconds."""

    reader: str
    counts: Counter[str]
    seconds: float

    @property
    def inputs(self) -> int:
        """All of them."""
        return sum(self.counts[key] for key in ("answer", "refusal", "finding"))


def run_reader(name: str, inputs: int, seed: int, folder: Path, environment: Mapping[str, str] | None = None) -> Tally:
    """Read so many inputs; findings lie in the folder. `environment` is further one of the workers."""
    counts, began, first = Counter[str](), time.monotonic(), 0
    folder.mkdir(parents=True, exist_ok=True)
    while first < inputs:
        code, output, at = _worker(name, seed, range(first, inputs), folder, environment or {})
        last = output.strip().rpartition("\n")[2]
        counts += Counter(json.loads(last) if last.startswith("{") else {"lost": at - first})
        if code not in (0, GREW):
            result = TrialOutcome(f"a worker ended with {code}", output[-1_000:])
            save(folder, file_name(name, result.kind), _content(name, seed, at), result)
            counts["finding"] += 1
        first = inputs if code == 0 else at + 1
    return Tally(name, counts, time.monotonic() - began)


def _content(name: str, seed: int, number: int) -> bytes:
    return content_of(READERS[name], seed, number, list(READERS[name].samples()))


def _worker(name: str, seed: int, numbers: range, folder: Path, further: Mapping[str, str]) -> tuple[int, str, int]:
    """Exit code, output, and the number of the last input of one worker."""
    first = numbers.start
    command = [sys.executable, "-m", "tests.fuzz.worker", name, str(seed), str(first), str(len(numbers)), str(folder)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "compiler")))} | dict(further)
    running = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    place, last, since = folder / f"{name}.at", first, time.monotonic()
    while True:
        try:
            output, _ = running.communicate(timeout=5)
            return running.returncode, output, _number(place, first)
        except subprocess.TimeoutExpired:
            now = _number(place, first)
            if now != last:
                last, since = now, time.monotonic()
            elif time.monotonic() - since > STUCK:
                running.kill()


def _number(place: Path, first: int) -> int:
    text = place.read_text(encoding="ascii").strip() if place.exists() else ""
    return max(first, int(text)) if text else first
