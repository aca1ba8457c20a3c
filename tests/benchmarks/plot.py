"""The growth of time and memory with the size of the model, on logarithmic scales."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.measure import Table


def write_growth(table: Table, path: Path) -> None:
    """Time on the left, memory on the right; dotted: growth in proportion."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.hashsalt": table.name, "svg.fonttype": "none"}):
        figure = Figure(figsize=(9, 4), layout="constrained")
        for axes, unit, what in zip(
            figure.subplots(1, 2), ("s", "MiB"), ("time in s", "peak memory in MiB"), strict=True
        ):
            for name, points in table.curves.items():
                if name.endswith(f", {unit}"):
                    axes.loglog(*zip(*points, strict=True), marker="o", label=name.rpartition(",")[0])
            if unit == "s":
                (x, y), (last, _) = points_of(table, ", s")
                axes.loglog([x, last], [y, y * last / x], ":", color="gray", label="in proportion to the lines")
            axes.set_xlabel("lines of the model")
            axes.set_ylabel(what)
            axes.legend(fontsize=8)
            axes.grid(True, which="major", alpha=0.3)
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, format="svg", metadata={"Date": None})


def points_of(table: Table, ending: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """The first and the last point of the first curve with that ending."""
    points = next(p for name, p in table.curves.items() if name.endswith(ending))
    return points[0], points[-1]
