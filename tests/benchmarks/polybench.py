"""PolyBench/C beside what is predicted of it: `python -m tests.benchmarks.polybench DIR HALF KERNEL SIZE ...`.

DIR holds PolyBench/C 4.2 (github.com/MatthiasJReisinger/PolyBenchC-4.2.1). The kernels at even places of the
alphabetical list are the half `shown`, those that the rules may have been made with, and the rest the half `other`;
KERNEL is a name or `all`, SIZE the name of a data set such as SMALL. Of each kernel: its floating-point
operations at the smallest size, counted by a class of numbers in C++ and by the model; its processor time at -O2, the
least of several runs after its arrays are filled; and what is predicted without a run, and by the ratio of one run at
the smallest of the sizes, in an interval of width 2.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from pathlib import Path
from statistics import median

RUNS = 7
MACHINE = "xeon-gcc12-O2"
FLAGS = ("-DPOLYBENCH_USE_C99_PROTO", "-DPOLYBENCH_USE_RESTRICT")
ANY_SIZE = ("-fno-inline", "-fno-ipa-cp")
"""The kernel as a function of its sizes: else the compiler makes one for the numbers that `main` calls it with."""
WEIGHTS = {"sum_double": 1, "sub_double": 1, "mpy_double": 7, "div_double": 31, "sqrt_double": 101, "exp_double": 211}
"""So that one number tells all counts."""
HEAD = """
schema = 1
name = "counts"
[provenance]
mode = "Xint"
[[machine]]
name = "this"
count = 1
cores = 1
[machine.op_s]
"""
TIMER = """
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double began, taken;
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}
void *polybench_alloc_data(unsigned long long many, int size) { return malloc(many * size); }
void polybench_free_data(void *data) { free(data); }
void polybench_prepare_instruments(void) {}
void polybench_timer_start(void) { began = now(); }
void polybench_timer_stop(void) { taken = now() - began; }
void polybench_timer_print(void) { printf("%.9g", taken); }
"""
COUNTED = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static double M;
static bool on;
struct Number {
    double v;
    Number(double v = 0) : v(v) {}
    explicit operator int() const { return (int) v; }
};
static Number counted(double weight, double v) { if (on) M += weight; return Number(v); }
static Number operator+(Number a, Number b) { return counted(1, a.v + b.v); }
static Number operator-(Number a, Number b) { return counted(1, a.v - b.v); }
static Number operator*(Number a, Number b) { return counted(7, a.v * b.v); }
static Number operator/(Number a, Number b) { return counted(31, a.v / b.v); }
static Number operator-(Number a) { return Number(-a.v); }
static Number &operator+=(Number &a, Number b) { return a = a + b; }
static Number &operator-=(Number &a, Number b) { return a = a - b; }
static Number &operator*=(Number &a, Number b) { return a = a * b; }
static Number &operator/=(Number &a, Number b) { return a = a / b; }
static bool operator<=(Number a, Number b) { return a.v <= b.v; }
static bool operator==(Number a, Number b) { return a.v == b.v; }
static Number sqrt(Number a) { return counted(101, sqrt(a.v)); }
static Number exp(Number a) { return counted(211, exp(a.v)); }
#define double Number
#define fprintf(...) 0
#define POLYBENCH_TIME
extern "C" {
void *polybench_alloc_data(unsigned long long many, int size) { return calloc(many, size); }
void polybench_free_data(void *data) { free(data); }
void polybench_timer_start() { on = true; }
void polybench_timer_stop() { on = false; }
void polybench_timer_print() { printf("%.0f", M); }
void polybench_prepare_instruments() {}
}
"""


