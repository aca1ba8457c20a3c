"""Models and machines: reading, compiling, translating."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from apet.api.arguments import BRANCHES, TOPOLOGIES, located, one_of
from apet.cost import Application, Setting, analyse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apet.java import Translation
    from apet.machine import Machines
    from apet.machine.fitted import FitReference, FittedTime
    from apet.model.terms import Model
    from apet.pasl import Outcome


def read(path: str | os.PathLike[str], entry: str | None = None, usual_level: str = "core") -> Model:
    """The model in a PAMELA-E or PASL file, or in a shipped sample of that name; `ApetError` with every mistake."""
    from apet.api.sources import read_source_model

    return read_source_model(located(path), entry, usual_level)


def compile(
    path: str | os.PathLike[str], *, entry: str | None = None, branches: str = "probability", network: str = "none"
) -> Application:
    """Compile a PAMELA-E file to formulas.

    `entry` overrides the equation to begin with; `branches` is "probability", "average", "best" or "worst"; `network`
    the topology to assume without a machine model, "bus", "switch" or "none". Raises `ApetError` with every mistake.
    """
    return analyse(read(path, entry), Setting(one_of("branches", branches, BRANCHES), _topology(network)))


def compile_text(
    text: str, name: str = "<text>", *, entry: str | None = None, branches: str = "probability", network: str = "none"
) -> Application:
    """Compile a PAMELA-E text; otherwise as `compile`."""
    from apet.ground.source import Source
    from apet.model.pamela import parse

    model = parse(Source(name, text), entry)
    return analyse(model, Setting(one_of("branches", branches, BRANCHES), _topology(network)))


def translate(
    path: str | os.PathLike[str],
    *,
    entry: str | None = None,
    level: str = "",
    parser: str = "auto",
    source_path: Sequence[str] = (),
) -> Translation | Outcome:
    """The PAMELA-E model of a PASL file, or of a Java task from `entry` (`Class.method`; else main or run).

    `level` is "core" (usual, unless a PASL file names one) or "flat" (as published), `parser` "auto", "javalang" or
    "tree-sitter". Java classes are looked for beside the file and in the folders of `source_path`. Raises `ApetError`.
    """
    from apet.api.sources import translated

    return translated(located(path), entry, level, parser, source_path)


def load_machines(name: str | os.PathLike[str]) -> Machines:
    """A machine model: a TOML file, the name of a shipped one (`"join-2005"`), or "this" for the machine at hand.

    The last is measured where the user's cache has no file that holds: about ten seconds. `ApetError` with every
    mistake.
    """
    from apet.machine import load_machines as load

    if os.fspath(name) == "this":
        from apet.java.measure.this_machine import is_this, this_machine

        if is_this(name):
            return load(this_machine())
    return load(name, _fit)


def _fit(reference: FitReference) -> FittedTime:
    from apet.api.formulas import fitted

    return fitted(reference.path, reference.method, reference.curve, reference.metric)


def _topology(network: str) -> str:
    return one_of("network", network, TOPOLOGIES)
