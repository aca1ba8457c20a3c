"""The local server: for the person with the token only, within its limits, and usable in a real browser."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.page.browser import chromium, coloured, complaints, violations

from apet.editor import local_page
from apet.editor.local_page import MOST_POSTED, PageServer
from apet.editor.worker import PageRequest, Worker, made_of

TOP = Path(__file__).resolve().parents[2]
PI = (TOP / "samples" / "pamela" / "pi.pam").read_text()
SHIPPED = TOP / "machines"
EVIL = "</textarea></script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>"


@pytest.fixture(scope="module")
def server() -> Iterator[PageServer]:
    found = PageServer(0, PI, "join-2005", Worker(60))
    threading.Thread(target=found.serve_forever, daemon=True).start()
    yield found
    found.shutdown()
    found.server_close()


def ask(
    server: PageServer, method: str, path: str, body: bytes | dict[str, Any] | None = None, **headers: str
) -> tuple[int, str, http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=120)
    data = json.dumps(body).encode() if isinstance(body, dict) else body
    connection.request(method, path, data, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text, answer


def post(server: PageServer, path: str, **body: Any) -> dict[str, Any]:
    status, text, _ = ask(server, "POST", path, body, X_Apet_Token=server.token)
    assert status == 200, text
    found: dict[str, Any] = json.loads(text)
    return found


def test_it_is_bound_to_loopback(server: PageServer) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_only_the_token_opens_it(server: PageServer) -> None:
    assert ask(server, "GET", "/")[0] == 403
    assert ask(server, "GET", "/?token=wrong")[0] == 403
    assert ask(server, "POST", "/page", {"model": PI})[0] == 403
    assert ask(server, "POST", "/page", {"model": PI}, X_Apet_Token="é")[0] == 403
    status, text, answer = ask(server, "GET", f"/?token={server.token}")
    assert status == 200
    assert "<textarea" in text
    assert "default-src 'none'" in str(answer.getheader("Content-Security-Policy"))
    assert answer.getheader("Cache-Control") == "no-store"


def test_other_sites_cannot_ask(server: PageServer) -> None:
    port = server.server_address[1]
    assert ask(server, "GET", f"/?token={server.token}", Host=f"evil.example:{port}")[0] == 403
    given = {"X_Apet_Token": server.token, "Origin": "http://evil.example"}
    assert ask(server, "POST", "/start", {}, **given)[0] == 403
    assert ask(server, "POST", "/start", {}, X_Apet_Token=server.token, Origin=f"http://127.0.0.1:{port}")[0] == 200


def test_a_page_is_made_and_shown_without_an_origin(server: PageServer) -> None:
    found = post(server, "/page", model=PI, machines="join-2005", settings="n=1e6\nq=0.5")
    assert found["mistakes"] == []
    status, text, answer = ask(server, "GET", found["page"])
    assert status == 200
    assert "<math" in text
    assert str(answer.getheader("Content-Security-Policy")).startswith("sandbox allow-scripts;")
    assert ask(server, "GET", "/shown/other")[0] == 404


@pytest.mark.parametrize(
    ("given", "line", "said"),
    [
        ({"model": "L = a[;", "machines": "join-2005"}, 1, ""),
        ({"model": PI.replace("param q", "param r"), "machines": "join-2005"}, 23, "q"),
        ({"model": PI, "machines": "nowhere"}, 0, "nowhere"),
        ({"model": PI, "machines": "/etc/passwd"}, 0, "machines"),
        ({"model": PI, "machines": "../machines/join-2005"}, 0, "machines"),
        ({"model": PI, "machines": "schema = 1\nname = 3"}, 0, "machines"),
        ({"model": PI, "machines": "join-2005", "settings": "z=1"}, 0, "z"),
        ({"model": PI, "machines": "join-2005", "branches": "other"}, 0, "branches"),
        ({"model": "", "machines": "join-2005"}, 0, ""),
    ],
)
def test_mistakes_come_with_their_place(server: PageServer, given: dict[str, str], line: int, said: str) -> None:
    found = post(server, "/page", **given)
    assert not found["page"]
    assert any(m["line"] == line and said in m["text"] for m in found["mistakes"]), found["mistakes"]


def test_examples_are_the_shipped_models(server: PageServer) -> None:
    examples = post(server, "/start")["examples"]
    assert "pamela/pi.pam" in examples
    assert all(name.endswith(".pam") for name in examples)
    assert post(server, "/example", name="pamela/pi.pam") == {"model": PI}
    for name in ("../machines/join-2005.toml", "queueing/terminals.toml", "/etc/passwd", 3, ["pamela/pi.pam"], None):
        assert ask(server, "POST", "/example", {"name": name}, X_Apet_Token=server.token)[0] == 404
    assert ask(server, "POST", "/example", {"name": "pamela/pi.pam"})[0] == 403


def test_requests_have_limits(server: PageServer) -> None:
    token = {"X_Apet_Token": server.token}
    assert ask(server, "POST", "/page", b"[]", **token)[0] == 400
    assert ask(server, "POST", "/page", b"{", **token)[0] == 400
    assert ask(server, "POST", "/page", b"[" * 100_000, **token)[0] == 400
    assert ask(server, "POST", "/page", {"model": 3}, **token)[0] == 400
    assert ask(server, "POST", "/other", {}, **token)[0] == 404
    assert ask(server, "POST", "/page", b"", Content_Length=str(MOST_POSTED + 1), **token)[0] == 413
    assert ask(server, "POST", "/page", b"", Content_Length="-5", **token)[0] == 413
    assert ask(server, "PUT", "/page", b"", **token)[0] == 501


@pytest.mark.parametrize("settings", ["thorough=1", "app=3", "machines=2", "title=x", "values=1", "schedule=1"])
def test_settings_are_values_of_parameters_only(server: PageServer, settings: str) -> None:
    answer = post(server, "/page", model=PI, machines="join-2005", settings=settings)
    assert not answer["page"]
    assert all("memory" not in m["text"] and "apet failed" not in m["text"] for m in answer["mistakes"])


def test_no_other_file_is_read_and_nothing_is_measured(
    server: PageServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").write_text((SHIPPED / "join-2005.toml").read_text())
    monkeypatch.chdir(tmp_path)
    for name in ("this", "mine", "mine.toml", "join-2005.toml"):
        made = made_of(PageRequest(PI, name))
        assert not made.page
        assert "join-2005" in made.diagnostics[0].advice


def test_what_is_no_text_is_refused(server: PageServer) -> None:
    token = {"X_Apet_Token": server.token}
    assert ask(server, "POST", "/page", b'{"model": "\\ud800"}', **token)[0] == 400


def raw(server: PageServer, request: bytes) -> bytes:
    """What the server answers to these bytes."""
    with socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=60) as connection:
        connection.sendall(request)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def test_requests_that_are_no_requests_are_answered(server: PageServer) -> None:
    host = b"Host: 127.0.0.1:%d\r\n" % server.server_address[1]
    assert b" 400 " in raw(server, b"GET http://[/ HTTP/1.0\r\n" + host + b"\r\n").splitlines()[0]
    twice = b"GET /?token=" + server.token.encode() + b" HTTP/1.0\r\n" + host + b"Host: evil.example\r\n\r\n"
    assert b" 403 " in raw(server, twice).splitlines()[0]
    assert b" 403 " in raw(server, twice.replace(b"Host: evil.example\r\n", b"").replace(host, b"")).splitlines()[0]


def test_slow_and_many_clients_are_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_page, "PATIENCE", 0.5)
    monkeypatch.setattr(local_page, "MOST_CONNECTIONS", 2)
    server = PageServer(0, PI, "join-2005", Worker(60))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_address[1]
    slow = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in range(2)]
    for connection in slow:
        connection.sendall(b"GET / HTTP/1.0\r\n")
    with socket.create_connection(("127.0.0.1", port), timeout=30) as third:
        assert third.recv(1) == b""  # too many
    for connection in slow:
        while connection.recv(65536):  # hung up on, perhaps after an answer that refuses
            pass
        connection.close()

    while not ask_quietly(server):  # their places are free again
        time.sleep(0.05)
    server.shutdown()
    server.server_close()


def ask_quietly(server: PageServer) -> bool:
    try:
        return ask(server, "GET", f"/?token={server.token}")[0] == 200
    except (OSError, http.client.HTTPException):
        return False


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal on this system")
def test_the_worker_ends_with_its_server_whatever_ends_it(tmp_path: Path) -> None:
    endless = (
        "L = " + " || ".join(f"par (i{k} = 1, 9000) use(r[i{k} % 97, {k}], 1 + i{k} % 13)" for k in range(40)) + ";"
    )
    program = (
        "import sys, threading\n"
        "from apet.editor.worker import PageRequest, Worker\n"
        "if __name__ == '__main__':\n"
        "    worker = Worker(600)\n"
        "    worker._started()\n"
        "    print(worker._process.pid, flush=True)\n"
        "    worker.make(PageRequest(sys.argv[1], 'join-2005'))\n"
    )
    (tmp_path / "serving.py").write_text(program)
    server = subprocess.Popen([sys.executable, tmp_path / "serving.py", endless], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    worker = int(server.stdout.readline())
    server.send_signal(signal.SIGKILL)
    server.wait()
    server.stdout.close()

    deadline = time.monotonic() + 30
    while running(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not running(worker)


def running(process: int) -> bool:
    """Whether a process is there that is no zombie."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_what_takes_too_long_is_ended_and_the_next_works() -> None:
    worker = Worker(0.001)
    made = worker.make(PageRequest(PI, "join-2005"))
    assert "more than 0.001 seconds" in made.diagnostics[0].text
    worker.seconds = 60
    assert worker.make(PageRequest(PI, "join-2005")).page
    worker.close()


