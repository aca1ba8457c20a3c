"""`apet compile`: a model to formulas, in any form."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from apet.answers import formulas as forms
from apet.answers.answer import Answer
from apet.answers.formulas import named_formulas
from apet.api.any_file import needs_no_machines
from apet.api.kinds import MODEL
from apet.api.models import read
from apet.cli import answering, arguments, output, rules
from apet.cli.errors import FormulaTooLong, NotForThisFile
from apet.cli.loading import advise, compiled
from apet.cost import CostModel, deep_recursion
from apet.ground.diagnostics import ApetError
from apet.model.printer import print_model
from apet.show.formula_lines import written_size

DESCRIPTION = "Compile a model to cost formulas, and print them or the model itself."
FORMS = ("formula", "model", "sympy", "latex", "mathml", "python", "json")
FOLDED_AT = 40
MOST_TERMS = 20_000_000


def declare(parser: argparse.ArgumentParser, forms: Sequence[str] = FORMS) -> None:
    """The options of this verb."""
    arguments.model(parser)
    arguments.formulas(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--emit", choices=forms, default="formula", help="what to print (default: formula)")
    form.add_argument("--json", dest="emit", action="store_const", const="json", help="for programs: as --emit json")
    parser.add_argument("-o", "--output", metavar="F", help="write the result to a file")
    arguments.branches(parser)
    if arguments.takes(parser, MODEL):
        text = "the network to assume: a message holds the bus, ports of a switch, or nothing (default: none)"
        parser.add_argument("--network", choices=arguments.NETWORKS, default="none", help=text)
        for name in ("--branches", "--network"):
            rules.without(parser._option_string_actions[name], "--emit model")
    text = f"fold sums and maxima of more than N terms (default: {FOLDED_AT}; 0: never)"
    longest = parser.add_argument(
        "--longest", metavar="N", type=arguments.Whole(0, 10**9), default=FOLDED_AT, help=text
    )
    rules.without(longest, "--json", *(f"--emit {form}" for form in forms if form != "formula"))


def run(options: argparse.Namespace) -> None:
    """Compile and print one form."""
    output.check_writable(options.output)
    if options.emit == "model":
        _check_model(options.model)

        answering.write_text(print_model(read(options.model, options.entry)), options, "a model")
        return

    app = compiled(options, options.network)
    advise(app)
    with deep_recursion():
        form = _form(app, options)
        if isinstance(form, Answer):
            form = answering.shown(form, options)
    answering.write_text(form, options, "a formula")


def _check_model(path: str) -> None:
    """`ApetError` for files that have formulas and no model."""
    if needs_no_machines(path):
        raise ApetError(NotForThisFile(None, None, "--emit model", path, "it has formulas only: leave --emit out"))


def _form(app: CostModel, options: argparse.Namespace) -> Answer | str:
    options.json = options.emit == "json"
    if options.json:
        return forms.formulas_answer(app, graphs=True)
    _check_length(app, options)
    if options.emit == "formula":
        return forms.formulas_answer(app, options.longest or None)
    return forms.EMITTERS[options.emit](app)


def _check_length(app: CostModel, options: argparse.Namespace) -> None:
    """Refuse what would fill the memory: text repeats what a graph shares. Python source shares as the graph does."""
    if options.emit == "python" or (options.emit == "formula" and options.longest):
        return

    for name, formula in named_formulas(app).items():
        size = written_size(formula)
        if size > MOST_TERMS:
            digits = f"{size:,}" if size < 10**15 else f"about 10^{size.bit_length() * 30103 // 100000}"
            shared = "take it where shared parts stand once: --emit python or --emit json"
            advice = f"fold it: leave --longest out; or {shared}" if options.emit == "formula" else shared
            raise ApetError(FormulaTooLong(None, None, name, digits, advice))
