"""Draw programs, run them under many schedules, and compare with what is guaranteed.

    python -m tests.laws --programs 1000000 --seed 1 --out build/laws.json

draws a million programs with the seeds 1 to 1000000 on all cores and writes seed, counts and findings as JSON; seeds
that contradict the law are printed as they are met. With `--page docs/evidence/campaigns.md` the counts also go between
that page's markers. Exit status 1: something contradicts.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "compiler")]

from tests.laws.campaign import Counterexample, Tally, findings, tallies  # noqa: E402  # the path is set above
from tests.laws.trust_page import counts_table, with_counts  # noqa: E402


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the campaign that the arguments describe."""
    parser = argparse.ArgumentParser(prog="python -m tests.laws", description=__doc__.partition("\n")[0])
    parser.add_argument("--programs", type=int, default=20_000, metavar="N", help="how many (default: 20000)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="the seed of the first (default: 1)")
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="processes (default: cores)"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write seed, counts and findings as JSON")
    parser.add_argument("--page", type=Path, metavar="FILE", help="put the counts between the markers of this page")
    parser.add_argument("--first", action="store_true", help="stop at the first contradiction, and shrink nothing")
    options = parser.parse_args(arguments)

    began, counts = time.monotonic(), Tally()
    for block in tallies(options.programs, options.seed, options.workers):
        counts.add(block)
        for kind, seeds in block.seeds.items():
            print(f"\r{kind}: seed {', '.join(map(str, seeds))}", file=sys.stderr)
        if options.first and counts.kinds:
            return 1
        print(f"\r{counts.programs:,} of {options.programs:,}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    shown = findings(counts)

    report = _report(counts, shown, options.seed, time.monotonic() - began)
    if options.out is not None:
        options.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    if options.page is not None:
        page = options.page.read_text(encoding="utf-8")
        options.page.write_text(with_counts(page, counts_table(report)), encoding="utf-8")
    print(counts_table(report))
    print("\n".join(map(str, shown)), end="")
    return int(bool(counts.kinds))


def _report(counts: Tally, shown: Sequence[Counterexample], seed: int, seconds: float) -> dict[str, object]:
    return {
        "seed": seed,
        "programs": counts.programs,
        **{outcome: counts.outcomes[outcome] for outcome in ("predicted", "refused", "too long to run")},
        "schedules": counts.schedules,
        "seconds": round(seconds, 1),
        "contradictions": dict(counts.kinds.most_common()),
        "seeds": counts.seeds,
        "findings": [
            {"kind": f.kind, "seed": f.seed, "text": str(f.program), "full": str(f), "figures": f.figures}
            for f in shown
        ],
    }


if __name__ == "__main__":
    sys.exit(main())
