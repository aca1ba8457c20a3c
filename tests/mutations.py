"""Small changes of the code, each tried on the tests: what survives shows where a test is missing.

    python -m tests.mutations --seed 1 --changes 200 formula cost prediction model simulator

draws operators, constants and conditions of these packages by the seed and changes one at a time, in copies of the tree
under a temporary folder. Each change is tried on the tests of its package, those that name its module first, then on
the laws. Survivors are printed with file and line.

cosmic-ray 8.7 and mutmut 3.8 were tried: the first lists 3,931 changes of `cost` in 12 s, a third of them of the `|` in
annotations, draws no sample, changes the checkout itself, and has one test command for all; the second runs the whole
suite first and wraps each function, which frozen classes with slots and counted calls do not bear.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from queue import Queue
from random import Random

ROOT = Path(__file__).resolve().parents[1]
CODE = Path("compiler") / "apet"
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "build", "_build", "__pycache__", ".*_cache", "node_modules", "dist")
OPERATORS: dict[type[ast.AST], tuple[str, str]] = {
    **{ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "+"), ast.Div: ("/", "*"), ast.FloorDiv: ("//", "*")},
    **{ast.Mod: ("%", "*"), ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">")},
    **{ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.And: ("and", "or"), ast.Or: ("or", "and")},
    **{ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in")},
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceil", "ceil": "floor"}
LAWS = ("-m", "tests.laws", "--programs", "1000", "--workers", "1", "--first")
BAD_MODELS = "tests/test_bad_models.py"
PATIENCE = 3
"""A change may take so many times as long as the tests do without it, and a minute: else it is killed as well."""


@dataclass(frozen=True)
class Change:
    """Other text in place of what a file has from one offset to another, in bytes."""

    file: Path
    line: int
    start: int
    end: int
    text: str

    def applied(self, source: bytes) -> bytes:
        """The changed source."""
        return source[: self.start] + self.text.encode() + source[self.end :]

    def shown(self, source: bytes) -> str:
        """File, line, and the line before and after."""
        both = zip(source.splitlines(), self.applied(source).splitlines(), strict=False)
        before, after = next((one.decode().strip(), two.decode().strip()) for one, two in both if one != two)
        return f"{self.file}:{self.line}: {before}  ->  {after}"

    @property
    def package(self) -> str:
        return self.file.relative_to(CODE).parts[0]


def changes_of(file: Path, source: bytes) -> Iterator[Change]:
    """All small changes of a file's operators, constants and conditions; none in annotations and texts."""
    reading = _Reading(file, source)
    for node in _code(ast.parse(source)):
        yield from reading.of_operators(node)
        yield from reading.of_values(node)


