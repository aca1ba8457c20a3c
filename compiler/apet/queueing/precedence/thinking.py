"""What the analytic methods leave out of thinking times: how they vary about their mean.

In networks of product form only the mean matters (F. Baskett et al., JACM 22(2), 1975), and to a job that is alone.
"""

from __future__ import annotations

from apet.queueing.jobs import Scenario

LEFT_OUT = "{}: of thinking times that are not exponential the mean is taken; --simulate shows what that changes"


def left_out(scenario: Scenario) -> tuple[str, ...]:
    """A note where classes think for times that are not exponential and jobs may meet."""
    if sum(c.population for c in scenario.classes) == 1:
        return ()
    uneven = [c.name for c in scenario.classes if c.think and c.think_distribution.kind != "exp"]
    return (LEFT_OUT.format(", ".join(uneven)),) if uneven else ()
