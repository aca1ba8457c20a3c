"""`apet compile` of a queueing network: its formulas in the demands, or a picture of the network."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from apet import api
from apet.cli import answering, rules
from apet.cli import compile as any_compile
from apet.cli.errors import FormulaTooLong, WrongCall
from apet.cli.queue import METHODS, result
from apet.cli.version import version
from apet.formula import Formula
from apet.ground.activity import Activity
from apet.ground.diagnostics import ApetError
from apet.queueing.data.layers import Layered
from apet.queueing.data.problems import Uncertain
from apet.queueing.read import QueueFile
from apet.queueing.report.formulas import EMITTERS
from apet.show.formula_lines import written_size

DESCRIPTION = """Print formulas of a queueing network in its demands: of all quantities, or of one (--of); or draw the
network (--emit svg)."""
FORMS = ("formula", "sympy", "latex", "mathml", "python", "json", "svg")
MOST_TERMS = 20_000


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    any_compile.declare(parser, FORMS)
    rules.needs(parser._option_string_actions["--longest"], "--of")


def run(options: argparse.Namespace) -> None:
    """Read, compile, print."""
    if options.emit != "svg" and (options.of or options.emit not in EMITTERS):
        any_compile.run(options)
        return
    file = api.read_queue(options.model)
    method = file.method if file.method in METHODS else "auto"
    with Activity(f"compiling {file.name}"):
        text = _picture(file, method) if options.emit == "svg" else _formulas(file, options.emit)
    answering.write_text(text, options, "a formula or network")


def _picture(file: QueueFile, method: str) -> str:
    from apet.queueing.report.network_picture import network_picture

    problem = file.problem.low if isinstance(file.problem, Uncertain) else file.problem
    if method == "bounds" or isinstance(problem, Layered):
        advice = "leave the method of the file out" if method == "bounds" else "apet predict has the figures of layers"
        raise ApetError(WrongCall(None, None, "--emit svg draws networks and jobs with their means", advice))
    return network_picture(file.name, problem, result(problem, method))


def _formulas(file: QueueFile, form: str) -> str:
    symbolic = api.queue_formulas(file.problem)
    formulas, values = symbolic.formulas, symbolic.values
    if form != "python":
        _check_length(formulas)
    return EMITTERS[form](file.name, formulas, values, version())


def _check_length(formulas: Mapping[str, Formula]) -> None:
    """Refuse what would fill pages: text repeats what a graph shares. Python source shares as the graph does."""
    for name, formula in formulas.items():
        size = written_size(formula)
        if size > MOST_TERMS:
            digits = f"{size:,}" if size < 10**12 else f"about 10^{size.bit_length() * 30103 // 100000}"
            raise ApetError(
                FormulaTooLong(None, None, name, digits, "take fewer jobs, or source that shares parts: --emit python")
            )