class _Reading:
    """The source of a file, and where its lines begin."""

    def __init__(self, file: Path, source: bytes) -> None:
        self.file, self.source = file, source
        self.starts = [0, *(match.end() for match in re.finditer(rb"\n", source))]

    def ends(self, node: ast.expr) -> tuple[int, int]:
        """The offsets of an expression."""
        last = self.starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        return self.starts[node.lineno - 1] + node.col_offset, last

    def change(self, node: ast.expr, text: str) -> Change:
        """Other text in place of an expression."""
        return Change(self.file, node.lineno, *self.ends(node), text)

    def of_operators(self, node: ast.AST) -> Iterator[Change]:
        """Each operator of an expression replaced by another one."""
        match node:
            case ast.BinOp(left, operator, right):
                triples: Iterable[tuple[ast.expr, ast.AST, ast.expr]] = [(left, operator, right)]
            case ast.BoolOp(operator, values):
                triples = [(left, operator, right) for left, right in pairwise(values)]
            case ast.Compare(left, operators, others):
                triples = zip([left, *others], operators, others, strict=False)
            case _:
                return

        for left, kind, right in triples:
            before, after = OPERATORS.get(type(kind), ("", ""))
            first, last = self.ends(left)[1], self.ends(right)[0]
            found = re.search(rb"(?<![\w<>=!*/])%b(?![\w<>=*/])" % re.escape(before.encode()), self.source[first:last])
            if before and found:
                at = first + found.start()
                yield Change(self.file, self.source.count(b"\n", 0, at) + 1, at, at + len(before), after)

    def of_values(self, node: ast.AST) -> Iterator[Change]:
        """A constant, a condition, a sign or a function replaced by another one."""
        match node:
            case ast.Constant(bool() as value):
                yield self.change(node, str(not value))
            case ast.Constant(int() | float() as value):
                yield self.change(node, str(value + 1))
            case ast.If(test) | ast.IfExp(test) | ast.While(test):
                first, last = self.ends(test)
                yield self.change(test, f"not ({self.source[first:last].decode()})")
            case ast.UnaryOp(ast.Not() | ast.USub(), operand):
                yield Change(self.file, node.lineno, self.ends(node)[0], self.ends(operand)[0], "")
            case ast.Call(ast.Name(name) as function) if name in NAMES:
                yield self.change(function, NAMES[name])


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of what is computed: no annotations, decorators and types."""
    skipped = ("annotation", "returns", "decorator_list", "bases", "keywords")
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
        return
    for name, value in ast.iter_fields(node):
        if name in skipped and not isinstance(node, ast.Call):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child
                yield from _code(child)


def drawn(packages: Sequence[str], count: int, seed: int, tree: Path = ROOT) -> list[Change]:
    """So many changes of these packages; the same for one tree and seed."""
    files = [f.relative_to(tree) for package in packages for f in sorted((tree / CODE / package).rglob("*.py"))]
    every = [change for file in files for change in changes_of(file, (tree / file).read_bytes())]
    return Random(seed).sample(every, min(count, len(every)))


def files_of_tests(change: Change, tree: Path) -> list[str]:
    """The tests of a change's package: those that name its module, then those that use what it has, then the others;
    and models with errors, each beside its message."""
    module = str(change.file.with_suffix("").relative_to("compiler")).replace(os.sep, ".")
    files = sorted((tree / "tests" / change.package).rglob("test_*.py"))

    def turn(file: Path) -> tuple[bool, bool]:
        text = file.read_text(encoding="utf-8")
        return module not in text, change.file.stem not in text and change.file.stem not in file.stem

    return [*(str(file.relative_to(tree)) for file in sorted(files, key=turn)), BAD_MODELS]


class Trial:
    """Runs tests in copies of the tree, one for each worker. `limits`: seconds that the tests of a package may take."""

    def __init__(self, folder: Path, workers: int, with_laws: bool) -> None:
        self.with_laws = with_laws
        self.limits: dict[str, float] = {}
        self.copies: Queue[Path] = Queue()
        for k in range(workers):
            self.copies.put(Path(shutil.copytree(ROOT, folder / f"tree{k}", ignore=LEFT_OUT, symlinks=True)))

    def prepare(self, packages: Sequence[str]) -> None:
        """Measure the tests without a change; SystemExit where they fail."""
        tree = self.copies.queue[0]
        for package in packages:
            began = time.monotonic()
            blame = self.pytest(tree, [f"tests/{package}", BAD_MODELS], 3600)
            if blame:
                sys.exit(f"the tests of {package} fail without a change: {blame}")
            self.limits[package] = PATIENCE * (time.monotonic() - began) + 60
        if self.with_laws and self.run(tree, LAWS, 3600)[0]:
            print("the laws are contradicted without a change: they take no part")
            self.with_laws = False

    def blame(self, change: Change) -> str:
        """What noticed the change; nothing where it survived."""
        tree = self.copies.get()
        path = tree / change.file
        source = path.read_bytes()
        try:
            path.write_bytes(change.applied(source))
            blame = self.pytest(tree, files_of_tests(change, tree), self.limits[change.package])
            if not blame and self.with_laws and self.run(tree, LAWS, 600)[0]:
                blame = "tests/laws"
            return blame
        finally:
            path.write_bytes(source)
            self.copies.put(tree)

    def pytest(self, tree: Path, files: list[str], limit: float) -> str:
        """The first test that fails, or why there is none; nothing where all pass."""
        options = [*("-m", "pytest", "-x", "-q", "-n", "0", "-rfE"), *("-p", "no:cacheprovider", "--timeout", "0")]
        status, output = self.run(tree, (*options, *files), limit)
        found = re.search(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE)
        return "" if status == 0 else found[1] if found else f"status {status}" if status is not None else "time"

    def run(self, tree: Path, words: Sequence[str], limit: float) -> tuple[int | None, str]:
        """Status and output of a run of Python there; the status is None where it takes too long."""
        paths = {"PYTHONPATH": f"{tree}{os.pathsep}{tree / 'compiler'}", "CI": "true", "PYTHONDONTWRITEBYTECODE": "1"}
        environment = {**os.environ, **paths}
        words, pipe = [sys.executable, *words], subprocess.PIPE
        process = subprocess.Popen(
            words, cwd=tree, env=environment, stdout=pipe, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
        try:
            output, _ = process.communicate(timeout=limit)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the changes that the arguments describe."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__.partition("\n")[0])
    parser.add_argument("packages", nargs="+", metavar="PACKAGE", help="folders of compiler/apet")
    parser.add_argument("--changes", type=int, default=200, metavar="N", help="how many (default: 200)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="what draws them (default: 1)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="copies (default: cores)")
    parser.add_argument("--without-laws", action="store_true", help="try the tests of the packages alone")
    options = parser.parse_args(arguments)

    survivors, tried = list[str](), Counter[str]()
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder, ThreadPoolExecutor(options.workers) as pool:
        trial = Trial(Path(folder), options.workers, not options.without_laws)
        tree = trial.copies.queue[0]
        changes = drawn(options.packages, options.changes, options.seed, tree)
        shown_as = {change: change.shown((tree / change.file).read_bytes()) for change in changes}
        trial.prepare(sorted({change.package for change in changes}))
        for change, blame in zip(changes, pool.map(trial.blame, changes), strict=True):
            tried[change.package] += 1
            shown = shown_as[change]
            print(f"{f'killed by {blame}' if blame else 'SURVIVED'}: {shown}", flush=True)
            survivors += [] if blame else [shown]

    print()
    for package, count in sorted(tried.items()):
        left = sum(shown.startswith(str(CODE / package) + os.sep) for shown in survivors)
        print(f"{package}: {count} changes, {left} survived")
    print(f"all: {len(changes)} changes, {len(survivors)} survived ({len(survivors) / max(1, len(changes)):.0%})")
    print("\n".join(survivors))
    return 0


if __name__ == "__main__":
    sys.exit(main())
