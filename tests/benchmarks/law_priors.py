"""Prior weights of what laws leave over, from runs: the mixture under which these are likeliest.

python -m tests.benchmarks.law_priors

The runs are those of measured curves (`tests/data/scaling`, as the protocols choose them) and of as many drawn laws, of
each noise a third. The weight of a class is its mean probability, found by expectation and maximisation (A. P.
Dempster, N. M. Laird and D. B. Rubin, 1977); trends have one weight for each deviation, noise and discount.

Weights under which runs are likeliest are not those that predict best what is beyond them, where programs leave their
law: the figures of both stand below, on the curves and on laws of another seed. Those in use are chosen by these.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray
from tests.benchmarks.laws import NOISES, SEED, known_laws
from tests.benchmarks.protocols import Task, judged, tasks

from apet.runs.fit.laws import averaged
from apet.runs.fit.laws.averaged import fitted
from apet.runs.fit.laws.evidence import DEVIATIONS, DISCOUNTS, PURE, Residuals, classes
from apet.runs.fit.laws.evidence import NOISES as NOISES_OF_TRENDS
from apet.runs.fit.methods import extrapolate
from apet.runs.measurements import Curve

Array = NDArray[np.float64]
ROUNDS = 200
CURVES = 40
PARTS = ("deviation", "noise", "discount")
LEAST = 0.5
"""Curves that a class has at least: one that no curve needs may be needed by the next."""


def priors(kind: str) -> dict[str, dict[float, float]]:
    """Logarithms of weights by what they belong to; the likeliest pure law and the likeliest trend have 0."""
    measured = [task.curve for task in tasks(kind)]
    drawn = [known.task.curve for noise in NOISES for known in known_laws(SEED, kind, noise, len(measured) // 3)]
    likelihoods = np.array([by_class(curve) for curve in (*measured, *drawn)])
    own, pure = classes(kind), len(PURE[kind])
    weights = np.full(len(own), 1 / len(own))
    for _ in range(ROUNDS):
        shares = likelihoods * weights
        counts = (shares / shares.sum(axis=1, keepdims=True)).sum(axis=0)
        weights = np.concatenate([_smoothed(counts[:pure]), _product(own[pure:], counts[pure:])])

    trends = own[pure:]
    return {
        "pure": _shown({r.noise: float(w) for r, w in zip(own[:pure], weights[:pure], strict=True)}),
        **{f"{name}s": _shown(_marginal(trends, weights[pure:], name)) for name in PARTS},
        "pure to trends": {0.0: round(math.log(weights[:pure].sum() / weights[pure:].sum()), 1)},
    }


def by_class(curve: Curve) -> Array:
    """The likelihood of the runs under each class, over all structures, up to a factor."""
    laws, own = fitted(curve), classes(curve.kind)
    weights = np.bincount(laws.kernels, weights=laws.weights, minlength=len(own))
    found = weights / np.exp([r.prior for r in own])
    return np.asarray(found / found.sum())


def _smoothed(counts: Array) -> Array:
    return np.asarray(np.maximum(counts, LEAST))


def _product(trends: Sequence[Residuals], counts: Array) -> Array:
    """Weights of trends as products, whose sum is that of the counts."""
    marginals = [_marginal(trends, counts, name) for name in PARTS]
    weights = np.array(
        [math.prod(m[getattr(r, name)] for name, m in zip(PARTS, marginals, strict=True)) for r in trends]
    )
    return np.asarray(weights / weights.sum() * max(float(counts.sum()), LEAST))


def _marginal(trends: Sequence[Residuals], counts: Array, name: str) -> dict[float, float]:
    sums = dict[float, float]()
    for r, count in zip(trends, counts, strict=True):
        sums[getattr(r, name)] = sums.get(getattr(r, name), 0.0) + float(count)
    return {value: max(total, LEAST) for value, total in sums.items()}


def _shown(weights: dict[float, float]) -> dict[float, float]:
    most = max(weights.values())
    return {value: round(math.log(weight / most), 1) for value, weight in weights.items()}


def use(kind: str, found: dict[str, dict[float, float]]) -> None:
    """Let laws have these weights."""
    trends = [DEVIATIONS, NOISES_OF_TRENDS, DISCOUNTS]
    for table, name in zip(trends, PARTS, strict=True):
        table[kind] = found[f"{name}s"]
    of_trends = math.prod(sum(math.exp(w) for w in table[kind].values()) for table in trends)
    raised = found["pure to trends"][0.0] + math.log(of_trends / sum(math.exp(w) for w in found["pure"].values()))
    PURE[kind] = {noise: weight + raised for noise, weight in found["pure"].items()}
    averaged._fitted.cache_clear()


def figures(of: Sequence[Task]) -> str:
    """Errors, coverage and width of predictions."""
    found = [extrapolate(task.curve, task.n).predictions for task in of]
    times, low, high, spread = (
        [[float(get(p)) for p in own] for own in found]
        for get in (attrgetter("t"), attrgetter("interval.lo"), attrgetter("interval.hi"), attrgetter("spread"))
    )
    f = judged(times, low, high, spread, of)
    return f"{f.median:.1f} / {f.mean:.1f} / {f.high:.1f} %, covers {f.coverage:.0%}, width {f.width:.2f}"


def compare(kind: str, name: str) -> None:
    """Print the figures with the weights as they are."""
    print(f"{kind:<6} {name:<15} measured curves: {figures(list(tasks(kind)))}", flush=True)
    for noise in NOISES:
        drawn = [known.task for known in known_laws(SEED + 1, kind, noise, CURVES)]
        print(f"{kind:<6} {name:<15} laws, noise {noise}: {figures(drawn)}", flush=True)


if __name__ == "__main__":
    for kind in ("size", "procs"):
        compare(kind, "in use")
        printed = priors(kind)
        for name, found in printed.items():
            print(f"{kind:<6} {name:<15} {found}")
        use(kind, printed)
        compare(kind, "as printed")
