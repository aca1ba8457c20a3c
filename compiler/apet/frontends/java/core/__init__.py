"""The core level: what a compiled loop costs on a processor core, as a parallel section over the core's units."""

from apet.frontends.java.core.writer import core_text

__all__ = ["core_text"]
