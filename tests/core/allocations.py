"""Questions to the core in which the n-th allocation fails, for every n; to be run with a core compiled for that.

    APET_TESTED_CORE=build/sanitized/apet_core.so LD_PRELOAD=libasan.so python -m tests.core.allocations

Each call must come to an answer, a diagnostic or a `MemoryError`. It prints how often each came.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.core import sanitized

from apet import api
from apet.core import library
from apet.ground.diagnostics import ApetError
from apet.traces.structure import explain_trace, fold_trace

SAMPLES = Path(__file__).resolve().parents[2] / "samples" / "traces"
MOST = 400
"""Allocations of one question that are made to fail, the first ones of each."""


def questions() -> Mapping[str, Callable[[], object]]:
    """What is asked of the core, by name."""
    platform, hosts = api.read_platform(SAMPLES / "cluster.xml")
    ring, stencil = SAMPLES / "ring.txt", SAMPLES / "stencil.xz"
    return {
        "check": lambda: api.check_trace(ring),
        "check of a packed trace": lambda: api.check_trace(stencil),
        "replay": lambda: api.replay(ring, platform, hosts),
        "replay of a packed trace": lambda: api.replay(stencil, platform, hosts),
        "fold": lambda: fold_trace(ring),
        "critical path": lambda: explain_trace(ring, platform, hosts),
    }


def main() -> int:
    """The exit code: 1 where a call came to anything else."""
    assert sanitized.load(), f"{sanitized.VARIABLE} names no library"
    core, wrong = library(), 0
    for name, ask in questions().items():
        core.apet_fail_at(0)
        ask()
        counts = Counter(_asked(core, ask, n) for n in range(1, min(core.apet_allocations(), MOST) + 1))
        print(f"{name}: {dict(counts)}", flush=True)
        wrong += sum(n for kind, n in counts.items() if kind not in ("answer", "refusal", "no memory"))
    return int(wrong > 0)


def _asked(core: object, ask: Callable[[], object], number: int) -> str:
    core.apet_fail_at(number)  # type: ignore[attr-defined]
    try:
        ask()
        return "answer"
    except ApetError:
        return "refusal"
    except MemoryError:
        return "no memory"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        core.apet_fail_at(0)  # type: ignore[attr-defined]


if __name__ == "__main__":
    sys.exit(main())
