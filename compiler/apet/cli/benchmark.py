"""`apet benchmark`: what operations cost on this machine."""

from __future__ import annotations

import argparse
import json

from apet import api
from apet.cli import output, rules
from apet.cli.errors import bad_option
from apet.ground import activity
from apet.ground.diagnostics import ApetError
from apet.java import errors
from apet.java.jvm import find_jdk
from apet.java.measure.checking import check
from apet.java.measure.machine_text import machine_text, network_text
from apet.java.measure.measuring import measure
from apet.java.measure.messages import Peer, measure_network, parsed_peer, serve
from apet.java.measure.sampling import NORMAL, QUICK

DESCRIPTION = """Measure what operations of Java or C cost on this machine, and write a machine file: arithmetic by
type, units of a core, memory levels, mispredictions, calls, allocation, library calls, and messages of Java. Needs a
JDK, or a C compiler; takes a minute."""
MODES = {"java": ("C2", "C1", "Xint"), "c": ("O2", "O0")}
BESIDE = {"--serve": ("-h", "--help"), "--check": ("-h", "--help", "--json")}
"""What goes with an option that replaces measuring."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("-o", "--output", metavar="F.toml", help="write the machine file (default: print it)")
    parser.add_argument("--quick", action="store_true", help="about ten seconds instead of a minute; less exact")
    text = "the language whose operations are measured (default: java)"
    parser.add_argument("--language", choices=tuple(MODES), default="java", help=text)
    text = "how the JVM runs programs: optimised (C2, default), lightly compiled (C1) or interpreted (Xint); how a C "
    text += "compiler builds them: -O2 (O2, default) or -O0 (O0)"
    parser.add_argument("--mode", choices=[mode for modes in MODES.values() for mode in modes], help=text)
    text = "measure messages to another host, where 'apet benchmark --serve PORT' runs (default: the loopback)"
    parser.add_argument("--peer", metavar="HOST:PORT", help=text)
    text = "answer the message tests of other hosts at a port (0: any), until interrupted"
    parser.add_argument("--serve", metavar="PORT", help=text)
    parser.add_argument("--network", action="store_true", help="measure messages only: print a [network] table")
    parser.add_argument("--json", action="store_true", help="for programs: the content of the file as JSON")
    parser.add_argument("--check", metavar="FILE", help="say whether a machine file still describes this machine")
    for name, action in parser._option_string_actions.items():
        rules.without(
            action, *(other for other in ("--serve", "--check") if name != other and name not in BESIDE[other])
        )


def run(options: argparse.Namespace) -> int:
    """Measure and write; with `--check`, compare and return 0 (as the file says) or 2."""
    if options.check:
        return _check(options)
    if options.serve is not None:
        return _serve(options.serve)

    output.check_writable(options.output)
    options.mode = options.mode or MODES[options.language][0]
    if options.mode not in MODES[options.language]:
        raise ApetError(
            bad_option("--mode", options.mode, f"of {options.language} it is {' or '.join(MODES[options.language])}")
        )
    if options.language == "c" and (options.peer or options.network):
        raise ApetError(bad_option("--language", "c", "messages are measured between JVMs"))
    peer = parsed_peer(options.peer) if options.peer else None
    if options.network:
        return _network(options, peer)

    if options.language == "c":
        from apet.c.measure import measuring

        content = measuring.measure(options.mode, options.quick, activity.report)
    else:
        content = measure(options.mode, options.quick, activity.report, peer).content
    if options.json:
        text = json.dumps(content, indent=1)
    else:
        text = machine_text(content)
    output.write_result(text, options.output)
    if options.output and options.output != "-":
        count = sum("*" not in name for name in content["machine"][0]["op_s"])
        output.warn(f"{options.output}: {count} operations of {content['provenance']['cpu']}, {options.mode}")
    return 0


def _serve(text: str) -> int:
    if not text.isdecimal() or int(text) >= 65536:
        raise ApetError(errors.BadPort(None, None, text))

    def announce(port: int) -> None:
        output.warn(f"answering at port {port}; on the other host: apet benchmark --peer THIS-HOST:{port}")

    serve(find_jdk(), int(text), "*", announce)
    return 0


def _network(options: argparse.Namespace, peer: Peer | None) -> int:
    """Only the `[network]` of a machine file."""
    repetitions = (QUICK if options.quick else NORMAL).messages
    figures = measure_network(find_jdk(), options.mode, repetitions, peer)
    if options.json:
        text = json.dumps({"network": figures}, indent=1)
    else:
        text = network_text(figures)
    output.write_result(text, options.output)
    return 0


def _check(options: argparse.Namespace) -> int:
    comparison = check(api.load_machines(options.check), activity.report)
    if options.json:
        facts = [{"what": what, "file": file, "now": now} for what, file, now in comparison.facts]
        operations = [d._asdict() for d in comparison.operations]
        output.show(json.dumps({"same": comparison.same, "facts": facts, "operations": operations}, indent=1))
        return 0 if comparison.same else 2

    lines = [f"{options.check} {'still describes' if comparison.same else 'no longer describes'} this machine"]
    lines += [f"  {what}: {file} in the file, {now} now" for what, file, now in comparison.facts]
    lines += [f"  {d.operation}: {d.file_s:.3g} s in the file, {d.now_s:.3g} s now" for d in comparison.operations]
    lines.append(f"  {comparison.compared - len(comparison.operations)} of {comparison.compared} operations agree")
    output.show("\n".join(lines))
    return 0 if comparison.same else 2
