"""Mutations that coverage guides: inputs that reach new branches of a reader are kept and changed further.

    python -m tests.fuzz.guided READER [--inputs 100000] [--seconds 600] [--out build/fuzz-guided]

needs atheris, the fuzzer of Google on libFuzzer (`pip install "apet[fuzz]"`). The folder keeps the corpus of each
reader, which the next run begins with, and the findings with what they show. Exit status 1: something was found.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.fuzz.readers import FuzzedReader

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "compiler")]
LONGEST = 20_000
"""Bytes of an input."""


def main() -> int:
    """Run the readers that the arguments name, one after the other, each in a process of its own."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.guided", description=__doc__.partition("\n")[0])
    parser.add_argument("readers", nargs="+", metavar="READER", help="names of tests/fuzz/readers.py, or all")
    parser.add_argument("--inputs", type=int, default=100_000, metavar="N", help="for each (default: 100000)")
    parser.add_argument("--seconds", type=int, default=600, metavar="N", help="for each, at most (default: 600)")
    parser.add_argument("--out", type=Path, default=Path("build/fuzz-guided"), metavar="DIR")
    options = parser.parse_args()

    from tests.fuzz.readers import READERS

    names = list(READERS) if options.readers == ["all"] else options.readers
    for name in names:
        command = [sys.executable, "-m", "tests.fuzz.guided", "--one", name, str(options.out.resolve())]
        limits = [f"-runs={options.inputs}", f"-max_total_time={options.seconds}"]
        options.out.mkdir(parents=True, exist_ok=True)
        with open(options.out / f"{name}.log", "w", encoding="utf-8") as log:
            subprocess.run([*command, *limits], check=False, cwd=ROOT, stdout=log, stderr=log)
        print(f"{name}: {_executed(options.out / f'{name}.log')}", flush=True)

    findings = sorted(options.out.glob("*.txt"))
    print("\n".join([f"{len(findings)} findings", *map(str, findings)]))
    return int(bool(findings))


def _executed(log: Path) -> str:
    """What libFuzzer says at its end: how many inputs, and how many of them reached something new."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    wanted = ("stat::number_of_executed_units", "stat::new_units_added")
    numbers = [line.rpartition(" ")[2] for line in lines if line.startswith(wanted)]
    return f"{numbers[0]} inputs, {numbers[1]} of them reached something new" if len(numbers) == 2 else f"ended: {log}"


def guide(name: str, out: Path, limits: list[str]) -> None:
    """Hand a reader to libFuzzer, which ends the process."""
    import atheris

    with atheris.instrument_imports(include=["apet"]):
        from tests.fuzz.readers import READERS

        reader = READERS[name]
        samples = [content[:LONGEST] for content in reader.samples()]
        _warm(reader, samples)
    from tests.fuzz.trial import outcome
    from tests.fuzz.worker import beside, file_name, save

    corpus = out / name
    corpus.mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(samples):
        (corpus / f"sample-{number}").write_bytes(content)
    path = beside(tempfile.mkdtemp(prefix="apet-fuzz-"), reader)

    def try_one(content: bytes) -> None:
        path.write_bytes(content)
        result = outcome(reader.read, str(path))
        if not result.fine:
            save(out, file_name(name, result.kind), content, result)

    flags = [f"-max_len={LONGEST}", "-timeout=60", "-rss_limit_mb=3000", "-print_final_stats=1", "-verbosity=0"]
    atheris.Setup([sys.argv[0], str(corpus), *flags, *limits], try_one)
    atheris.Fuzz()


def _warm(reader: FuzzedReader, samples: list[bytes]) -> None:
    """Read every sample once while imports are instrumented, so that what is imported lazily is so too."""
    from tests.fuzz.trial import outcome

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sample")
        for content in samples:
            Path(path).write_bytes(content)
            outcome(reader.read, path)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        guide(sys.argv[2], Path(sys.argv[3]), sys.argv[4:])
    else:
        sys.exit(main())
