"""One Chromium for all tests of a test process."""

import pytest
from bson import ObjectId

from browser.chromium import Chromium
from browser.pages import ENGLISH, open_office_page
from glassflow.services import demo_mark
from glassflow.services.reports import board
from optional_tools import require_chromium, require_node


@pytest.fixture(scope="session")
def running_chromium():
    """Returns the browser of this test process; another one if it has crashed."""
    started = []

    def running():
        if not started or started[-1].has_ended():
            path = require_chromium()
            require_node("playwright-core")
            require_node("axe-core")
            started.append(Chromium(path))
        return started[-1]

    yield running
    for one in started:
        one.close()


@pytest.fixture(scope="module")
def chromium(running_chromium):
    """The browser without profiles.

    Its start takes as much as a short story, so no module has its own.
    """
    return running_chromium()


@pytest.fixture(autouse=True)
def _close_pages(request):
    """Close the pages at the end of a test: they would call the service during the next.

    A text that is missing fails the test, also where it looks at no logged problem.
    """
    yield
    if "chromium" in request.fixturenames:
        browser = request.getfixturevalue("chromium")
        if isinstance(browser, Chromium) and not browser.has_ended():
            browser.call("forget")
            assert browser.call("missingTexts") == []


@pytest.fixture(autouse=True)
def _no_board_of_another_test(monkeypatch):
    """Let the board have another tag in each test.

    The tag is the number of an event, and `workshop` makes records without one: a profile
    has the board of an earlier test in its cache, which would pass as the current one.
    """
    tag_at, test = board.tag_at, ObjectId()
    monkeypatch.setattr(board, "tag_at", lambda *of: f"{tag_at(*of)}.{test}")


@pytest.fixture
def demo_settings(app, monkeypatch):
    """The setting of `make run`, and a store without work that has the demo workshop."""
    monkeypatch.setitem(app.config, "DEMO", True)
    assert demo_mark.begin()
    demo_mark.end()


@pytest.fixture
def open_office(chromium, server):
    """Opens an office page as an account: `open_office(account, "requests")`.

    In a browser that forgets all others, unless it is told another `profile`.
    """

    def open_as(account, path="", profile=None, **options):
        begin = profile or chromium.profile
        address = f"{server}/floor/office" + (f"/{path}" if path else "")
        return open_office_page(begin(**(options or ENGLISH)), address, account)

    return open_as
