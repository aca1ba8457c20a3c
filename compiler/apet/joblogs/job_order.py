"""Which jobs a job waited for: the interval order of what was observed.

B follows A where A ended before B started. Of those, only the ones matter that ended after the latest start among
them: the others had ended before one of these began (P. C. Fishburn, 1970, on interval orders). Jobs that overlapped
are independent.
"""

from __future__ import annotations

from collections.abc import Sequence

from apet.joblogs.job_log import LoggedJob


def job_order(jobs: Sequence[LoggedJob]) -> list[list[int]]:
    """By place of a job, the places of those that it waited for; jobs are in the order of their start. Jobs that waited
    for the same ones share one list."""
    by_end = sorted(range(len(jobs)), key=lambda place: (jobs[place].end, place))
    ended, latest_start, near = 0, -1, list[int]()
    before = list[list[int]]()
    for place, job in enumerate(jobs):
        new = list[int]()
        while ended < len(by_end) and jobs[by_end[ended]].end <= job.start:
            over = by_end[ended]
            if over >= place:  # an empty job of the same millisecond
                break
            new.append(over)
            latest_start = max(latest_start, jobs[over].start)
            ended += 1
        if new:
            near = [over for over in (*near, *new) if jobs[over].end > latest_start or over == new[-1]]
        before.append(near)

    return before
