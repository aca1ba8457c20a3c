"""Quantiles and expectations of the run time, where times of operations are known by more than their ends.

In: an application on machines with distributions. Out: an `Uncertainty`, in seconds.
Start at `sampler` (draws); `independent` is for executions that take a time each of their own.
"""

from apet.questions.quantiles.sampler import Sampler

__all__ = ["Sampler"]
