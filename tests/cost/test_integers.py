"""Which parameters must be whole: those that stand where only a whole number makes sense."""

from __future__ import annotations

import pytest

from apet.cost.integers import whole_parameters
from apet.ground.source import Source
from apet.model.pamela import parse
from apet.model.resolve import resolve

WHOLE = {
    "seq (i = 1, n) a[1]": "n",
    "seq (i = 1, n - 1) a[1]": "n",
    "seq (i = 1, 2 * n + m) a[1]": "m n",
    "seq (i = 1, n / m) a[1]": "",
    "seq (i = 1, n * half) a[1]": "",
    "seq (i = 1, sqrt(n)) a[1]": "",
    "seq (i = 1, n ^ 2) a[1]": "",
    "seq (i = 1, min(n, 3)) a[1]": "n",
    "seq (i = 1, -n) a[1]": "n",
    "a[n + 1]": "n",
    "a[n ^ 2]": "n",
    "send[n, 1](m)": "n",
    "use(r[n], m)": "n",
    "w[n](m)": "n",
    "graph { u: par (i = 1, 2) a[1]; v: a[n] after u }": "n",
    "delay(n)": "",
    "delay(n % 2)": "n",
    "delay((n + m) % 2 + n)": "m n",
    "delay(3 % (2 * n))": "n",
    "delay(half % 2)": "half",
    "delay(t[n])": "n",
    "delay(t[2 * n - m])": "m n",
    "delay(t[ceil(n)])": "",
    "delay(sum(k = 1, n, k / m))": "n",
    "delay(sum(k = 1, n - m, half))": "m n",
    "if (n % 3) delay(1)": "n",
}


@pytest.mark.parametrize("process", WHOLE)
def test_a_parameter_is_whole_where_its_place_asks_for_it(process: str) -> None:
    text = f"""param n = 1; param m = 2; param half = 0.5; param t = [1, 2, 3]; resource r[k];
        L = {process}; w[p](x) = a[p];"""
    assert " ".join(sorted(whole_parameters(resolve(parse(Source("a.pam", text)))))) == WHOLE[process]


def test_numbers_of_servers_are_whole_but_for_their_own_subscripts() -> None:
    text = "param n = 1; param k = 1; resource r[k] servers n + k; L = use(r[1], 1);"
    assert whole_parameters(resolve(parse(Source("a.pam", text)))) == {"n"}
