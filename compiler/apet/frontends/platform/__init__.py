"""Platform files: the subset of SimGrid's XML that describes clusters, zones, hosts, links and routes."""

from apet.frontends.platform.hosts import read_hostfile
from apet.frontends.platform.reader import parse_platform, read_platform

__all__ = ["parse_platform", "read_hostfile", "read_platform"]