def test_a_deep_model_is_answered() -> None:
    made = made_of(PageRequest("L = " + "{" * 3000 + "delay(1)" + "}" * 3000 + ";", "join-2005"))
    assert made.page or made.diagnostics


def test_a_person_writes_a_model(server: PageServer) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    with chromium() as browser:
        browser.get(server.address)
        wait = WebDriverWait(browser, 60)
        wait.until(lambda b: b.find_element(By.ID, "page").get_attribute("src"))
        assert server.token not in browser.current_url

        def number() -> str:
            browser.switch_to.frame("page")
            wait.until(lambda b: b.find_element(By.ID, "now").text)
            found = browser.find_element(By.ID, "now").text
            browser.switch_to.default_content()
            return found

        assert number().endswith(" s")
        area = browser.find_element(By.ID, "model")
        area.clear()
        area.send_keys("L = delay(2 s)")
        wait.until(lambda b: b.find_elements(By.CSS_SELECTOR, "#mistakes li"))
        assert "line 1" in browser.find_element(By.ID, "mistakes").text
        assert browser.find_elements(By.CSS_SELECTOR, "#marks mark")
        write = "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))"
        browser.execute_script(write, area, "L = /* 😀 */ 3;")
        wait.until(lambda b: "a number" in b.find_element(By.ID, "mistakes").text)
        browser.find_element(By.CSS_SELECTOR, "#mistakes button").click()
        chosen = "return arguments[0].value.slice(arguments[0].selectionStart, arguments[0].selectionEnd)"
        assert browser.execute_script(chosen, area) == "3"
        area.clear()
        area.send_keys(f"L = delay(2 s); // {EVIL}")
        wait.until(
            lambda b: (
                not b.find_elements(By.CSS_SELECTOR, "#mistakes li") and "ms" in b.find_element(By.ID, "state").text
            )
        )
        wait.until(lambda b: number() == "2 s")
        assert browser.execute_script("return window.hacked") is None
        browser.switch_to.frame("page")
        assert browser.execute_script("return window.hacked") is None
        assert browser.execute_script("return window.origin") == "null"
        browser.switch_to.default_content()
        assert [c for c in complaints(browser) if "favicon" not in c] == []


