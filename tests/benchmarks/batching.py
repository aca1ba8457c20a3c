"""Many configurations at once: wide formulas beside a dense product and peers, a real model, families of machines."""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from tests.benchmarks.measure import PYTHON, ROOT, Row, Spread, Table, agree, alternate, exponent, process, seconds
from tests.formula.column_values import evaluate

import apet
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.ground.source import Source
from apet.machine import Machines, load_machines, parse_machines
from apet.prediction import Predictor
from apet.prediction.columns import BatchPredictor

SYMBOLS, TERMS = 160, 20
DENSE = 1_000
LAB = """
schema = 1
name = "three groups"
{groups}
"""
GROUP = '[[machine]]\nname = "m{k}"\ncount = {count}\nfactor = {factor}\n[machine.op_s]\nw = {times}\n'


def batch(quick: bool) -> Table:
    """Configurations per second of a wide maximum and of a published model."""
    table = Table("batch", "Many configurations at once, each with values of its own")
    for sums in (10,) if quick else (50, 500):
        _wide(table, sums, 20_000 if quick else 1_000_000, peers=quick or sums == 50)
    _published(table, 20_000 if quick else 1_000_000)
    table.notes.append("Values of all peers agree. Useful operations: two per term. The dense product is OpenBLAS's.")
    return table


