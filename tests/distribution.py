"""How `--dist loadfile` deals tests to processes: by file, which prepares things once, and the long ones first.

Marks of groups do not do: pytest 9.2 has identifiers that pytest-xdist 3.8 cannot write a group into.
"""

from __future__ import annotations

import pytest
from xdist.scheduler import LoadFileScheduling

TOGETHER = {
    "mpi": (  # they start several ranks each, and some measure
        "tests/cli/test_run.py",
        "tests/test_tutorials.py",
        "tests/traces/test_acquire.py",
        "tests/traces/test_acquire_as_they_are.py",
        "tests/traces/test_begun.py",
        "tests/traces/test_network_fit.py",
    ),
    "sanitized": ("tests/core/test_allocations.py", "tests/fuzz/test_fuzz.py"),  # they share a build of the C core
}
"""Files that one process runs after each other."""
SINGLY = ("tests/docs/test_docs.py", "tests/laws/test_laws.py", "tests/loss/test_loss.py")
"""Files of many long tests that share nothing."""
FIRST = ("laws", "traces", "fuzz", "docs", "loss", "java", "queueing", "questions", "robustness", "page", "test_wheel")
"""Folders and files that take long. What is dealt last is short, so that no process waits at the end."""

_GROUPS = {file: name for name, files in TOGETHER.items() for file in files}
_PLACES = {name: place for place, name in enumerate(FIRST)}


def turn(item: pytest.Item) -> int:
    """When a test is dealt: the place of its folder."""
    name = item.nodeid.removeprefix("tests/").partition("::")[0].partition("/")[0].removesuffix(".py")
    return _PLACES.get(name, len(FIRST))


def unit(nodeid: str) -> str:
    """What a test is dealt with: its file, that one's group, or nothing."""
    file = nodeid.partition("::")[0]
    return nodeid if file in SINGLY else _GROUPS.get(file, file)


class ByFile(LoadFileScheduling):  # type: ignore[misc]
    """Files in the order in which they were collected, some of them together."""

    def _split_scope(self, nodeid: str) -> str:
        return unit(nodeid)