@dataclass(frozen=True)
class Kernel:
    """One of the programs, and where the collection lies."""

    root: Path
    source: Path

    @property
    def name(self) -> str:
        return self.source.stem

    @property
    def include(self) -> Sequence[str]:
        return f"-I{self.root / 'utilities'}", f"-I{self.source.parent}"

    def sizes(self, size: str) -> dict[str, int]:
        """The whole formals of the kernel and their values in a data set."""
        header = self.source.with_suffix(".h")
        words = ["cc", "-E", "-dM", f"-D{size}_DATASET", str(header)]
        macros = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        values = dict(re.findall(r"^#define (\w+) (\d+)$", macros, re.MULTILINE))
        return {n: int(values[n.upper()]) for n in self.formals() if n.upper() in values}

    def formals(self) -> list[str]:
        text = re.search(r"void kernel_\w+\s*\((.*?)\)\s*\{", self.source.read_text(encoding="utf-8"), re.DOTALL)
        return re.findall(r"\bint (\w+)", text[1]) if text else []

    def seconds(self, size: str, folder: Path) -> float:
        """The least processor time of the kernel in several runs of the program."""
        (folder / "timer.c").write_text(TIMER, encoding="utf-8")
        words = ["cc", "-O2", "-w", *ANY_SIZE, "-DPOLYBENCH_TIME", f"-D{size}_DATASET", *FLAGS, *self.include]
        subprocess.run([*words, str(self.source), str(folder / "timer.c"), "-lm", "-o", folder / "timed"], check=True)
        runs = [subprocess.run([folder / "timed"], capture_output=True, text=True, check=True) for _ in range(RUNS)]
        return min(float(r.stdout) for r in runs)

    def operations(self, size: str, folder: Path) -> int | None:
        """Its weighted floating-point operations, counted as it runs; None for a kernel without."""
        program = folder / "counted.cpp"
        program.write_text(f'{COUNTED}\n#include "{self.source}"\n', encoding="utf-8")
        words = ["g++", "-O1", "-w", "-fpermissive", f"-D{size}_DATASET", *self.include, str(program)]
        subprocess.run([*words, "-o", folder / "counted"], check=True)
        run = subprocess.run([folder / "counted"], capture_output=True, text=True, check=True)
        return int(float(run.stdout)) or None

    def apet(self, size: str, verb: str, *options: str) -> subprocess.CompletedProcess[str]:
        entry = f"kernel_{self.name.replace('-', '_')}"
        words = [str(Path(sys.executable).with_name("apet")), verb, str(self.source), "--entry", entry, *options]
        flags = [*self.include, *FLAGS, f"-D{size}_DATASET"]
        run = subprocess.run([*words, "--", *flags], capture_output=True, text=True, check=False)
        if run.returncode:
            raise RuntimeError(run.stdout + run.stderr)
        return run

    def predicted(self, size: str, machine: str) -> tuple[float, float]:
        """Least and greatest seconds of the estimate."""
        settings = [word for n, v in self.sizes(size).items() for word in ("--set", f"{n}={v}")]
        run = self.apet(size, "predict", "-m", machine, "-P", "1", "--json", *settings)
        low, high = json.loads(run.stdout)["predictions"][0]["estimate"].values()
        return float(low), float(high)

    def counted_by_model(self, size: str, folder: Path) -> float:
        """The weighted operations of the model: a time, where each takes its weight."""
        model = self.apet(size, "translate", "--level", "flat").stdout
        names = sorted(set(re.findall(r"(\w+)\[p\];", model)))
        text = HEAD + "\n".join(f"{n} = {WEIGHTS.get(n, 0)}" for n in names)
        (folder / "counts.toml").write_text(text, encoding="utf-8")
        low, high = self.predicted(size, str(folder / "counts.toml"))
        return low if low == high else float("nan")


def kernels(root: Path, half: str) -> list[Kernel]:
    found = sorted((p for p in root.rglob("*.c") if p.stem == p.parent.name), key=lambda p: p.stem)
    return [Kernel(root, p) for p in (found[1::2] if half == "shown" else found[::2])]


def figures(answers: Sequence[tuple[tuple[float, float], float]]) -> str:
    """Of predictions and measured times: the share inside, the median width, and the median error of the middle."""
    inside = sum(low <= t <= high for (low, high), t in answers) / len(answers)
    errors = [exp(abs(log(sqrt(low * high) / t))) for (low, high), t in answers]
    return f"inside {inside:.0%}, width {median(h / lo for (lo, h), _ in answers):.2f}, error {median(errors):.2f}"


def main(root: str, half: str = "shown", only: str = "", *sizes: str) -> None:
    sizes = sizes or ("SMALL", "MEDIUM")
    blind, calibrated = list[tuple[tuple[float, float], float]](), list[tuple[tuple[float, float], float]]()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for kernel in kernels(Path(root), half):
            if only not in ("", "all", kernel.name):
                continue
            by_run, by_model = kernel.operations("MINI", folder), kernel.counted_by_model("MINI", folder)
            print(f"{kernel.name:16} operations {by_run or '-':>9} model {by_model:g}", flush=True)
            ratio: float | None = None
            for size in sizes:
                taken, (low, high) = kernel.seconds(size, folder), kernel.predicted(size, MACHINE)
                blind.append(((low, high), taken))
                share = taken / sqrt(low * high)
                if ratio is not None:
                    middle = ratio * sqrt(low * high)
                    calibrated.append(((middle / sqrt(2), middle * sqrt(2)), taken))
                told = f"{taken * 1e3:10.4f} ms in {low * 1e3:.4f} .. {high * 1e3:.4f}: {share:.2f}"
                print(f"    {size:10} {told}", flush=True)
                ratio = share if ratio is None else ratio
    print("without a run:", figures(blind))
    if calibrated:
        print("after one run:", figures(calibrated))


if __name__ == "__main__":
    main(*sys.argv[1:])
