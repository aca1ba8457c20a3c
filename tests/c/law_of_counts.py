"""How often the marked statements of C functions run: the compiled program counts them, and `apet predict` says it.

`MARK` is one execution. A program made of the same file counts `M += 1`; in the model a mark is `cbrt`, which alone
costs something on the machine that the function is predicted for, so that its time is the count.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.java.law_of_counts import Answer, answer_of, machine

import apet
from apet import c
from apet.ground.source import Source

FILE = Path(__file__).parents[1] / "data" / "c" / "counts.c"
SIZES = (10, 37)


def functions() -> tuple[list[str], list[str]]:
    """The functions of the file: those whose count the source fixes, and the others."""
    fixed, _, open_ = FILE.read_text(encoding="utf-8").partition("/* *****")
    return _names(fixed), _names(open_)


def _names(text: str) -> list[str]:
    return re.findall(r"^void (\w+)\(int n\)", text, re.MULTILINE)


def counted(names: Sequence[str], folder: Path) -> dict[tuple[str, int], int]:
    """How often the marks of each function run at each size, by one program."""
    calls = "".join(f'    M = 0; {name}({n}); printf("{name} {n} %.0f\\n", M);\n' for name in names for n in SIZES)
    text = f'#include "{FILE}"\n#include <stdio.h>\nint main(void) {{\n{calls}    return 0;\n}}\n'
    (folder / "marks.c").write_text(text, encoding="utf-8")
    words = ["cc", "-O1", "-w", "-DMARK=(M += 1)", "-o", str(folder / "marks"), str(folder / "marks.c"), "-lm"]
    subprocess.run(words, check=True)
    lines = subprocess.run([folder / "marks"], capture_output=True, text=True, check=True).stdout.splitlines()
    return {(name, int(n)): int(count) for name, n, count in map(str.split, lines)}


def answer(name: str, n: int, folder: Path, profile: bool) -> Answer:
    """What `apet predict` says of a function at a size."""
    model = c.translate(Source(str(FILE), FILE.read_text(encoding="utf-8")), name, "flat").text
    place = folder / "marks.toml"
    place.write_text(machine(list(apet.compile_text(model).operations)), encoding="utf-8")
    words = ["predict", str(FILE), "--entry", name, "-m", str(place), "--set", f"n={n}", "-P", "1", "--json"]
    return answer_of([*words, *(["--profile"] if profile else [])])


def main() -> None:
    """Print what is not right, from the source and after a run, and how many are."""
    fixed, open_ = functions()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        truth = counted([*fixed, *open_], place)
        for profile, names in ((False, fixed), (True, [*fixed, *open_])):
            kinds = Counter[str]()
            for name, n in ((name, n) for name in names for n in SIZES):
                kind = answer(name, n, place, profile).kind(truth[name, n])
                kinds[kind] += 1
                if kind != "right":
                    print(f"{'run' if profile else 'source'} {name} {n}: {kind}", flush=True)
            print("run" if profile else "source", dict(kinds), flush=True)


if __name__ == "__main__":
    main()
