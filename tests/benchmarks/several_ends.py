"""Where the ends of intervals over several parameters have to lie: errors beyond the runs in units of the uncertainty.

python -m tests.benchmarks.several_ends GROUP ...

A group is what `tests.benchmarks.several` takes. Programs of one group are alike, so that the quantiles of all programs
together hold less of a new group than they should: the last line is the stretch with which every group holds its part.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from tests.benchmarks.several import INSIDE, sets_of, studies

from apet.runs.fit.surface.intervals import quantiles
from apet.runs.fit.surface.surface import fit_surface

GROUPS = tuple(Path("tests/data/several") / name for name in ("", "later", "fresh"))
DESIGNS = ("full", "cross1", "few8")
PART = 0.88
"""Of the targets of each group, under each design."""
LEVELS = (0.05, 0.5, 0.95)


def errors(group: Path, design: str) -> np.ndarray:
    """ln of the time over the blend, in units of s, of all targets beyond the runs."""
    found = list[float]()
    for study in studies(sets_of(group), design):
        fit = fit_surface(study.runs, study.targets)
        for p, true, kind in zip(fit.predictions, study.truth, study.kinds, strict=True):
            if kind not in INSIDE:
                beyond = max(v / high for v, high in zip(p.x, study.runs.largest, strict=True))
                found.append(float(np.log(true / p.t)) / p.spread + quantiles(fit.design, beyond).median)
    return np.array(found)


def main(arguments: Sequence[str]) -> None:
    """Print quantiles of each group and design, of all together, and the stretch."""
    own = {
        (str(group), design): errors(group, design)
        for group in map(Path, arguments or map(str, GROUPS))
        for design in DESIGNS
    }
    for (group, design), off in own.items():
        print(f"{group or '.':<28} {design:<7} {len(off):>4} targets", *(f"{q:6.2f}" for q in np.quantile(off, LEVELS)))
    low, _, high = np.quantile(np.concatenate([*own.values()]), LEVELS)
    needed = [np.quantile(np.maximum(off / low, off / high), PART) for off in own.values()]
    stretch = max(1.0, *needed)
    ends = f"{stretch * low:.1f} and {stretch * high:.1f}"
    print(f"together {low:.2f} and {high:.2f}; stretched by {stretch:.2f}: {ends}")


if __name__ == "__main__":
    main(sys.argv[1:])
