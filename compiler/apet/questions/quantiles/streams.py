"""Random numbers that depend on a seed, a name and a place only: the same however the draws are cut into chunks.

Philox is a counter-based generator (J. K. Salmon et al., SC 2011): its key is made of seed and name, its counter of the
place, so any stretch of any stream can be made alone.
"""

from __future__ import annotations

from collections.abc import Hashable
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

PER_COUNT = 4
"""Numbers of 64 bits that Philox gives per count."""


class Streams:
    """One endless stream of uniform numbers in (0, 1) per name."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._philox = np.random.Philox(key=0)
        self._generator = np.random.Generator(self._philox)
        self._keys: dict[Hashable, NDArray[np.uint64]] = {}

    def uniform(self, name: Hashable, start: int, count: int) -> NDArray[np.float64]:
        """The numbers start, …, start + count - 1 of a stream; `start` is a multiple of 4."""
        state: Any = {
            "bit_generator": "Philox",
            "state": {"counter": np.array([start // PER_COUNT, 0, 0, 0], dtype=np.uint64), "key": self._key(name)},
            "buffer": np.zeros(PER_COUNT, dtype=np.uint64),
            "buffer_pos": PER_COUNT,
            "has_uint32": 0,
            "uinteger": 0,
        }

        self._philox.state = state
        # 53 bits in [0, 1), moved into the middle of their cell: neither end is ever met.
        return self._generator.random(count) + 2.0**-54

    def _key(self, name: Hashable) -> NDArray[np.uint64]:
        key = self._keys.get(name)
        if key is None:
            digest = blake2b(repr((self.seed, name)).encode(), digest_size=16).digest()
            key = self._keys[name] = np.frombuffer(digest, dtype=np.uint64)
        return key
