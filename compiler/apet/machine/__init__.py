"""The machine model: what operations and messages cost where, which processors are used, who gets how many tasks.

In: a TOML text. Out: `Machines`; with a number of processors a `Configuration`.
Start at `machines` (data), then `loader` (from text) and `configuration` (a choice of processors).
"""

from apet.machine.configuration import Configuration, Processors
from apet.machine.files import load_machines, shipped_machines
from apet.machine.loader import parse_machines
from apet.machine.machines import MachineGroup, Machines
from apet.machine.network import End, MachineLink, MachineNetwork, MissingNetwork, Topology

__all__ = [
    "Configuration",
    "End",
    "MachineGroup",
    "MachineLink",
    "MachineNetwork",
    "Machines",
    "MissingNetwork",
    "Processors",
    "Topology",
    "load_machines",
    "parse_machines",
    "shipped_machines",
]
