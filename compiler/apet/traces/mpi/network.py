"""What messages cost, measured by ping-pong and fitted by pieces.

The model is that of SMPI (P. Bédaride et al., 2013): T(n) = a_k + b_k (n + 16) for the piece k that n + 16 bytes lie
in; as factors of one latency L and one bandwidth B, a_k = lat_k L and b_k = 1 / (bw_k B). Pieces are found by dynamic
programming over all breakpoints (R. Bellman, 1961): the least sum of squared relative errors; their number is the one
of the least BIC (G. Schwarz, 1978), or breakpoints are given.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.traces.mpi import building, errors
from apet.traces.mpi.flavours import Mpi
from apet.traces.mpi.running import run_for_output

HEADER = 16
MOST_PIECES = 10
LEAST_SIZES = 4
"""Sizes that a piece has at least."""
STEEPEST = 1e6
"""Greatest factor of the bandwidth: where time does not grow with size."""

Sample = tuple[int, float]
"""Bytes and seconds, one way."""


class SizeRange(NamedTuple):
    """Seconds `fixed + per_byte (n + 16)` for n + 16 above `above`; the greatest relative error over its samples."""

    above: int
    fixed: float
    per_byte: float
    worst: float


class NetworkFit(NamedTuple):
    """The pieces of a network, by size, and what they were fitted to."""

    pieces: tuple[SizeRange, ...]
    samples: tuple[Sample, ...]

    @property
    def latency(self) -> float:
        """Seconds: what the first piece costs without bytes; the factor of its latency is 1."""
        return self.pieces[0].fixed or self.samples[0][1]

    @property
    def bandwidth(self) -> float:
        """Bytes per second of the last piece; the factor of its bandwidth is 1."""
        steep = [p.per_byte for p in self.pieces if p.per_byte > 0]
        return 1 / steep[-1] if steep else STEEPEST / self.latency

    @property
    def factors(self) -> list[tuple[int, float, float]]:
        """Threshold, factor of the latency, factor of the bandwidth."""
        whole = self.bandwidth
        return [
            (p.above, p.fixed / self.latency, min(STEEPEST, 1 / (p.per_byte * whole)) if p.per_byte else STEEPEST)
            for p in self.pieces
        ]

    def seconds(self, size: int) -> float:
        """What a message of this many bytes takes."""
        piece = self.pieces[0]
        for each in self.pieces:
            if each.above < size + HEADER:
                piece = each
        return piece.fixed + piece.per_byte * (size + HEADER)

    @property
    def spread(self) -> tuple[float, float]:
        """By how much nine of ten samples take longer at most, and at least, than the fit; not below and above 1."""
        ratios = sorted(t / self.seconds(n) for n, t in self.samples)
        outside = len(ratios) // 20
        return max(1.0, ratios[-1 - outside]), min(1.0, ratios[outside])

    @property
    def error(self) -> float:
        """Median relative error over all samples."""
        return statistics.median(abs(self.seconds(n) / t - 1) for n, t in self.samples)


def sizes_to_measure(most: int, number: int) -> list[int]:
    """Sizes from 1 byte on, evenly spread in their logarithm, moved off powers of two by up to a tenth."""
    ratio = most ** (1 / (number - 1))
    sizes = {1, most}
    for k in range(1, number - 1):
        sizes.add(max(1, round(ratio**k * (1 + 0.1 * math.sin(7.0 * k)))))
    return sorted(s for s in sizes if s <= most)


def measure(mpi: Mpi, ranks: int, sizes: Sequence[int], passes: int, limit: float) -> list[Sample]:
    """Seconds by size, one way between the first and the last rank, undisturbed."""
    program = str(building.pingpong(mpi))
    output = run_for_output(mpi.start(ranks, {}, (program, str(passes), *map(str, sizes))), limit)
    least: dict[int, float] = {}
    for size, seconds in read_lines(output):
        least[size] = min(seconds, least.get(size, seconds))
    return sorted(least.items())


def read_samples(text: str) -> list[Sample]:
    """Lines `BYTES SECONDS`, with `#` for comments; equal sizes become their median. `ApetError`."""
    times_by_size: dict[int, list[float]] = {}
    for size, seconds in read_lines(text):
        times_by_size.setdefault(size, []).append(seconds)
    return [(size, statistics.median(times)) for size, times in sorted(times_by_size.items())]


def read_lines(text: str) -> list[Sample]:
    """Sizes and seconds as they stand; `ApetError` for other lines, and for too few sizes."""
    samples = list[Sample]()
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            size, seconds = int(words[0]), float(words[1])
        except (ValueError, IndexError):
            size, seconds = -1, 0.0
        if len(words) != 2 or size < 0 or not 0 < seconds < math.inf:
            _refuse(f"line {number} is no size with seconds")
        samples.append((size, seconds))
    sizes = len({size for size, _ in samples})
    if sizes < 2 * LEAST_SIZES:
        _refuse(f"{sizes} sizes, but {2 * LEAST_SIZES} are needed")

    return samples


def _refuse(reason: str) -> None:
    raise ApetError(errors.NoPingPong(None, None, reason))


def fit(samples: Sequence[Sample], breaks: Sequence[int] | None = None) -> NetworkFit:
    """The pieces of a network. `breaks` are the sizes where pieces end; without them they are found."""
    ordered = tuple(sorted(samples))
    if breaks is not None:
        cuts = [0, *sorted({sum(n <= b for n, _ in ordered) for b in breaks} - {0, len(ordered)}), len(ordered)]
    else:
        cuts = _best_cuts(ordered)
    pieces = [_piece(ordered[low:high], ordered[low - 1][0] + HEADER if low else 0) for low, high in pairwise(cuts)]
    return NetworkFit(tuple(pieces), ordered)


def _best_cuts(samples: Sequence[Sample]) -> list[int]:
    number = len(samples)
    error = {
        (low, high): _squares(samples[low:high], *_line(samples[low:high]))
        for low in range(number)
        for high in range(low + LEAST_SIZES, number + 1)
    }
    best: list[dict[int, tuple[float, list[int]]]] = [{0: (0.0, [0])}]
    for _ in range(min(MOST_PIECES, number // LEAST_SIZES)):
        row: dict[int, tuple[float, list[int]]] = {}
        for high in range(LEAST_SIZES, number + 1):
            options = [
                (total + error[low, high], [*cuts, high])
                for low, (total, cuts) in best[-1].items()
                if high - low >= LEAST_SIZES
            ]
            if options:
                row[high] = min(options)
        best.append(row)

    candidates = [(row[number], pieces) for pieces, row in enumerate(best) if number in row]
    floor = 1e-4**2 * number

    def criterion(candidate: tuple[tuple[float, list[int]], int]) -> float:
        (squares, _), pieces = candidate
        return number * math.log(max(squares, floor) / number) + 3 * pieces * math.log(number)

    return min(candidates, key=criterion)[0][1]


def _line(samples: Sequence[Sample]) -> tuple[float, float]:
    """Fixed seconds and seconds per byte of the least squared relative errors, neither below 0."""
    weights = [1 / t**2 for _, t in samples]
    total = sum(weights)
    x = [n + HEADER for n, _ in samples]
    mean_x = sum(w * v for w, v in zip(weights, x, strict=True)) / total
    mean_t = sum(w * t for w, (_, t) in zip(weights, samples, strict=True)) / total
    spread = sum(w * (v - mean_x) ** 2 for w, v in zip(weights, x, strict=True))
    along = sum(w * (v - mean_x) * (t - mean_t) for w, v, (_, t) in zip(weights, x, samples, strict=True))
    slope = along / spread if spread else 0.0
    if slope <= 0:
        return mean_t, 0.0
    fixed = mean_t - slope * mean_x
    if fixed >= 0:
        return fixed, slope

    square = sum(w * v * v for w, v in zip(weights, x, strict=True))
    return 0.0, sum(w * v * t for w, v, (_, t) in zip(weights, x, samples, strict=True)) / square


def _squares(samples: Sequence[Sample], fixed: float, per_byte: float) -> float:
    return sum(((fixed + per_byte * (n + HEADER)) / t - 1) ** 2 for n, t in samples)


def _piece(samples: Sequence[Sample], above: int) -> SizeRange:
    fixed, per_byte = _line(samples)
    worst = max(abs((fixed + per_byte * (n + HEADER)) / t - 1) for n, t in samples)
    return SizeRange(above, fixed, per_byte, worst)
