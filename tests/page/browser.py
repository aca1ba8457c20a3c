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
