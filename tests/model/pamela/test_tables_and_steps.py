"""Tables, functions, loops with steps and included files: each means what it would mean written out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import apet
from apet.api.models import read
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.model.pamela import parse
from apet.model.printer import print_model
from apet.simulator.simulation import simulate

MACHINES = apet.load_machines("two-nodes")
small = st.integers(-6, 12)
steps = st.integers(-5, 5).filter(bool)
entries = st.lists(st.integers(0, 50), min_size=1, max_size=8)


def seconds(text: str, **values: int) -> tuple[Any, Any]:
    """The estimate of a model that holds nothing, exactly, and what the simulator finds."""
    app = apet.compile_text(text)
    found = apet.predict(app, MACHINES, values=values)
    assert found.lower.lo == found.estimate.lo == found.upper.hi
    return found.estimate.lo, simulate(app.model, MACHINES.configure(None), "tmin", dict(values)).makespan


def rounds(low: int, high: int, step: int) -> range:
    """What a loop with a step runs through; its end is within."""
    return range(low, high + (1 if step > 0 else -1), step)


@given(small, small, steps)
def test_a_loop_with_a_step_runs_through_its_rounds(low: int, high: int, step: int) -> None:
    wanted = sum(i + 10 for i in rounds(low, high, step))
    text = "param a in [-99, 99]; param b in [-99, 99]; param c in [-99, 99];"
    values = {"a": low, "b": high, "c": step}
    for model in (
        f"L = seq (i = {low}, {high}, {step}) delay(i + 10);",
        f"L = delay(sum(i = {low}, {high}, {step}, i + 10));",
    ):
        assert seconds(model) == (wanted, pytest.approx(wanted))
    assert seconds(f"{text} L = delay(sum(i = a, b, c, i + 10));", **values) == (wanted, pytest.approx(wanted))


@given(small, small, steps)
def test_what_runs_at_once_with_a_step_takes_as_long_as_the_longest(low: int, high: int, step: int) -> None:
    wanted = max((i + 10 for i in rounds(low, high, step)), default=0)
    assert seconds(f"L = par (i = {low}, {high}, {step}) delay(i + 10);") == (wanted, pytest.approx(wanted))


@given(entries, small)
def test_an_entry_is_the_number_in_its_place(table: list[int], shift: int) -> None:
    text = f"param t = {table}; param s in [-99, 99]; L = seq (i = 1, len(t)) delay(t[1 + (i + s) % len(t)]);"
    assert seconds(text, s=shift) == (sum(table), pytest.approx(sum(table)))
    assert seconds(f"param t = {table}; L = par (i = 1, len(t)) delay(t[i]);") == (
        max(table),
        pytest.approx(max(table)),
    )


@given(
    st.lists(st.integers(1, 50), min_size=1, max_size=6),
    st.sampled_from(["{}", "1 / ({})", "60 / ({}) ^ 2", "sqrt({})"]),
)
def test_functions_of_entries_are_those_of_each_entry(table: list[int], function: str) -> None:
    power = {"{}": 1.0, "1 / ({})": -1.0, "60 / ({}) ^ 2": -2.0, "sqrt({})": 0.5}[function]
    times = [(60 if power == -2 else 1) * x**power for x in table]
    text, term = f"param t = {table}; param n in [0, 6];", function.format("t[i]")
    for loop, wanted in (("seq", sum(times)), ("par", max(times))):
        for end in ("len(t)", "n"):
            model = f"{text} L = {loop} (i = 1, {end}) delay({term});"
            assert seconds(model, n=len(table)) == pytest.approx((wanted, wanted))


@given(entries)
def test_functions_are_put_in_with_their_arguments(table: list[int]) -> None:
    text = f"""
        param t = {table}; param n = 3;
        def plus(a, b) = a + b;
        def twice(i) = plus(i, i) * n + sum(j = 1, 2, i);
        L = seq (n = 1, len(t)) seq (j = 1, 2) delay(twice(t[n]) + j);
    """
    wanted = sum(2 * (6 * x + 2 * x) + 3 for x in table)
    assert seconds(text) == (wanted, pytest.approx(wanted))


@pytest.mark.parametrize(
    ("with_step", "written_out"),
    [
        (
            "seq (i = p, 7, 2) par (p = 1, 2) a[p](i)",
            "seq (i = 0, floor((7 - p) / 2)) par (p$ = 1, 2) a[p$](p + i * 2)",
        ),
        ("seq (i = i, 7, 2) use(i, i)", "seq (i$ = 0, floor((7 - i) / 2)) use(i + i$ * 2, delay(i + i$ * 2))"),
    ],
)
def test_what_is_put_in_keeps_its_meaning(with_step: str, written_out: str) -> None:
    texts = [f"L = par (p = 1, 2) par (i = 1, 2) {body};" for body in (with_step, written_out)]
    assert len({print_model(parse(Source("a.pam", text))) for text in texts}) == 1


def test_words_of_the_new_forms_remain_names() -> None:
    text = "param len = 2; L = { def[1]; use(include, 1); seq (i = 1, len) def[i] };"
    assert set(apet.compile_text(text).operations) == {"def"}


def test_a_table_comes_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.pam").write_text("param t = [1, 2]; param u; /* ; */ L = delay(t[1] + u[len(t)]);")
    (tmp_path / "a.csv").write_text("name,t\nx,4 s\ny,5 s\nz,6 s\n")
    (tmp_path / "u.csv").write_text("1\n\n2\n30\n")
    (tmp_path / "a.toml").write_text('t = [7, "8 s"]\nu = [0.5, 1]\n')
    csv, single, toml = (str(tmp_path / name) for name in ("a.csv", "u.csv", "a.toml"))
    cases: list[tuple[dict[str, Any], int]] = [
        ({"t": csv, "u": single}, 34),
        ({"t": toml, "u": toml}, 8),
        ({"t": [3], "u": ["2 s"]}, 5),
    ]
    for tables, wanted in cases:
        if tables["t"] == toml:
            with pytest.raises(ApetError, match="another unit"):
                apet.compile(tmp_path / "a.pam", tables=tables)
            continue
        app = apet.compile(tmp_path / "a.pam", tables=tables)
        assert apet.predict(app, MACHINES).estimate.lo == wanted

    (tmp_path / "a.csv").write_text("name,t\nx,4 s\ny,five\n")
    with pytest.raises(ApetError, match=r"a\.csv:3:3: error: t\[2\] = 'five': not a number"):
        apet.compile(tmp_path / "a.pam", tables={"t": csv})


def files(folder: Path, **texts: str) -> Path:
    """A model `main` and the files beside it."""
    for name, text in texts.items():
        (folder / f"{name}.pam").write_text(text)
    return folder / "main.pam"


def test_a_name_of_the_first_file_is_said_to_be_there(tmp_path: Path) -> None:
    (tmp_path / "main.pam").write_text('include "other.pam";\nL = x; x = delay(1);')
    (tmp_path / "other.pam").write_text("x = delay(2);")
    with pytest.raises(ApetError, match=r"other\.pam:1:1: error: 'x' is already defined in line 2 of .*main\.pam"):
        apet.load_model(tmp_path / "main.pam")


def test_a_file_is_included_once_and_errors_name_it(tmp_path: Path) -> None:
    main = files(
        tmp_path,
        main='include "one.pam"; include "two.pam";\nL = { one; two; };',
        one='include "two.pam"; one = two;',
        two="// two\ntwo = delay(3 s);",
    )
    assert apet.predict(apet.compile(main), MACHINES).estimate.lo == 6
    (tmp_path / "two.pam").write_text("// two\n two = delay(nothing);")
    with pytest.raises(ApetError, match=r"two\.pam:2:14: error: unknown name 'nothing'"):
        apet.compile(main)
    (tmp_path / "two.pam").write_text("two = delay(3); one = two;")
    with pytest.raises(ApetError, match=r"two\.pam:1:17: error: 'one' is already defined in line 1 of .*one\.pam"):
        apet.compile(main)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('include "main.pam"; one = delay(1);', "it includes itself"),
        ('include "/etc/hosts.pam"; one = delay(1);', "no relative path"),
        ('include "one.txt"; one = delay(1);', "no relative path"),
        ('include "none.pam"; one = delay(1);', "no such file"),
        ("delay(2); one = delay(1);", "belongs to no equation"),
        ("one = delay(1)", "the text ends here"),
    ],
)
def test_what_cannot_be_included_is_refused_in_its_file(tmp_path: Path, text: str, reason: str) -> None:
    main = files(tmp_path, main='L = one; include "one.pam";', one=text)
    with pytest.raises(ApetError, match=rf"one\.pam:1:\d+: error: .*{reason}"):
        read(main)


def test_files_are_not_included_without_end(tmp_path: Path) -> None:
    chain = {f"f{k}": f'include "f{k + 1}.pam";' for k in range(40)}
    main = files(tmp_path, main='include "f0.pam"; L = delay(1);', **chain)
    with pytest.raises(ApetError, match="more than 16 deep"):
        read(main)
    many = "".join(f'include "g{k}.pam";' for k in range(150))
    files(tmp_path, main=f"{many} L = delay(1);", **{f"g{k}": f"param g{k} = 1;" for k in range(150)})
    with pytest.raises(ApetError, match="more than 100 files"):
        read(main)


def test_functions_that_double_without_end_are_refused() -> None:
    text = "def f0(x) = x + x;" + "".join(f"def f{k}(x) = f{k - 1}(x) + f{k - 1}(x);" for k in range(1, 40))
    with pytest.raises(ApetError, match="more than 100,000 terms"):
        apet.compile_text(text + "L = delay(f39(1));")
