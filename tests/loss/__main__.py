"""`python -m tests.loss --kills 1000 --seed 1`: kill every command that writes a file, and count what was lost.

With `--page docs/evidence/campaigns.md` the figures replace what stands there between the marks.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

from tests.loss.commands import COMMANDS, Command
from tests.loss.kills import FULL, SIGNALS, Reference, Report, reference, strike

WEIGHTS = {"killed": 6, "ended": 1, "interrupted": 1, FULL: 2}
BEGIN, END = "<!-- loss -->", "<!-- end of loss -->"


def main() -> int:
    """Strike in turn at every command; 1 if something was lost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slow", action="store_true", help="also what takes a JVM ten seconds")
    parser.add_argument("--page", type=Path, help="a page with marks, to write the figures into")
    options = parser.parse_args()

    report, draw = Report(), random.Random(options.seed)
    commands = [c for c in COMMANDS if not c.missing and (options.slow or not c.slow)]
    with tempfile.TemporaryDirectory() as top:
        references = {c.name: _reference(c, Path(top)) for c in commands}
        for number in range(options.kills):
            command = commands[number % len(commands)]
            kind = draw.choices([*SIGNALS, FULL], [WEIGHTS[kind] for kind in (*SIGNALS, FULL)])[0]
            strike(command, references[command.name], _folder(command, Path(top)), kind, draw, report)
            print(f"\r{number + 1} of {options.kills}, {len(report.findings)} findings", end="", file=sys.stderr)

    print(file=sys.stderr)
    text = _text(report, options.seed)
    print(text)
    for finding in report.findings:
        print(finding)
    if options.page:
        page = options.page.read_text()
        options.page.write_text(f"{page[: page.index(BEGIN)]}{BEGIN}\n{text}{page[page.index(END) :]}")
    return bool(report.findings)


def _folder(command: Command, top: Path) -> Path:
    folder = top / command.name.replace(" ", "-").replace(",", "")
    folder.mkdir(exist_ok=True)
    return folder


def _reference(command: Command, top: Path) -> Reference:
    return reference(command, _folder(command, top))


def _text(report: Report, seed: int) -> str:
    kinds = [*SIGNALS, FULL]
    lines = [f"| command | {' | '.join(kinds)} |", f"| --- |{' ---: |' * len(kinds)}"]
    for name in dict.fromkeys(name for name, _ in sorted(report.strikes)):
        lines.append(f"| {name} | {' | '.join(str(report.strikes[name, kind]) for kind in kinds)} |")
    total = sum(report.strikes.values())
    lines.append("")
    lines.append(
        f"{total} strikes, seed {seed}: {report.midway} before the command had ended by itself; "
        f"{len(report.findings)} findings."
    )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
