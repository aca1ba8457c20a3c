"""Numbers as sums of few features: exactly where that is possible, else with the least relative error.

Among sums that explain all, the one with the fewest terms, then with the least weight, is taken. Others that explain as
much and differ where the number is wanted make its interval.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from apet.traces.extrapolate.features import Feature, FeatureTable, TracePoint, table, value_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EXACT = 1e-9
NOISE = 1e-4
"""A relative error below which more terms explain nothing."""
MOST_TERMS = 4
TRIED = 24
"""Of the sums with so many terms, how many are extended by one more, and compared."""
FEATURES, LIGHTEST = 600, 150
DEPENDENT = 1e-12
GAIN = 0.6
"""By so much one more term has to lessen the error."""
RIVALS = 1.5
"""Sums with errors up to so many times the least make the interval."""
AS_SIMPLE = 0.12
"""Features of so much more weight are rivals of those that they cannot be told from."""
CANCELS = 4.0
"""Terms that are greater, together, than so many times their sum are no explanation."""


class FeatureSum(NamedTuple):
    """Coefficients and features; the relative error (its root mean square; 0: exact), and the weight of all."""

    terms: tuple[tuple[float, Feature], ...]
    error: float

    @property
    def weight(self) -> float:
        """How little it is to be expected."""
        return sum(1 + feature.weight + _oddness(coefficient) for coefficient, feature in self.terms)

    def at(self, point: TracePoint) -> float:
        """Its value at a point."""
        return sum(coefficient * value_of(feature, point) for coefficient, feature in self.terms)


def _oddness(coefficient: float) -> float:
    return 0.0 if coefficient == 1 else 0.2 if coefficient == int(coefficient) else 0.5


class Fitted(NamedTuple):
    """A number: the sum that explains it best, and its rivals."""

    best: FeatureSum
    rivals: tuple[FeatureSum, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether it is as observed at all points."""
        return self.best.error == 0

    def range(self, point: TracePoint) -> tuple[float, float]:
        """The least and the greatest that explanations as good have there."""
        values = [each.at(point) for each in (self.best, *self.rivals)]
        spread = self.best.error * abs(values[0])
        return min(*values, values[0] - spread), max(*values, values[0] + spread)


def fitted(points: Sequence[TracePoint], numbers: Sequence[float], smooth: bool = False) -> Fitted:
    """The explanation of numbers at points; of `smooth` ones, which need none that is exact, with more terms."""
    import numpy as np

    if min(numbers) == max(numbers):
        return Fitted(FeatureSum(((numbers[0], Feature((), 0.0)),), 0.0))
    target = np.array(numbers, dtype=float)
    features = table(tuple(points))
    candidates = list(_candidates(features, target, 3 if not smooth else MOST_TERMS))
    if smooth and min(each.error for each in candidates) > 0.02:
        features = table(tuple(points), bounded=True)
        candidates += _candidates(features, target, MOST_TERMS)
    return _chosen(candidates, features)


def _chosen(candidates: Sequence[FeatureSum], features: FeatureTable) -> Fitted:
    exact = [each for each in candidates if each.error == 0]
    if exact:
        fewest = min(len(each.terms) for each in exact)
        exact = sorted((e for e in exact if len(e.terms) == fewest), key=lambda each: each.weight)
        best = exact[0]
        rivals = [e for e in exact[1:] if e.weight < best.weight + 2 * AS_SIMPLE]
        return Fitted(best, (*rivals, *_swapped(best, features)))

    def score(each: FeatureSum) -> float:
        return float(max(each.error, NOISE) / GAIN ** len(each.terms) * 1.05**each.weight)

    best = min(candidates, key=score)
    rivals = [each for each in candidates if each is not best and score(each) < RIVALS * score(best)]
    return Fitted(best, (*rivals[:TRIED], *_swapped(best, features)))


def _swapped(best: FeatureSum, features: FeatureTable) -> Iterator[FeatureSum]:
    """The same with features that no point tells from those it has, nearly as simple."""
    for number, (coefficient, feature) in enumerate(best.terms):
        others = features.others[features.features.index(feature)] if feature in features.features else []
        for ratio, other in others:
            if other.weight <= feature.weight + AS_SIMPLE:
                terms = (*best.terms[:number], (coefficient * ratio, other), *best.terms[number + 1 :])
                yield best._replace(terms=terms)


