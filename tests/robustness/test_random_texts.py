"""Random texts, and random edits of good models."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.robustness.inputs import refusal
from tests.work import calls

import apet
from apet.machine import Machines

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = sorted((ROOT / "samples" / "pamela").glob("*.pam"))


WORDS = "param resource servers in seq par use delay if else sum L w n P tasks share send sum_int min log sqrt 8kB ms"
MARKS = "( ) [ ] { } ; , = + - * / % ^ == != < <= || 0 1 2 10 0.5 1e3 1e9 -1 // /* */ | & # \" ' : é \u200b ∞"
MARK = st.sampled_from([*WORDS.split(), *MARKS.split(" "), "\t", "\n"])
PLACES = ("L = {0};", "L = delay({0});", "L = seq (i = {0}, 3) delay(i);")
MOST_CALLS = 2_000_000


def assert_answered(text: str, machines: Machines) -> None:
    """A prediction, or one of the messages made for people; nothing else, and with bounded work."""

    def predict() -> None:
        with suppress(apet.ApetError):
            app = apet.compile_text(text)
            apet.predict(app, machines, values=dict.fromkeys(app.free_branches, 0.5))

    assert calls(predict) < MOST_CALLS


QUICK = settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)


@QUICK
@given(words=st.lists(MARK, max_size=40))
@example(words=["L", "=", "/*"])
@example(words=["L", "=", "delay", "(", "1", "/*", ")"])
@example(words=["param"])
def test_a_soup_of_tokens_is_answered(words: list[str], machines: Machines) -> None:
    assert_answered(" ".join(words), machines)


@QUICK
@given(words=st.lists(MARK, max_size=12), place=st.sampled_from(PLACES))
def test_a_soup_inside_a_model_is_answered(words: list[str], place: str, machines: Machines) -> None:
    assert_answered("param n = 3;\n" + place.replace("{0}", " ".join(words)), machines)


@pytest.mark.parametrize("value", ["1e310", "-1e310 * -1", "10^400"])
def test_a_default_that_no_float_holds_is_refused(value: str, machines: Machines) -> None:
    app = apet.compile_text(f"param n = {value};\nL = delay(n);")
    assert "too large" in refusal(lambda: apet.predict(app, machines))


@QUICK
@given(text=st.text(max_size=80))
def test_any_text_is_answered(text: str, machines: Machines) -> None:
    assert_answered(text, machines)


def _small(path: Path) -> str:
    """A sample with its big numbers made small: a change may take away the closed form of a loop."""
    return re.sub(r"\d{4,}", "20", re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8")))


SMALL = [_small(path) for path in SAMPLES]


@st.composite
def mutations(draw: st.DrawFn) -> str:
    """A sample model with up to three tokens or characters deleted, inserted, replaced, doubled or exchanged."""
    text = draw(st.sampled_from(SMALL))
    for _ in range(draw(st.integers(1, 3))):
        pieces = re.findall(r"\w+|\s+|.", text) if draw(st.booleans()) else list(text)
        at = draw(st.integers(0, len(pieces) - 1))
        match draw(st.sampled_from(["delete", "insert", "replace", "double", "exchange"])):
            case "delete":
                del pieces[at]
            case "insert":
                pieces.insert(at, draw(MARK))
            case "replace":
                pieces[at] = draw(MARK)
            case "double":
                pieces.insert(at, pieces[at])
            case _:
                other = draw(st.integers(0, len(pieces) - 1))
                pieces[at], pieces[other] = pieces[other], pieces[at]
        text = "".join(pieces)
    return text


@settings(QUICK, max_examples=150)
@given(text=mutations())
def test_a_changed_sample_is_answered(text: str, machines: Machines) -> None:
    assert_answered(text, machines)
