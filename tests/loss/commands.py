"""The commands that write a file, and what a whole file of each looks like."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
OUTPUT = "{output}"
APET = (sys.executable, "-c", "import sys; from apet.cli.main import main; sys.exit(main())")


def _ends(mark: str) -> Callable[[bytes], bool]:
    return lambda data: data.rstrip().endswith(mark.encode())


def _json(data: bytes) -> bool:
    return bool(json.loads(data))


def _toml(data: bytes) -> bool:
    return bool(tomllib.loads(data.decode()))


def _gzip(data: bytes) -> bool:
    return bool(gzip.decompress(data))


def _trace(data: bytes) -> bool:
    """Whether every rank that begins also ends."""
    words = [line.split() for line in data.decode().splitlines() if not line.startswith("#")]
    return bool(words) and [w[0] for w in words if w[1] == "init"] == [w[0] for w in words if w[1] == "finalize"]


@dataclass(frozen=True)
class Command:
    """A command that writes `output` into its working directory.

    `whole` tells a whole file from a part of one; None: the file is the same at each run. `resumes`: killed and
    started again it goes on, to the same bytes. `needs` are programs without which it is left out.
    """

    name: str
    words: tuple[str, ...]
    output: str
    whole: Callable[[bytes], bool] | None = None
    resumes: bool = False
    needs: tuple[str, ...] = ()
    slow: bool = False

    def line(self) -> list[str]:
        """The words to run."""
        return [*APET, *(word.replace(OUTPUT, self.output) for word in self.words)]

    @property
    def missing(self) -> str:
        """The first program that it needs and this machine has not."""
        return next((name for name in self.needs if shutil.which(name) is None), "")


PI = str(SAMPLES / "pamela/pi.pam")
STENCIL = str(SAMPLES / "traces/stencil.xz")
SWEEP = ("sweep", PI, "-m", "join-2005", "-P", "1:32", "--vary", "n=1e6:4e8:1e6", "-o", OUTPUT)
MEASURE = ("measure", "--most", "64", "--budget", "2 s", "-o", OUTPUT, "--")
ACQUIRE = ("trace", "acquire", "-n", "2", "-o", OUTPUT, "--", "./ring")
COMMANDS = (
    Command("sweep to CSV", SWEEP, "rows.csv", resumes=True),
    Command("sweep to Parquet", SWEEP, "rows.parquet", resumes=True),
    Command("report", ("report", PI, "-m", "join-2005", "-o", OUTPUT), "page.html", _ends("</html>")),
    Command("translate", ("translate", str(SAMPLES / "java/Matrix.java"), "-o", OUTPUT), "matrix.pam"),
    Command("compile", ("compile", PI, "--emit", "python", "-o", OUTPUT), "pi.py"),
    Command("pack", ("trace", "convert", str(SAMPLES / "traces/ring.txt"), "-o", OUTPUT), "ring.xz"),
    Command("convert", ("trace", "convert", STENCIL, "--unroll", "-o", OUTPUT), "stencil.txt"),
    Command("convert, compressed", ("trace", "convert", STENCIL, "--unroll", "-o", OUTPUT), "stencil.txt.gz", _gzip),
    Command(
        "measure",
        (*MEASURE, sys.executable, "-c", "sum(range({n} * 1000))"),
        "runs.json",
        _json,
    ),
    Command("acquire", ACQUIRE, "ring.txt", _trace, needs=("mpicc",)),
    Command("benchmark", ("benchmark", "-o", OUTPUT), "this.toml", _toml, needs=("javac",), slow=True),
)


def prepare(command: Command, folder: Path) -> None:
    """What a command needs in its working directory."""
    if command.name == "acquire" and not (folder / "ring").exists():
        source = SAMPLES / "mpi" / "ring.c"
        subprocess.run(["mpicc", "-O1", "-o", folder / "ring", source, "-lm"], check=True, capture_output=True)


def environment(cache: Path) -> dict[str, str]:
    """The environment of a command, with a cache of its own."""
    return {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": str(ROOT / "compiler")}
