"""Freed memory is kept for the next arrays, instead of going back to the system and coming again page by page."""

from __future__ import annotations

import contextlib

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""Parameters of glibc's mallopt."""
KEPT, MAPPED = 2**30, 2**28
ENVIRONMENT = {"MALLOC_TRIM_THRESHOLD_": str(KEPT), "MALLOC_MMAP_THRESHOLD_": str(MAPPED)}
"""The same for a process that is yet to start."""


def keep_freed_memory() -> None:
    """Set it for this process, where its C library can; work on arrays becomes up to twice as fast."""
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.mallopt(TRIM_THRESHOLD, KEPT)
        library.mallopt(MMAP_THRESHOLD, MAPPED)
