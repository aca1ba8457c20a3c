"""The PAMELA-E front end: text to `Model`, and nothing else."""

from apet.frontends.pamela.parse import parse, read_model

__all__ = ["parse", "read_model"]
