"""What requests do, as jobs: their commonest shapes, with the own times of each as they were measured."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

from apet.ground.documents.toml_strings import toml_string
from apet.queueing.measured.spans import ServiceCall

MOST_SHAPES = 8
"""Of requests of one class: parallel calls, and which services they call."""
CONTRADICTS = 3
"""Standard deviations."""
MOST_PARTS = 100
"""Of measured times: enough for p99."""
Shape = tuple[object, ...]


def job(rows: Sequence[ServiceCall], stretch: Mapping[str, float]) -> list[str]:
    """The commonest shapes of requests as a job, one of which is taken; of each the mean own times."""
    shapes = defaultdict[Shape, list[ServiceCall]](list)
    for request in rows:
        shapes[_shape(request)].append(request)
    common = sorted(shapes.values(), key=len, reverse=True)[:MOST_SHAPES]
    number = sum(map(len, common))
    lines = [f"# {number:,} of {len(rows):,} requests have one of these shapes ({len(common)})."]
    if len(common) == 1:
        return [*lines, f"job = {_tree(common[0], stretch)}"]

    chances = [round(len(alike) / number, 6) for alike in common[1:]]
    probabilities = ", ".join(f"{p:.6f}" for p in (1 - sum(chances), *chances))
    children = ", ".join(_tree(alike, stretch) for alike in common)
    return [*lines, f'job = {{ op = "O", probs = [{probabilities}], children = [{children}] }}']


def _shape(call: ServiceCall) -> Shape:
    """What requests must share to be averaged: services, and which calls are parallel."""
    return (call.station, *(tuple(sorted((_shape(c) for c in batch), key=repr)) for batch in call.batches()))


def _tree(alike: Sequence[ServiceCall], stretch: Mapping[str, float]) -> str:
    """The mean of calls of one shape: half of the own work, the calls in order, the other half; or, where own times are
    as they were measured, all of it and then the calls, so that it varies as a whole."""
    first, rows, times = alike[0], [c.batches() for c in alike], [c.own_seconds() for c in alike]
    own, shape = sum(times) / len(times) / stretch[first.station], distribution(times)
    parts = []
    for batches in zip(*rows, strict=True):
        ordered = [sorted(batch, key=lambda c: repr(_shape(c))) for batch in batches]
        branches = [_tree(same, stretch) for same in zip(*ordered, strict=True)]
        parts.append(branches[0] if len(branches) == 1 else f'{{ op = "P", children = [{", ".join(branches)}] }}')
    if not parts:
        return _task(first.station, own, shape)
    half = _task(first.station, own / 2, shape)
    children = [_task(first.station, own, shape), *parts] if "measured" in shape else [half, *parts, half]
    return f'{{ op = "S", children = [{", ".join(children)}] }}'


def distribution(times: Sequence[float]) -> str:
    """How times vary, as a file says it: nothing unless they contradict exponential ones, whose coefficient of
    variation is 1 +- 1 / sqrt(n) (M. Greenwood, J. Royal Statistical Society 109, 1946); else the means of equal parts
    of them, in order."""
    mean, number = sum(times) / len(times), len(times)
    if not mean or number < 2:
        return ""
    variation = math.sqrt(sum((t - mean) ** 2 for t in times) / (number - 1)) / mean
    if abs(variation - 1) <= CONTRADICTS / math.sqrt(number):
        return ""
    ordered, parts = sorted(times), min(number, MOST_PARTS)
    cuts = [number * i // parts for i in range(parts + 1)]
    values = (sum(ordered[i:j]) / (j - i) / mean for i, j in itertools.pairwise(cuts))
    return f', dist = {{ type = "measured", values = [{", ".join(f"{v:.3g}" for v in values)}] }}'


def _task(service: str, seconds: float, shape: str) -> str:
    step = f"station = {toml_string(service)}, demand = {seconds:.6g}{shape}"
    return f"{{ name = {toml_string(service)}, steps = [{{ {step} }}] }}"
