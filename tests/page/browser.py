"""A headless Chromium for pages, where the machine has one."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1200,1600",
)


@contextmanager
def chromium() -> Iterator[Chrome]:
    """A browser that logs its console and its requests; the test is skipped where there is none."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    program, driver = shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("Chromium and its driver are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(driver, env={**os.environ, "HOME": os.environ.get("HOME", "/tmp")})
    browser = webdriver.Chrome(options=options, service=service)
    browser.set_page_load_timeout(120)
    browser.set_script_timeout(120)
    try:
        yield browser
    finally:
        browser.quit()


def opened(browser: Chrome, page: Path) -> None:
    """Open a page from disk with empty logs."""
    for kind in ("browser", "performance"):
        browser.get_log(kind)  # type: ignore[no-untyped-call]
    browser.get(page.as_uri())


def complaints(browser: Chrome) -> list[str]:
    """What the console says of errors and warnings since the page was opened."""
    found: list[dict[str, Any]] = browser.get_log("browser")  # type: ignore[no-untyped-call]
    return [entry["message"] for entry in found if entry["level"] in ("SEVERE", "WARNING")]


def requests(browser: Chrome) -> list[str]:
    """The addresses that were asked for since the page was opened."""
    logged: list[dict[str, Any]] = browser.get_log("performance")  # type: ignore[no-untyped-call]
    events = [json.loads(entry["message"])["message"] for entry in logged]
    return [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]


def coloured(browser: Chrome, scheme: str = "") -> None:
    """Let pages find that the user prefers "light" or "dark", or nothing."""
    features = [{"name": "prefers-color-scheme", "value": scheme}] if scheme else []
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def violations(browser: Chrome) -> dict[str, list[str]]:
    """The rules of accessibility that the page breaks, by axe-core, with the elements; skipped where it is missing."""
    axe = pytest.importorskip("axe_core_python.base", reason="axe-core is not installed")
    script = Path(axe.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
    browser.execute_cdp_cmd("Runtime.evaluate", {"expression": script})
    call = "axe.run().then(arguments[0], (e) => arguments[0]({violations: [{id: e + '', nodes: []}]}))"
    answer: dict[str, Any] = browser.execute_async_script(call)
    return {rule["id"]: [node["html"][:300] for node in rule["nodes"]] for rule in answer["violations"]}
