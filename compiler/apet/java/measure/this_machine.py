"""The machine file of this machine, kept in the user's cache: measured at need, and anew when it is old or for another.

`--machines this` and `apet.load_machines("this")` name it.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from apet.ground import host
from apet.ground.diagnostics import ApetError
from apet.ground.user_cache import cache_folder
from apet.ground.whole_files import write_whole
from apet.java.jvm import Jdk, find_jdk
from apet.java.measure.machine_text import machine_text
from apet.java.measure.measuring import measure
from apet.machine import Machines, load_machines
from apet.program.measure.samples import Progress

NEWEST = "mispredict_target"
"""The operation that was last added to the benchmark."""
NAME = "this"
FRESH = timedelta(days=7)


def is_this(name: str | os.PathLike[str]) -> bool:
    """Whether a name means this machine: a file that is called so comes first."""
    return os.fspath(name) == NAME and not os.path.exists(name)


def this_machine(notice: Callable[[str], None] | None = None, progress: Progress | None = None) -> Path:
    """The path of the file; measured first where there is none that holds (about ten seconds, after a notice).

    Raises `ApetError` without a JDK.
    """
    jdk = find_jdk()
    path = cache_folder() / "this.toml"
    reason = outdated(path, jdk)
    if reason:
        if notice is not None:
            notice(f"measuring this machine, about ten seconds ({reason}); kept in {path}")
        _write(path, machine_text(measure("C2", True, progress or (lambda what, part: None)).content))
    return path


def outdated(path: Path, jdk: Jdk) -> str:
    """Why a file does not hold here and now; "" where it does."""
    if not path.exists():
        return "it was not measured yet"
    try:
        machines = load_machines(path)
    except ApetError:
        return "its file is damaged"

    facts = machines.provenance
    now = {"host": socket.gethostname(), "cpu": host.processor(), "cores": host.cores(), "jvm": jdk.version()}
    for key, value in now.items():
        if str(facts.get(key)) != str(value):
            return f"{key}: {value} now, {facts.get(key)} then"
    if NEWEST not in machines.groups[0].op_s:
        return "an earlier version measured less"
    return "" if _age(machines) < FRESH else f"it is older than {FRESH.days} days"


def _age(machines: Machines) -> timedelta:
    try:
        then = datetime.strptime(str(machines.provenance.get("date")), "%Y-%m-%d %H:%M UTC").replace(tzinfo=UTC)
    except ValueError:
        return timedelta.max
    return datetime.now(UTC) - then


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Another process may read the file at this moment: it sees the old one or the new one, never half of it.
    write_whole(str(path), lambda part: Path(part).write_text(text, encoding="utf-8"))
