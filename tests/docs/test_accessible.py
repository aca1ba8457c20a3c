"""Pages of the built site break no rule of accessibility, in light and dark. `make docs` builds it before the tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.docs.test_docs import ROOT
from tests.page.browser import chromium, coloured, opened, violations
from tests.work import crossed

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

SITE = ROOT / "docs" / "_build" / "html"
PAGES = ("index", "concepts", "install", "gallery", "tutorial/first-prediction", "howto/compare", "reference/cli")


@pytest.fixture(scope="module")
def browser() -> Iterator[Chrome]:
    if not (SITE / "index.html").exists():
        pytest.skip("the site is not built: make docs")
    with chromium() as each:
        yield each


@pytest.mark.parametrize(("page", "colours"), crossed(PAGES, ["light", "dark"]))
def test_a_page_of_the_site_is_accessible(page: str, colours: str, browser: Chrome) -> None:
    coloured(browser, colours)
    opened(browser, SITE / f"{page}.html")
    assert violations(browser) == {}
