"""Quantiles and expectations of the run time, where times of operations are known by more than their ends."""

from apet.backends.uncertainty.sampler import Sampler

__all__ = ["Sampler"]
