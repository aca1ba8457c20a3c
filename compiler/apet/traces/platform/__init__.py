"""Platforms: hosts, links, and the route from any host to any other; from SimGrid's XML or a machine file.

In: XML or a machine file. Out: a `Platform`, whose routes are found when first asked for.
Start at `parts` (data; SMPI's piecewise factors are `Factors`), then `reader` and `platform`.
"""

from apet.traces.platform.hosts import read_hostfile
from apet.traces.platform.reader import parse_platform, read_platform

__all__ = ["parse_platform", "read_hostfile", "read_platform"]
