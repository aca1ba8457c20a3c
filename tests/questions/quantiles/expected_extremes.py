"""An oracle: the expected greatest of n independent times in closed form, or integrated.

The greatest of n has the distribution function F^n, so E = the integral over u in [0, 1] of n u^(n-1) Q(u), where Q is
the quantile function (H. A. David & H. N. Nagaraja, Order Statistics, 3rd ed., 2003, section 3.1). It is exact for
mixtures of uniform stretches and atoms, which is what machine files hold.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from apet.machine.spread import Piece

EULER = 0.5772156649015329


def expected_greatest(pieces: Sequence[Piece], n: float) -> float:
    """E[max] of n independent values of a mixture whose pieces ascend without overlap; n >= 1 need not be whole.

    A piece from u = c to d, x = a + s (u - c), gives (a - s c)(d^n - c^n) + s n/(n+1) (d^(n+1) - c^(n+1)).
    """
    expected, below = 0.0, 0.0
    total = math.fsum(p.weight for p in pieces)
    for k, (weight, low, high) in enumerate(pieces):
        above = 1.0 if k == len(pieces) - 1 else below + weight / total
        slope = (high - low) / (above - below) if above > below else 0.0

        # the part of the piece at its lower end, then what its slope adds
        expected += low * (above**n - below**n)
        if slope:
            expected += slope * (n / (n + 1) * (above ** (n + 1) - below ** (n + 1)) - below * (above**n - below**n))
        below = above
    return expected


def expected_greatest_exponential(mean: float, n: int) -> float:
    """E[max] of n exponential times: mean * (1 + 1/2 + … + 1/n), by its asymptotic series from n = 50 on."""
    if n < 50:
        return mean * math.fsum(1 / k for k in range(1, n + 1))
    return mean * (math.log(n) + EULER + 1 / (2 * n) - 1 / (12 * n**2) + 1 / (120 * n**4))


def expected_greatest_uniform(low: float, high: float, n: int) -> float:
    """E[max] of n uniform times: low + (high - low) n / (n + 1)."""
    return low + (high - low) * n / (n + 1)


def expected_greatest_of_samples(samples: Sequence[float], n: int) -> float:
    """E[max] of n draws with replacement: sum of x_(k) ((k/m)^n - ((k-1)/m)^n) over the m samples in order."""
    m = len(samples)
    return math.fsum(x * ((k / m) ** n - ((k - 1) / m) ** n) for k, x in enumerate(sorted(samples), 1))


def expected_greatest_normal(mean: float, deviation: float, n: float) -> float:
    """E[max] of n normal times, integrated to 8 digits; n up to 10^12."""
    import numpy as np
    from scipy.integrate import trapezoid
    from scipy.special import log_ndtr

    z = np.linspace(-12.0, 12.0, 4001)
    # By parts: E = b - the integral of F^n from a to b, where F(a) = 0 and F(b) = 1 for all practical purposes.
    return mean + deviation * (12.0 - float(trapezoid(np.exp(n * log_ndtr(z)), z)))


def greatest_of_two(
    mean: tuple[float, float], variance: tuple[float, float], correlation: float = 0.0
) -> tuple[float, float]:
    """Mean and variance of the greater of two jointly normal times (C. E. Clark, Operations Research 9, 1961, (2)-(4)).

    a² = v1 + v2 - 2 sqrt(v1 v2) rho, alpha = (m1 - m2)/a; E = m1 Φ(alpha) + m2 Φ(-alpha) + a φ(alpha).
    """
    (m1, m2), (v1, v2) = mean, variance
    a = math.sqrt(max(0.0, v1 + v2 - 2 * correlation * math.sqrt(v1 * v2)))
    if a == 0:
        return (m1, v1) if m1 >= m2 else (m2, v2)

    alpha = (m1 - m2) / a
    density = math.exp(-alpha * alpha / 2) / math.sqrt(2 * math.pi)
    left, right = (math.erfc(-s * alpha / math.sqrt(2)) / 2 for s in (1, -1))

    first = m1 * left + m2 * right + a * density
    second = (m1 * m1 + v1) * left + (m2 * m2 + v2) * right + (m1 + m2) * a * density
    return first, max(0.0, second - first * first)
