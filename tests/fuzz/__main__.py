"""Reads mutated inputs with every reader of APET, and says what became of them.

    python -m tests.fuzz --inputs 10000000 --seed 1 --jobs 8 --out build/fuzz
    python -m tests.fuzz --reader platform --inputs 10000 --out build/fuzz

Each input must come to an answer or to a diagnostic, in 10 seconds and 1 GB. Others are findings: the smallest input of
each kind lies in the folder, with the end of the calls beside it. `--page` writes the counts into a page between
`<!-- fuzz -->` and `<!-- end of fuzz -->`.
"""

from __future__ import annotations

import argparse
import resource
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.core import sanitized
from tests.fuzz.campaign import Tally, run_reader
from tests.fuzz.page import put_in, summary, table
from tests.fuzz.readers import OF_THE_CORE, READERS, shares


def main(arguments: Sequence[str]) -> int:
    """The exit code: 1 if there is a finding."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--inputs", type=int, default=100_000, metavar="N", help="in all")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="the same one makes the same inputs")
    parser.add_argument("--reader", action="append", choices=list(READERS), help="this one only; may be repeated")
    parser.add_argument("--jobs", type=int, default=1, metavar="J", help="readers at once")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where findings go")
    parser.add_argument("--page", type=Path, metavar="FILE", help="a page to put the counts into")
    text = "with a C core under AddressSanitizer and UndefinedBehaviorSanitizer: readers of traces only"
    parser.add_argument("--sanitized", action="store_true", help=text)
    options = parser.parse_args(arguments)

    environment = sanitized.build(options.out.resolve() / "core") if options.sanitized else {}
    if environment is None:
        parser.error("--sanitized needs a C compiler with AddressSanitizer")
    names = options.reader or [name for name in READERS if not options.sanitized or name in OF_THE_CORE]
    chosen = {name: READERS[name] for name in names}
    with ThreadPoolExecutor(options.jobs) as pool:
        running = [
            pool.submit(run_reader, name, inputs, options.seed, options.out.resolve(), environment)
            for name, inputs in shares(options.inputs, chosen).items()
        ]
        tallies: list[Tally] = []
        for future in running:
            tallies.append(future.result())
            print(_line(tallies[-1]), file=sys.stderr, flush=True)

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{used.ru_utime + used.ru_stime:,.0f} s of CPU time", file=sys.stderr)
    print(table(tallies, options.seed))
    if options.page:
        put_in(options.page, summary(tallies, options.seed))
    return int(any(tally.counts["finding"] for tally in tallies))


def _line(tally: Tally) -> str:
    return f"{tally.reader:16} {tally.inputs:>9,} in {tally.seconds:6.1f} s, {tally.counts['finding']} findings"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