def _wide(table: Table, sums: int, count: int, peers: bool) -> None:
    """In a process of its own, in which dense products have one thread."""
    before = {name: os.environ.get(name) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
    os.environ.update(dict.fromkeys(before, "1"))
    try:
        command = [*PYTHON, "-m", "tests.benchmarks.batching", json.dumps([sums, count, peers])]
        found = json.loads(process(command).printed.splitlines()[-1])
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
    terms = sums * TERMS
    base = f"apet, {terms:,} terms"
    middle = Spread(*found["times"][base]).middle
    for name, spread in found["times"].items():
        wall = Spread(*spread)
        ratio = None if name == base else wall.middle / middle
        against = "" if ratio is None else base
        table.rows.append(Row(name, wall, rate=(1 / wall.middle, "configurations"), against=against, ratio=ratio))
    dense = Spread(*found["dense"]).middle
    for name in (base, f"{base}, two threads"):
        share = 2 * terms / Spread(*found["times"][name]).middle * dense / (2 * DENSE**3)
        table.notes.append(f"{name}: {share:.0%} of the useful operations per second of a dense product on one thread.")
    table.notes += [f"{name}: ready after {t:.2g} s." for name, t in found["ready"].items()]


def wide_rows(sums: int) -> list[list[tuple[int, int]]]:
    """Sums of 20 of 160 symbols with whole coefficients."""
    drawn = random.Random(1)
    return [[(k, drawn.randint(1, 9)) for k in drawn.sample(range(SYMBOLS), TERMS)] for _ in range(sums)]


def wide_formula(sums: int) -> tuple[Graph, NodeId]:
    """Their maximum."""
    graph = Graph()
    names = [graph.symbol(f"s{k}") for k in range(SYMBOLS)]
    return graph, graph.maximum([graph.add([(names[k], c) for k, c in row]) for row in wide_rows(sums)])


def measured(sums: int, count: int, peers: bool) -> dict[str, Any]:
    """Seconds per configuration of each way, (middle, low, high, runs), and of the dense product as a whole."""
    table = np.random.default_rng(1).random((SYMBOLS, count)) + 0.5
    columns = {f"s{k}": column for k, column in enumerate(table)}
    graph, root = wide_formula(sums)
    base = f"apet, {sums * TERMS:,} terms"
    acts: dict[str, Callable[[], Any]] = {
        base: lambda: evaluate(graph, [root], columns, threads=1)[0][0],
        f"{base}, two threads": lambda: evaluate(graph, [root], columns, threads=2)[0][0],
    }
    sizes, ready = dict.fromkeys(acts, count), {}
    if peers:
        few = min(count, 100_000)
        for name, (make, given) in _peers(sums, table[:, :few]).items():
            made: list[Any] = []
            ready[name] = seconds(lambda make=make, made=made: made.append(make()))  # type: ignore[misc]
            acts[name] = lambda made=made, given=given: made[0](given)  # type: ignore[misc]
            sizes[name] = few
    expected = acts[base]()
    for act in acts.values():
        for row, value in enumerate(np.ravel(act())[:100]):
            agree(float(expected[row]), float(value))
    square = np.random.default_rng(2).random((DENSE, DENSE))
    acts["dense"] = lambda: square @ square
    spreads = alternate(acts, 5)
    times = {n: [t / sizes[n] for t in (s.middle, s.low, s.high)] + [s.runs] for n, s in spreads.items() if n in sizes}
    dense = spreads["dense"]
    return {"times": times, "dense": [dense.middle, dense.low, dense.high, dense.runs], "ready": ready}


def _peers(sums: int, table: Any) -> dict[str, tuple[Callable[[], Any], Any]]:
    from tests.benchmarks.peers.batches import with_symengine, with_sympy

    rows = wide_rows(sums)
    upright = np.ascontiguousarray(table.T)
    return {
        "sympy lambdify(cse=True)": (lambda: with_sympy(rows, SYMBOLS), table),
        "symengine Lambdify, LLVM": (lambda: with_symengine(rows, SYMBOLS, "Lambdify"), upright),
        "symengine LambdifyCSE, LLVM": (lambda: with_symengine(rows, SYMBOLS, "LambdifyCSE"), upright),
    }


def _published(table: Table, count: int) -> None:
    """samples/pamela/pi.pam on the published machines, with guaranteed intervals."""
    path = ROOT / "samples" / "pamela" / "pi.pam"
    app = apet.compile_text(path.read_text(encoding="utf-8"), "pi.pam")
    predictor = Predictor(app, load_machines(ROOT / "machines" / "join-2005.toml"))
    many = BatchPredictor(predictor)
    points = np.arange(10**9, 10**9 + count)
    chances = np.linspace(0, 1, count)
    few = 20
    acts: dict[str, Callable[[], Any]] = {
        "pi.pam, n varied": lambda: many.run(32, {"n": points}, {}),
        "pi.pam, n and q varied": lambda: many.run(32, {"n": points, "q": chances}, {}),
        "pi.pam, one prediction at a time": lambda: [predictor.predict(32, {"n": int(n)}) for n in points[:few]],
    }
    found = many.run(32, {"n": points[:few]}, {})
    for row, one in enumerate(acts["pi.pam, one prediction at a time"]()):
        agree(float(found.estimate_tmax[row]), one.estimate.hi, 1e-13)
        if not (found.guaranteed_tmin[row] <= one.guaranteed.lo and one.guaranteed.hi <= found.guaranteed_tmax[row]):
            raise ValueError("the batch's guaranteed interval does not hold the single one")
    base = 0.0
    for name, spread in alternate(acts, 5).items():
        size = few if "one" in name else count
        wall = Spread(spread.middle / size, spread.low / size, spread.high / size, spread.runs)
        base = base or wall.middle
        first = name == "pi.pam, n varied"
        against, ratio = ("", None) if first else ("pi.pam, n varied", wall.middle / base)
        table.rows.append(Row(name, wall, rate=(1 / wall.middle, "configurations"), against=against, ratio=ratio))


def families(quick: bool) -> Table:
    """One prediction for P machines in three groups, as a family and written out."""
    table = Table("families", "One prediction for P machines in three groups")
    sizes = (1_000, 10_000) if quick else (10_000, 100_000, 1_000_000)
    dealt = "param P; param n = 1000; param tasks = 777777; "
    texts = {
        "dealt": dealt + "L = par (p = 1, P) { seq (k = 1, share[p]) w[p]; seq (i = 1, n) w[p]; };",
        "numbered": dealt + "L = par (p = 1, P) { seq (i = 1, n) w[p]; delay(p / P); };",
    }
    for kind, text in texts.items():
        points = []
        for P in sizes:
            many = BatchPredictor(Predictor(apet.compile_text(text), machines_of(P)))
            spread = alternate({"": lambda many=many: many.run(None, {"n": [1000]}, {})}, 3)[""]  # type: ignore[misc]
            points.append((float(P), spread.middle))
            table.rows.append(Row(f"apet, {kind}, P = {P:,}", spread))
        table.curves[kind] = points
        table.notes.append(f"{kind}: time grows as P^{exponent(points):.2f}.")
    _written_out(table, 100 if quick else 1_000)
    return table


def _written_out(table: Table, P: int) -> None:
    """The numbered family beside the same model with one line per machine."""
    machines = machines_of(P)
    family = "param P; param n = 1000; L = par (p = 1, P) { seq (i = 1, n) w[p]; delay(p / P); };"
    lines = " || ".join(f"{{ seq (i = 1, n) w[{p}]; delay({p} / P); }}" for p in range(1, P + 1))
    many = BatchPredictor(Predictor(apet.compile_text(family), machines))
    single = Predictor(apet.compile_text(f"param P; param n = 1000; L = {lines};"), machines)
    name = f"apet, numbered, P = {P:,}"
    acts: dict[str, Callable[[], Any]] = {
        name: lambda: many.run(None, {"n": [1000]}, {}),
        f"the same written out, P = {P:,}": lambda: single.predict(None, {"n": 1000}),
    }
    agree(float(acts[name]().estimate_tmax[0]), float(single.predict(None, {"n": 1000}).estimate.hi))
    spreads = alternate(acts, 3)
    for key, spread in spreads.items():
        ratio = None if key == name else spread.middle / spreads[name].middle
        table.rows.append(Row(key, spread, against="" if ratio is None else name, ratio=ratio))


def machines_of(P: int) -> Machines:
    """P machines in three groups."""
    counts = (P // 2, P // 4, P - P // 2 - P // 4)
    times = ("[1e-3, 2e-3]", "[5e-4, 6e-4]", "[2e-3, 3e-3]")
    groups = [
        GROUP.format(k=k, count=c, factor=f, times=t)
        for k, (c, t, f) in enumerate(zip(counts, times, (0.5, 1.0, 0.25), strict=True))
    ]
    return parse_machines(Source(str(Path("three-groups.toml")), LAB.format(groups="\n".join(groups))))


if __name__ == "__main__":
    print(json.dumps(measured(*json.loads(sys.argv[1]))))
