"""Replay of time-independent traces on a platform, event by event, with the cost model of SimGrid's SMPI."""

from apet.backends.replay.run import replay

__all__ = ["replay"]
