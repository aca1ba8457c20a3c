"""What is measured and under which circumstances: processor, caches, system, load."""

from __future__ import annotations

import os
import platform
import re
from datetime import UTC, datetime
from pathlib import Path

CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
USUAL = {"L1": 32 * 1024, "L2": 1024 * 1024, "L3": 32 * 1024 * 1024}
OWN_SHARE = 32 * 1024 * 1024
"""Of a larger last level, hundreds of cores have their part, and pages of 4 KiB reach no further at its speed."""


def processor() -> str:
    """The processor's name as the system gives it."""
    with_name = re.search(r"^model name\s*:\s*(.+)$", _text("/proc/cpuinfo"), re.MULTILINE)
    family = re.search(r"^cpu family\s*:\s*(\d+)$", _text("/proc/cpuinfo"), re.MULTILINE)
    name = with_name[1].strip() if with_name else platform.processor() or platform.machine()
    return f"{name} (family {family[1]})" if family else name


def vector_bytes() -> int:
    """Bytes of a vector register that the JIT may use."""
    flags = re.search(r"^flags\s*:\s*(.+)$", _text("/proc/cpuinfo"), re.MULTILINE)
    features = set(flags[1].split()) if flags else set()
    return 64 if "avx512f" in features and "avx512bw" in features else 32 if "avx2" in features else 16


def caches() -> dict[str, int]:
    """Bytes of the data caches by level that one core has the use of; usual figures where the system tells none."""
    sizes = dict(USUAL)
    for entry in sorted(CACHES.glob("index*")):
        level, kind = _text(entry / "level").strip(), _text(entry / "type").strip()
        size = re.fullmatch(r"(\d+)([KM]?)", _text(entry / "size").strip())
        if size and kind in ("Data", "Unified") and f"L{level}" in sizes:
            sizes[f"L{level}"] = int(size[1]) * {"": 1, "K": 1024, "M": 1024**2}[size[2]]
    return {**sizes, "L3": min(sizes["L3"], OWN_SHARE)}


def load() -> float | None:
    """Processes that want to run, on average over the last minute; None where the system does not tell."""
    try:
        return round(os.getloadavg()[0], 2)
    except (AttributeError, OSError):  # Windows has no such figure
        return None


def free_memory() -> int | None:
    """Bytes that programs may still ask for without swapping; None where the system does not tell."""
    available = re.search(r"^MemAvailable:\s*(\d+) kB", _text("/proc/meminfo"), re.MULTILINE)
    return int(available[1]) * 1024 if available else None


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def system() -> str:
    """The operating system and its release."""
    return f"{platform.system()} {platform.release()}"


def now() -> str:
    """The date and time, in UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")


def _text(path: str | Path) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
