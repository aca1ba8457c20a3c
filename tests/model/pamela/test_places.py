"""Each term knows the text that it was read from."""

from __future__ import annotations

import pytest

from apet.ground.source import Source
from apet.model.pamela import parse
from apet.model.walk import processes

PROCESSES = (
    "delay(1)",
    "use(r, 1)",
    "use(r[1, 2], { a[1]; a[2] })",
    "a[1](2)",
    "send[1, 2](8)",
    "if (q) a[1]|if (q)",
    "if (q) a[1] else b[2]|if (q)",
    "seq (i = 1, 3) a[i]|seq (i = 1, 3)",
    "par (i = 1, 3) { a[i] }|par (i = 1, 3)",
    "{ }",
    "graph { x: a[1]; y: b[1] after x }|graph",
)


@pytest.mark.parametrize("shown", PROCESSES)
@pytest.mark.parametrize("around", ["{}", "{{ a[7]; {} }}", "seq (k = 1, 2) {}", "use(s, {{ {} }})"])
def test_a_process_has_the_place_of_its_text(shown: str, around: str) -> None:
    written, _, place = shown.partition("|")
    text = f"param q in [0, 1];\nL = {around.format(written)};"
    begin = text.index(written)
    spans = [p.span for p in processes(parse(Source("a.pam", text)))]
    assert (begin, begin + len(place or written)) in [(span.start, span.end) for span in spans]
