"""Laws of fronts: what brute force finds, however the rows are cut, and without loss through JSON."""

from __future__ import annotations

import json
from functools import reduce
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from apet.questions.sweep.evaluator import SweepRows
from apet.questions.sweep.front import NOTHING, Digest, digest, merged
from apet.questions.sweep.summary import TIMES

ROW = st.tuples(st.integers(1, 4), st.integers(0, 5), st.booleans())


def _rows(first: int, found: list[tuple[int, int, bool]]) -> SweepRows:
    times = np.array([t for _, t, _ in found], dtype=np.float64)
    undefined = np.array([u for _, _, u in found])
    cost = np.array([c for c, _, _ in found], dtype=np.float64)
    zeros = np.zeros(len(found), dtype=np.int32)
    return SweepRows(
        first, {}, {name: times * (k + 1) / 3 for k, name in enumerate(TIMES)}, zeros, ("T0",), undefined, cost
    )


def _brute(found: list[tuple[int, int, bool]]) -> list[int]:
    kept = []
    for k, (c, t, u) in enumerate(found):
        others = [(a, b, j) for j, (a, b, v) in enumerate(found) if not v and j != k]
        beaten = any(a <= c and b <= t and ((a, b) != (c, t) or j < k) for a, b, j in others)
        if not u and not beaten:
            kept.append(k)
    return sorted(kept, key=lambda k: found[k][0])


@given(st.lists(ROW, min_size=1, max_size=30))
def test_the_front_is_what_no_other_point_beats(found: list[tuple[int, int, bool]]) -> None:
    kept = digest(_rows(0, found), "guaranteed_tmax")
    assert [f.row for f in kept.front] == _brute(found)
    assert kept.undefined == sum(u for _, _, u in found)


@given(st.lists(ROW, min_size=1, max_size=30), st.integers(1, 9), st.randoms(use_true_random=False))
def test_the_order_and_size_of_chunks_do_not_matter(
    found: list[tuple[int, int, bool]], size: int, random: Random
) -> None:
    parts = [digest(_rows(k, found[k : k + size]), "guaranteed_tmax") for k in range(0, len(found), size)]
    random.shuffle(parts)
    assert reduce(merged, parts, NOTHING) == digest(_rows(0, found), "guaranteed_tmax")


@given(st.lists(ROW, min_size=1, max_size=10))
def test_a_digest_survives_json(found: list[tuple[int, int, bool]]) -> None:
    kept = digest(_rows(5, found), "estimate_tmax")
    assert Digest.of_plain(json.loads(json.dumps(kept.plain()))) == kept


@given(st.lists(ROW, min_size=1, max_size=30))
def test_best_and_worst_are_the_first_of_the_extreme_times(found: list[tuple[int, int, bool]]) -> None:
    kept, times = digest(_rows(0, found), "guaranteed_tmax"), [(t, k) for k, (_, t, u) in enumerate(found) if not u]
    assert (kept.best is None) == (not times)
    if kept.best is not None and kept.worst is not None:
        assert kept.best.row == min(times)[1]
        assert kept.worst.row == min(times, key=lambda f: (-f[0], f[1]))[1]
