"""The simulator: runs a model event by event on a machine model."""

from apet.backends.simulate.costs import Costs
from apet.backends.simulate.simulation import Simulation, simulate

__all__ = ["Costs", "Simulation", "simulate"]
