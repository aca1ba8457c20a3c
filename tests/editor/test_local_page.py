"""The local server: for the person with the token only, within its limits, and usable in a real browser."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.page.browser import chromium, complaints

from apet.editor.local_page import MOST_POSTED, Server
from apet.editor.worker import Asked, Worker, made_of

PI = (Path(__file__).resolve().parents[2] / "samples" / "pamela" / "pi.pam").read_text()
EVIL = "</textarea></script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    found = Server(0, PI, "join-2005", Worker(60))
    threading.Thread(target=found.serve_forever, daemon=True).start()
    yield found
    found.shutdown()
    found.server_close()


def ask(
    server: Server, method: str, path: str, body: bytes | dict[str, Any] | None = None, **headers: str
) -> tuple[int, str, http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=120)
    data = json.dumps(body).encode() if isinstance(body, dict) else body
    connection.request(method, path, data, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text, answer


def post(server: Server, path: str, **body: Any) -> dict[str, Any]:
    status, text, _ = ask(server, "POST", path, body, X_Apet_Token=server.token)
    assert status == 200, text
    found: dict[str, Any] = json.loads(text)
    return found


def test_it_is_bound_to_loopback(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_only_the_token_opens_it(server: Server) -> None:
    assert ask(server, "GET", "/")[0] == 403
    assert ask(server, "GET", "/?token=wrong")[0] == 403
    assert ask(server, "POST", "/page", {"model": PI})[0] == 403
    assert ask(server, "POST", "/page", {"model": PI}, X_Apet_Token="é")[0] == 403
    status, text, answer = ask(server, "GET", f"/?token={server.token}")
    assert status == 200
    assert "<textarea" in text
    assert "default-src 'none'" in str(answer.getheader("Content-Security-Policy"))
    assert answer.getheader("Cache-Control") == "no-store"


def test_other_sites_cannot_ask(server: Server) -> None:
    port = server.server_address[1]
    assert ask(server, "GET", f"/?token={server.token}", Host=f"evil.example:{port}")[0] == 403
    given = {"X_Apet_Token": server.token, "Origin": "http://evil.example"}
    assert ask(server, "POST", "/start", {}, **given)[0] == 403
    assert ask(server, "POST", "/start", {}, X_Apet_Token=server.token, Origin=f"http://127.0.0.1:{port}")[0] == 200


def test_a_page_is_made_and_shown_without_an_origin(server: Server) -> None:
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
def test_mistakes_come_with_their_place(server: Server, given: dict[str, str], line: int, said: str) -> None:
    found = post(server, "/page", **given)
    assert not found["page"]
    assert any(m["line"] == line and said in m["text"] for m in found["mistakes"]), found["mistakes"]


def test_requests_have_limits(server: Server) -> None:
    token = {"X_Apet_Token": server.token}
    assert ask(server, "POST", "/page", b"[]", **token)[0] == 400
    assert ask(server, "POST", "/page", b"{", **token)[0] == 400
    assert ask(server, "POST", "/page", b"[" * 100_000, **token)[0] == 400
    assert ask(server, "POST", "/page", {"model": 3}, **token)[0] == 400
    assert ask(server, "POST", "/other", {}, **token)[0] == 404
    assert ask(server, "POST", "/page", b"", Content_Length=str(MOST_POSTED + 1), **token)[0] == 413
    assert ask(server, "POST", "/page", b"", Content_Length="-5", **token)[0] == 413
    assert ask(server, "PUT", "/page", b"", **token)[0] == 501


def test_what_takes_too_long_is_ended_and_the_next_works() -> None:
    worker = Worker(0.001)
    made = worker.make(Asked(PI, "join-2005"))
    assert "more than 0.001 seconds" in made.mistakes[0].text
    worker.seconds = 60
    assert worker.make(Asked(PI, "join-2005")).page
    worker.close()


def test_a_deep_model_is_answered() -> None:
    made = made_of(Asked("L = " + "{" * 3000 + "delay(1)" + "}" * 3000 + ";", "join-2005"))
    assert made.page or made.mistakes


@pytest.mark.xdist_group("browser")
def test_a_person_writes_a_model(server: Server) -> None:
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
        area.send_keys(f"; // {EVIL}")
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
