"""`apet validate`: predicted beside measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

DESCRIPTION = """Run kernels in several JVMs on this machine, predict them from their source and a machine file, and
show both. A kernel is a class `extends Kernel` with setup(int n) and double run(); only run() is timed, as warm CPU
time of its thread. Trip counts and branch probabilities come from an instrumented run at the same size."""
LEVELS = ("core", "flat")
MODES = ("C2", "C1", "Xint")


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    from apet.cli import arguments, pictures

    parser.add_argument("kernels", metavar="KERNEL.java", nargs="+", help="a file with a class that extends Kernel")
    parser.add_argument("--sizes", metavar="S.json", required=True, help='sizes by class: {"axpy": [1000, 200000]}')
    arguments.machines(parser)
    text = "core: loops as a compiled program runs them (default); flat: counts of operations, as published"
    parser.add_argument("--level", choices=LEVELS, help=f"{text} (the default for Xint)")
    parser.add_argument("--mode", choices=MODES, help="how the JVM runs (default: as the machine file was measured)")
    parser.add_argument("--profile", action="store_true", help="count mispredictions with a simulated predictor")
    parser.add_argument("--forks", metavar="N", default="5", help="JVMs for each point (default: 5)")
    parser.add_argument(
        "--limit", metavar="S", default="120", help="seconds after which a run is stopped (default: 120)"
    )
    parser.add_argument("--json", action="store_true", help="for programs: JSON")
    parser.add_argument("-o", "--output", metavar="F", help="write the result to a file")
    pictures.option(parser, "measured times in their intervals")


def run(options: argparse.Namespace) -> None:
    """Measure, predict, show."""
    from apet import driver
    from apet.cli import arguments, output, pictures, progress
    from apet.cli.java_runs import validated
    from apet.report.validation_report import validation_figure, validation_json, validation_text

    output.check_writable(options.output)
    pictures.check(options.plot)
    machines = driver.load_machines(options.machines)
    forks, limit = max(1, arguments.whole("--forks", options.forks)), arguments.whole("--limit", options.limit)
    found = validated(
        options.kernels,
        options.sizes,
        machines,
        options.level,
        options.mode,
        options.profile,
        forks,
        float(limit),
        progress.show,
    )
    title = f"{machines.name}: {'profiled' if options.profile else 'static'}, {forks} JVMs for each point"
    if options.plot:
        pictures.deliver(validation_figure(found, title), options.plot)
    output.deliver(validation_json(found) if options.json else validation_text(found, title), options.output)
