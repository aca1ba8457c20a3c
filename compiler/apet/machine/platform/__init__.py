"""Platforms for the replay of traces: hosts, links, and the route from any host to any other."""

from apet.machine.platform.parts import FATPIPE, SHARED, SMPI, Factors, Host, Link, Route
from apet.machine.platform.platform import Platform

__all__ = ["FATPIPE", "SHARED", "SMPI", "Factors", "Host", "Link", "Platform", "Route"]
