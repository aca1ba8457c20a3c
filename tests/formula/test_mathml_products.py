"""Products in MathML can be read: names of several letters do not run together."""

from __future__ import annotations

import pytest

from apet import compile_text

DOT, SPACED = "<mo>\u22c5</mo>", '<mo lspace="0" rspace="0.2em">\u2062</mo>'


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        ("5 * straggle * maps", f"<mn>5</mn>{SPACED}<mi>straggle</mi>{DOT}<mi>maps</mi>"),
        ("5 * a * b", "<mn>5</mn><mo>\u2062</mo><mi>a</mi><mo>\u2062</mo><mi>b</mi>"),
    ],
)
def test_long_names_are_apart(end: str, expected: str) -> None:
    names = ("a", "b", "straggle", "maps")
    text = " ".join(f"param {name} = 2;" for name in names) + f"L = seq (i = 1, {end}) delay(1);"
    assert expected in compile_text(text, "m.pam").T0.mathml()
