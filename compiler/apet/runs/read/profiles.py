"""From a file, or a folder of files, to the profile of one run: which profiler wrote it."""

from __future__ import annotations

from apet.ground.diagnostics import ApetError
from apet.ground.source_files import as_source, read_bytes
from apet.runs import errors
from apet.runs.read import caliper, cubex, nvidia, perf, perf_stat, python_profile, tau
from apet.runs.read.profile import ProfiledRun, ProfileReader

PROFILERS: tuple[ProfileReader, ...] = (tau, perf, perf_stat, caliper, python_profile, nvidia)
_HEAD = 65_536
"""Bytes by which a format is recognised."""


def is_profile(content: bytes) -> bool:
    """Whether a file is the profile of one run."""
    return cubex.is_archive(content) or python_profile.is_marshalled(content) or _profiler(content) is not None


def holds_profile(folder: str) -> bool:
    """Whether a folder is the profile of one run: TAU's of its threads, or Score-P's."""
    return bool(tau.profiles_in(folder)) or cubex.profile_in(folder) is not None


def _profiler(content: bytes) -> ProfileReader | None:
    head = content[:_HEAD].decode("utf-8", "replace")
    return next((profiler for profiler in PROFILERS if profiler.recognises(head)), None)


def as_profiled(path: str) -> ProfiledRun:
    """The profile of one run in a file or a folder; `ApetError`."""
    threads = tau.profiles_in(path)
    if threads:
        return tau.read_threads([as_source(t, read_bytes(t)) for t in threads]).shortened()

    path = cubex.profile_in(path) or path
    content = read_bytes(path)
    if cubex.is_archive(content):
        return cubex.read(path).shortened()
    if python_profile.is_marshalled(content):
        return python_profile.read_marshalled(path, content).shortened()

    profiler, source = _profiler(content), as_source(path, content)
    if profiler is None:
        raise ApetError(errors.UnknownFormat(source, None, "it is no profile"))
    return profiler.read(source).shortened()