def test_a_person_takes_an_example_and_saves(server: PageServer) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import Select, WebDriverWait

    with chromium() as browser:
        browser.get(server.address)
        wait = WebDriverWait(browser, 60)
        wait.until(lambda b: b.find_elements(By.CSS_SELECTOR, "#marks .keyword"))
        area, marks = browser.find_element(By.ID, "model"), browser.find_element(By.ID, "marks")
        text = str(area.get_property("value"))
        assert marks.get_property("textContent") == text + "\n"
        numbers = str(browser.find_element(By.ID, "numbers").get_property("textContent")).split()
        assert numbers == [str(k + 1) for k in range(text.count("\n") + 1)]

        Select(browser.find_element(By.ID, "examples")).select_by_visible_text("pamela/blocks.pam")
        wait.until(lambda b: "blocks" in str(area.get_property("value")))
        area.send_keys(" ")
        Select(browser.find_element(By.ID, "examples")).select_by_visible_text("pamela/pi.pam")
        browser.switch_to.alert.dismiss()
        assert "blocks" in str(area.get_property("value"))

        share = browser.find_element(By.ID, "share")
        wait.until(lambda b: share.get_attribute("href"))
        assert share.get_attribute("download") == "prediction.html"
        browser.execute_script("window.saved = []; URL.createObjectURL = (blob) => (saved.push(blob), '#')")
        browser.find_element(By.ID, "save").click()
        saved = browser.execute_async_script("saved[0].text().then(arguments[0])")
        assert saved == area.get_property("value")
        assert [c for c in complaints(browser) if "favicon" not in c] == []


def test_tab_completes_a_word_that_was_begun_and_escape_leaves_it(server: PageServer) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    with chromium() as browser:
        browser.get(server.address)
        WebDriverWait(browser, 60).until(lambda b: b.find_elements(By.CSS_SELECTOR, "#marks .keyword"))
        area, offers = browser.find_element(By.ID, "model"), browser.find_element(By.ID, "offers")
        area.clear()
        area.send_keys("param rounds = 3; L = se")
        assert [b.text for b in offers.find_elements(By.TAG_NAME, "button")] == ["send", "seq", "servers"]
        area.send_keys("q (i = 1, rou", Keys.TAB, ") del", Keys.ESCAPE, "ay(1)")
        assert area.get_property("value") == "param rounds = 3; L = seq (i = 1, rounds) delay(1)"
        assert not offers.is_displayed()
        area.send_keys(Keys.TAB)
        assert browser.switch_to.active_element != area


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_page_is_accessible_with_a_model_errors_and_completions(server: PageServer, colours: str) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    with chromium() as browser:
        coloured(browser, colours)
        browser.get(server.address)
        wait = WebDriverWait(browser, 60)
        wait.until(lambda b: b.find_element(By.ID, "page").get_attribute("src"))
        browser.find_element(By.TAG_NAME, "summary").click()
        assert violations(browser) == {}

        area = browser.find_element(By.ID, "model")
        area.clear()
        area.send_keys("L = nothing(2 s) se")
        wait.until(lambda b: b.find_elements(By.CSS_SELECTOR, "#mistakes li"))
        assert browser.find_element(By.ID, "offers").is_displayed()
        assert violations(browser) == {}