def _candidates(features: FeatureTable, target: NDArray[np.float64], most: int) -> Iterator[FeatureSum]:
    """The best sums of one feature, of two, …, by relative error."""
    import numpy as np

    scale = np.maximum(np.abs(target), 1e-3 * np.abs(target).max())
    columns = features.values[:, :FEATURES] / scale[:, None]
    wanted = target / scale
    greatest = np.abs(columns).max(axis=0)
    columns = columns / greatest
    products, with_target = columns.T @ columns, columns.T @ wanted
    weights = np.array([feature.weight for feature in features.features[:FEATURES]])

    chosen = np.zeros((1, 0), dtype=np.int64)
    everything = np.arange(columns.shape[1])
    for terms in range(1, min(most, max(1, len(np.unique(target)) - 1)) + 1):
        extended = np.column_stack([np.repeat(chosen, len(everything), axis=0), np.tile(everything, len(chosen))])
        misfit = wanted @ wanted - _explained(products, with_target, extended)
        misfit = np.maximum(misfit, 1e-13 * len(target)) * 1.2 ** weights[extended].sum(axis=1)
        order = extended[np.argsort(misfit, kind="stable")[: 4 * TRIED]]
        order = np.unique(np.sort(order, axis=1), axis=0)
        sums = list(_verified(features, columns, wanted, greatest, order))
        yield from sums
        if any(each.error == 0 for each in sums):
            return
        chosen = everything[:LIGHTEST, None] if terms == 1 else order[:TRIED]


def _explained(
    products: NDArray[np.float64], with_target: NDArray[np.float64], chosen: NDArray[np.int64]
) -> NDArray[np.float64]:
    """By choice of columns, how much of the sum of squares it explains; 0 where they depend on each other."""
    import numpy as np

    right = with_target[chosen]
    if chosen.shape[1] <= 2:  # in closed form: there are many
        first, last = chosen[:, 0], chosen[:, -1]
        a, b, d = products[first, first], products[first, last], products[last, last]
        if chosen.shape[1] == 1:
            return np.asarray(right[:, 0] ** 2 / a)
        determinant = a * d - b * b
        gain = d * right[:, 0] ** 2 - 2 * b * right[:, 0] * right[:, 1] + a * right[:, 1] ** 2
        return np.where(determinant > DEPENDENT * a * d, gain / np.maximum(determinant, DEPENDENT * a * d), 0.0)

    gram = products[chosen[:, :, None], chosen[:, None, :]]
    singular = np.abs(np.linalg.det(gram)) < DEPENDENT * np.prod(np.diagonal(gram, axis1=1, axis2=2), axis=1)
    gram[singular] = np.eye(gram.shape[1])
    solution = np.linalg.solve(gram, right[:, :, None])[:, :, 0]
    return np.where(singular, 0.0, (solution * right).sum(axis=1))


def _verified(
    features: FeatureTable,
    columns: NDArray[np.float64],
    wanted: NDArray[np.float64],
    greatest: NDArray[np.float64],
    choices: NDArray[np.int64],
) -> Iterator[FeatureSum]:
    """The sums of these columns, with their errors; without those whose terms cancel each other."""
    import numpy as np

    for choice in choices:
        part = columns[:, choice]
        solution = np.linalg.lstsq(part, wanted, rcond=None)[0]
        terms = part * solution
        errors = terms.sum(axis=1) - wanted
        exact = float(np.abs(errors).max()) <= EXACT
        error = 0.0 if exact else float(np.sqrt((errors**2).mean()))
        if not exact and float(np.abs(terms).sum(axis=1).max()) > CANCELS:
            continue
        if not exact and features.common[choice].sum() > max(1, features.traces - 1):
            continue  # passes through the mean of each trace, whatever the terms are
        pairs = zip(solution / greatest[choice], choice, strict=True)
        yield FeatureSum(tuple((_plain(float(c)), features.features[k]) for c, k in pairs if c), error)


def _plain(value: float) -> float:
    """Without what rounding adds."""
    near = Fraction(value).limit_denominator(10_000)
    return float(near) if abs(float(near) - value) <= EXACT * abs(value) else value
