"""Everything that is answered about a curve at once: predictions, the published method beside them, what follows."""

from __future__ import annotations

from typing import NamedTuple

from apet.runs.largest_within import Reach
from apet.runs.measurements import Curve, Extrapolation
from apet.runs.useful_sizes import UsefulSizes


class Answered(NamedTuple):
    """`published` is None where it was chosen itself, cannot be used, or was not asked for; so are `useful` and
    `reach`."""

    curve: Curve
    found: Extrapolation
    published: Extrapolation | None = None
    useful: UsefulSizes | None = None
    reach: Reach | None = None
