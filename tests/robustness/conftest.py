"""Machines for tests of input that nobody meant."""

from __future__ import annotations

import pytest

import apet
from apet.machine import Machines


@pytest.fixture(scope="module")
def machines() -> Machines:
    two_nodes: Machines = apet.load_machines("two-nodes")
    return two_nodes
