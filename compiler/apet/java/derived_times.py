"""Times of JDK calls that an earlier prediction derived from their source, kept in the user's cache."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

from apet.ground.interval import Interval
from apet.ground.user_cache import cache_folder, only_ours
from apet.ground.whole_files import write_whole
from apet.machine import Machines

MOST_FILES = 40
"""Each machine model, JDK and state of APET has a file of its own, of a few kilobytes; the oldest are removed."""
PACKAGE = Path(__file__).parents[1]


class DerivedTimesCache:
    """Seconds of calls by operation, for one archive, machine model and state of APET's code; None of a call whose
    source gives no time."""

    def __init__(self, archive: str, machines: Machines) -> None:
        own, about = machines.groups[0], os.stat(archive)
        code = sorted((str(p), p.stat().st_mtime_ns) for p in PACKAGE.rglob("*.py"))
        costs = [sorted(times.items()) for times in (own.op_s, own.fits, own.classes, machines.assumed)]
        facts = archive, about.st_size, about.st_mtime_ns, code, costs, machines.provenance.get("parameters")
        self._path = cache_folder() / f"jdk-calls-{hashlib.sha256(repr(facts).encode()).hexdigest()[:16]}.json"
        self.seconds = _read(self._path)
        self._written = len(self.seconds)

    def keep(self) -> None:
        """Write what is new; nothing where no cache can be written."""
        if len(self.seconds) == self._written:
            return
        content = json.dumps({name: s and [float(s.lo), float(s.hi)] for name, s in self.seconds.items()})
        with suppress(OSError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(str(self._path), lambda path: Path(path).write_text(content))
            files = sorted(self._path.parent.glob("jdk-calls-*.json"), key=lambda p: p.stat().st_mtime_ns)
            for oldest in files[:-MOST_FILES]:
                oldest.unlink()


def _read(path: Path) -> dict[str, Interval | None]:
    """What a file says; nothing where there is none, others may write to it, or it is damaged."""
    try:
        if not only_ours(path.parent) or not only_ours(path):
            return {}
        content = json.loads(path.read_text())
        return {str(name): None if s is None else Interval(float(s[0]), float(s[1])) for name, s in content.items()}
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        return {}
