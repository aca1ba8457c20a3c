"""`apet compile` of a trace: its bounds as formulas in speed, latency and bandwidth."""

from __future__ import annotations

import argparse

from apet import api
from apet.cli import answering, arguments, rules, trace_output, trace_settings
from apet.ground.activity import Activity
from apet.traces.report.bounds import compiled_answer

DESCRIPTION = "Print the bounds of a trace on a platform as formulas in speed, latency and bandwidth."


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    trace_settings.trace(parser)
    trace_settings.platform(parser)
    forms = ("formula", "python", "latex", "json")
    parser.add_argument("--emit", choices=forms, default="formula", help="what to print (default: formula)")
    text = "fold maxima of more terms (default: 12; 0: never)"
    longest = parser.add_argument("--longest", type=arguments.Whole(), default=12, metavar="N", help=text)
    rules.without(longest, "--json", *(f"--emit {form}" for form in forms[1:]))
    rules.without(arguments.results(parser), "--emit")


def run(options: argparse.Namespace) -> None:
    """Compile, print in one form."""
    with Activity(f"compiling {options.model}"):
        platform, hosts = trace_settings.read_platform(trace_settings.needed(options), options.hostfile, options.model)
        trace_output.warned(options.model)
        compiled = api.compile_trace(api.flat_trace(options.model, platform), platform, hosts)
        options.json = options.json or options.emit == "json"
        if options.json or options.emit == "formula":
            folded = api.fold_trace(options.model, sizes_aside=True)
            text = answering.shown(compiled_answer(compiled, folded, options.longest or None), options)
        elif options.emit == "python":
            text = compiled.lower.python("lower") + "\n\n" + compiled.upper.python("upper")
        else:
            text = f"{compiled.lower.latex()}\n\n{compiled.upper.latex()}\n"
    answering.write_text(text, options, "a formula")
