"""The report page in a real browser: numbers as the command line's, nothing from outside, usable without a mouse."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.page.browser import chromium, coloured, complaints, opened, requests, violations

from apet.cli.main import main

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

SAMPLES = Path(__file__).resolve().parents[2] / "samples" / "pamela"
LARGEST = 1_500_000
CASES: dict[str, tuple[list[str], list[dict[str, float]]]] = {
    "pi": ([], [{"P": 5, "n": 123456789}, {"P": 32, "tasks": 1e6, "q": 0.1}, {"P": 1, "n": 0}, {"P": 17, "tasks": 99}]),
    "pi, tasks dealt by join": (["--schedule", "join"], [{"P": 9, "tasks": 50}, {"P": 32, "tasks": 100003}]),
    "primes-q": ([], [{"P": 7, "top": 1e6}, {"P": 32, "divisions": 3, "tasks": 17}]),
    "blocks": ([], [{"P": 3, "N": 1001}, {"P": 11, "N": 999999}]),
    "branches": (["--branches", "worst"], [{"hit": 0.25, "rounds": 12345}]),
    "round-robin": ([], [{"P": 4, "N": 1003}, {"P": 32, "N": 17}]),
    "triangular": ([], [{"n": 77}, {"n": 2}]),
    "machine-repair": ([], [{"M": 31, "before": 1.5}]),
    "servers": ([], [{"C": 17, "k": 3}]),
    "nested-use": ([], [{"J": 100}]),
    "network": ([], [{"P": 13}]),
}
LIGHT_AND_DARK = ("light", "dark")


def report(folder: Path, *words: str) -> Path:
    path = folder / "page.html"
    assert main(["report", *words, "-o", str(path)]) == 0
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Chrome]:
    with chromium() as found:
        yield found


class TestInTheBrowser:
    @pytest.mark.parametrize("name", CASES)
    def test_the_page_computes_what_predict_does(
        self, name: str, browser: Chrome, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        options, points = CASES[name]
        words = [str(SAMPLES / f"{name.partition(',')[0]}.pam"), "--machines", "join-2005", *options]
        opened(browser, report(tmp_path, *words))
        capsys.readouterr()
        for point in points:
            given = [w for n, v in point.items() if n != "P" for w in ("--set", f"{n}={v!r}")]
            processors = ["-P", str(point["P"])] if "P" in point else []
            assert main(["predict", *words, *processors, *given, "--json"]) == 0
            (expected,) = json.loads(capsys.readouterr().out)["predictions"]
            changes = {"P": expected["parameters"]["P"], **point}
            found = browser.execute_script("return Apet.here(arguments[0])", changes)
            for what in ("estimate", "lower", "upper"):
                ends = [expected[what]["tmin"], expected[what]["tmax"]]
                assert found[what] == pytest.approx(ends, rel=1e-12), what
            limit = browser.execute_script("return arguments[0].terms[arguments[1]]", _data(browser), found["term"])
            assert limit.partition("[")[0] == expected["limits"][0]["name"].partition("[")[0]
        assert complaints(browser) == []

    def test_a_slider_moves_the_numbers(self, browser: Chrome, tmp_path: Path) -> None:
        from selenium.webdriver.common.by import By
        from selenium.webdriver.common.keys import Keys
        from selenium.webdriver.support.ui import WebDriverWait

        opened(browser, report(tmp_path, str(SAMPLES / "pi.pam"), "--machines", "join-2005"))
        now = browser.find_element(By.ID, "now")
        before = now.text
        slider = browser.find_element(By.CSS_SELECTOR, 'input[type="range"][data-name="n"]')
        slider.send_keys(Keys.ARROW_LEFT)
        box = browser.find_element(By.CSS_SELECTOR, 'input[type="number"][data-name="n"]')
        assert 0 < float(str(box.get_attribute("value"))) < 1e9
        assert now.text != before
        box.clear()
        box.send_keys("1000000000", Keys.TAB)
        assert now.text == before
        browser.find_element(By.ID, "bounds").click()
        assert browser.find_element(By.ID, "what").text == "guaranteed"
        chart = browser.find_element(By.ID, "chart")
        chart.send_keys(Keys.ARROW_RIGHT)
        assert "P = " in browser.find_element(By.ID, "tip").text
        assert "Arrow keys" in str(chart.get_attribute("aria-label"))
        browser.find_element(By.CSS_SELECTOR, "#along2 option[value='n']").click()
        WebDriverWait(browser, 60).until(lambda b: b.find_elements(By.CSS_SELECTOR, "#map rect"))
        browser.find_element(By.ID, "reset").click()
        assert complaints(browser) == []

    @pytest.mark.parametrize(("name", "text"), [("P", "64"), ("P", "3.7"), ("P", "-2"), ("q", "7"), ("tasks", "1.5")])
    def test_a_box_refuses_what_the_command_line_refuses(
        self, name: str, text: str, browser: Chrome, tmp_path: Path
    ) -> None:
        from selenium.webdriver.common.by import By
        from selenium.webdriver.common.keys import Keys

        opened(browser, report(tmp_path, str(SAMPLES / "pi.pam"), "--machines", "join-2005"))
        box = browser.find_element(By.CSS_SELECTOR, f'input[type="number"][data-name="{name}"]')
        before, now = box.get_attribute("value"), browser.find_element(By.ID, "now").text
        box.send_keys(Keys.CONTROL, "a")
        box.send_keys(text, Keys.TAB)
        assert f"{name} = {text} is refused" in browser.find_element(By.ID, "warning").text
        assert (box.get_attribute("value"), browser.find_element(By.ID, "now").text) == (before, now)

    def test_nothing_is_asked_from_outside(self, browser: Chrome, tmp_path: Path) -> None:
        page = report(tmp_path, str(SAMPLES / "pi.pam"), "--machines", "join-2005")
        opened(browser, page)
        _settle(browser)
        assert set(requests(browser)) == {page.as_uri()}
        assert complaints(browser) == []

    @pytest.mark.parametrize("colours", LIGHT_AND_DARK)
    def test_it_is_accessible(self, colours: str, browser: Chrome, tmp_path: Path) -> None:
        coloured(browser, colours)
        opened(browser, report(tmp_path, str(SAMPLES / "pi.pam"), "--machines", "join-2005"))
        _settle(browser)
        assert violations(browser) == {}
        coloured(browser)

    def test_hostile_names_stay_text(self, browser: Chrome, tmp_path: Path) -> None:
        page = report(tmp_path, *_hostile(tmp_path), "--title", f"title {EVIL}")
        opened(browser, page)
        _settle(browser)
        assert browser.execute_script("return window.hacked") is None
        assert (
            browser.execute_script(
                "return document.querySelectorAll('img, iframe, object, [onload], [onerror]').length"
            )
            == 0
        )
        assert browser.execute_script("return document.scripts.length") == 6
        text = browser.execute_script("return document.body.innerText")
        assert text.count(EVIL) >= 5
        assert complaints(browser) == []

    def test_ten_thousand_terms_stay_usable(self, browser: Chrome, tmp_path: Path) -> None:
        names = [f"a{k}" for k in range(100)]
        model, machines = tmp_path / "wide.pam", tmp_path / "wide.toml"
        branches = " ||\n    ".join(f"{{ {'; '.join(f'{n}[{1 + k % 4}]' for n in names)} }}" for k in range(100))
        model.write_text(f"param n = 2;\nL = seq (i = 1, n) {{ {branches} }};\n")
        times = "\n".join(f"{n} = [{1 + k}e-3, {2 + k}e-3]" for k, n in enumerate(names))
        machines.write_text(f'schema = 1\nname = "wide"\n[[machine]]\nname = "m"\ncount = 4\n[machine.op_s]\n{times}\n')
        page = report(tmp_path, str(model), "--machines", str(machines), "-P", "4")
        assert page.stat().st_size < LARGEST
        opened(browser, page)
        _settle(browser)
        assert browser.execute_script("return document.querySelectorAll('*').length") < 60_000
        assert browser.execute_script("return document.querySelector('details') !== null")
        assert complaints(browser) == []


EVIL = "\"'</script></style><script>window.hacked=1</script><img src=x onerror=window.hacked=1>&amp;{{7*7}}"


def _hostile(folder: Path) -> list[str]:
    quoted = json.dumps(EVIL)
    (folder / "m.toml").write_text(
        f"schema = 1\nname = {quoted}\nnote = {quoted}\n[[machine]]\nname = {quoted}\nnote = {quoted}\ncount = 3\n"
        f"[machine.op_s]\nw = [0.5, 1.0]\n[network]\nlatency_s = 0.1\nbandwidth_B_per_s = 10.0\n"
        f"[[network.link]]\nfrom = {quoted}\nto = {quoted}\nlatency_s = 0.2\n[provenance]\n{quoted} = {quoted}\n"
    )
    model = folder / "evil'\"<b>.pam"
    model.write_text(f"// {EVIL}\nparam P;\nL = par (p = 1, P) {{ w[p]; send[p, 0](8); use($s, 0.1) }}; /* {EVIL} */\n")
    return [str(model), "--machines", str(folder / "m.toml")]


def _data(browser: Chrome) -> Any:
    return browser.execute_script("return JSON.parse(document.getElementById('data').textContent)")


def _settle(browser: Chrome) -> None:
    """Wait until the page has drawn everything."""
    settled = "document.getElementById('live').dataset.settled"
    wait = f"const wait = () => {settled} ? arguments[0]() : setTimeout(wait, 20); wait();"
    browser.execute_async_script(wait)


def test_the_page_stands_alone_and_is_small(tmp_path: Path) -> None:
    text = report(tmp_path, str(SAMPLES / "pi.pam"), "--machines", "join-2005").read_text()
    assert len(text) < LARGEST
    assert not re.search(r"(src|href)\s*=\s*[\"']?(https?:)?//", text)
    assert "url(" not in text.replace("url(#", "")
    for tag in ("<math", "<svg", "<h2", 'lang="en"', "Content-Security-Policy"):
        assert tag in text
    assert "2005" in text.partition("<main")[2]


def test_configurations_without_a_named_processor_are_left_out(tmp_path: Path) -> None:
    model, machines = tmp_path / "m.pam", tmp_path / "m.toml"
    model.write_text("L = w[3];")
    machines.write_text('schema = 1\nname = "four"\n[[machine]]\nname = "m"\ncount = 4\n[machine.op_s]\nw = 1\n')
    text = report(tmp_path, str(model), "--machines", str(machines)).read_text()
    rows = re.findall(r"<tr><td style=\"text-align:right\">(\d+)</td>", text.partition('id="predictions"')[2])
    assert rows == ["4"]


def test_hostile_names_are_escaped_in_the_text(tmp_path: Path) -> None:
    text = report(tmp_path, *_hostile(tmp_path), "--title", EVIL).read_text()
    assert "<img" not in text
    assert "<script>window" not in text
    assert text.count("<script") == 6


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--machines", "nowhere"], "nowhere"),
        (["--machines", "join-2005", "-P", "99"], "99"),
        (["--machines", "join-2005", "--set", "z=1"], "z"),
        ([], "--machines"),
    ],
)
def test_bad_input_writes_no_page(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "page.html"
    assert main(["report", str(SAMPLES / "pi.pam"), *words, "-o", str(path)]) == 2
    assert said in capsys.readouterr().err
    assert not path.exists()
