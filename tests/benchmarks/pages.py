"""What a person waits for: the report page, a slider in a real browser, diagnostics of the language server."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.benchmarks.measure import PYTHON, Row, Spread, Table, process

REPORT = (*PYTHON, "-m", "apet.cli.main", "report")
PI = ("samples/pamela/pi.pam", "--machines", "join-2005")
LINES = 1000
TERMS = 100


def pages(quick: bool) -> Table:
    """Reports as processes, redraws in Chromium where there is one, a changed model of 1,000 lines."""
    table = Table("pages", "Pages and editors")
    runs = 2 if quick else 5
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "pi.html")
        table.rows.append(_report("apet report pi.pam", (*REPORT, *PI, "-o", page), page, runs))
        wide = os.path.join(folder, "wide.html")
        table.rows.append(_report("apet report, 10,000 terms", (*REPORT, *_wide(folder), "-o", wide), wide, 1))
        for name, path in (("a slider to the redraw, pi.pam", page), ("the same, 10,000 terms", wide)):
            row = _redraw(name, Path(path), 5 if quick else 40, table)
            if row is not None:
                table.rows.append(row)
    table.rows.append(_diagnostics(runs))
    return table


def _report(name: str, command: tuple[str, ...], page: str, runs: int) -> Row:
    found = [process(command) for _ in range(runs)]
    size = os.path.getsize(page)
    return Row(name, Spread.of([f.wall for f in found]), value=f"{size / 1000:.0f} kB")


def _wide(folder: str) -> tuple[str, ...]:
    """A model of 100 branches of 100 operations each, and machines for it."""
    names = [f"a{k}" for k in range(TERMS)]
    branches = " ||\n".join(f"{{ {'; '.join(f'{n}[{1 + k % 4}]' for n in names)} }}" for k in range(TERMS))
    model, machines = os.path.join(folder, "wide.pam"), os.path.join(folder, "wide.toml")
    Path(model).write_text(f"param n = 2;\nL = seq (i = 1, n) {{ {branches} }};\n", encoding="utf-8")
    times = "\n".join(f"{n} = [{1 + k}e-3, {2 + k}e-3]" for k, n in enumerate(names))
    text = f'schema = 1\nname = "wide"\n[[machine]]\nname = "m"\ncount = 4\n[machine.op_s]\n{times}\n'
    Path(machines).write_text(text, encoding="utf-8")
    return model, "--machines", machines, "-P", "4"


def _redraw(name: str, page: Path, moves: int, table: Table) -> Row | None:
    """From the input event of a slider to the numbers and picture of the new value."""
    try:
        from tests.page.browser import chromium, opened

        with chromium() as browser:
            opened(browser, page)
            script = _SLIDE
            found: list[float] = browser.execute_async_script(script, moves)
    except BaseException as error:  # pytest's way of skipping is no Exception
        table.notes.append(f"No redraw measured: {type(error).__name__}.")
        return None
    return Row(name, Spread.of([f / 1000 for f in found]))


_SLIDE = """
const [moves, done] = arguments, live = document.getElementById("live"), found = [];
const slider = document.querySelector('input[type="range"]');
const move = (k) => {
  if (k === moves) return done(found);
  slider.value = 200 + (600 * k) / moves;
  delete live.dataset.redraw;
  slider.dispatchEvent(new Event("input"));
  const wait = () => {
    if (!live.dataset.redraw) return requestAnimationFrame(wait);
    found.push(Number(live.dataset.redraw));
    setTimeout(() => move(k + 1), 250);
  };
  wait();
};
setTimeout(() => move(0), 800);
"""


def _diagnostics(runs: int) -> Row:
    """One changed character in a model of 1,000 lines, read and checked again."""
    from apet.editor.document import OpenDocument

    lines = [f"    op{k % 7}[{1 + k % 3}]; if (q) {{ use(disk, {k} ms); }};" for k in range(LINES)]
    text = "param q = 0.5 in [0, 1];\nL = {\n" + "\n".join(lines) + "\n};\n"
    OpenDocument("warm.pam", text)
    return Row(f"diagnostics, {LINES:,} lines", Spread.of(_timed(lambda: OpenDocument("x.pam", text), 2 * runs)))


def _timed(act: Callable[[], Any], runs: int) -> list[float]:
    found = []
    for _ in range(runs):
        start = time.perf_counter()
        act()
        found.append(time.perf_counter() - start)
    return found
