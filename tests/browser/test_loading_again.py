"""Pages whose files cannot be loaded, as while the service starts: they load them again."""

import pytest
from werkzeug.exceptions import ServiceUnavailable

from browser.pages import ENGLISH, LIVE, open_logged_in, see
from glassflow.pages import files
from page_files import joined_pages, written_pages
from scenarios import order_with_panes
from sizes import size
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

FAULT = ".message.failed"
BOARD = "/floor/board?lang=en"


@pytest.fixture
def missing(monkeypatch):
    """The names of the files that the service does not serve now."""
    names, serve = set(), files.serve_static

    def serve_others(version, name):
        if name in names:
            raise ServiceUnavailable
        return serve(version, name)

    monkeypatch.setattr(files, "serve_static", serve_others)
    return names


@pytest.fixture
def serve(monkeypatch):
    """Lets the service have the files of the pages as written, or joined."""

    def serve_pages(pages):
        served = pages()
        monkeypatch.setattr(files, "pages", lambda: served)

    return serve_pages


#: A file of an area; its styles, and a module as it is written, in `make test-long`.
FILES = size(
    [(joined_pages, "js/joined/board.js")],
    long=[
        (joined_pages, "js/joined/board.js"),
        (joined_pages, "js/pages/board/board.css"),
        (written_pages, "js/pages/board/lane.js"),
    ],
)


@pytest.mark.parametrize(("pages", "name"), FILES)
def test_page_without_one_of_its_files_says_so_and_gets_it(
    chromium, server, workshop, missing, serve, pages, name
):
    serve(pages)
    account = workshop.worker_with("admin")
    missing.add(name)
    tab = open_logged_in(chromium.new_profile(**ENGLISH), f"{server}{BOARD}", account)
    tab.wait(FAULT)
    assert "could not be loaded" in tab.text(FAULT)
    assert "Trying again in" in tab.text(FAULT)
    missing.clear()
    tab.wait(f".board {LIVE}")
    assert tab.count(FAULT) == 0


#: Files that every page begins with.
FIRST = size(
    [
        (joined_pages, "js/joined/main.js"),
        (joined_pages, "texts/start.en.js"),
        (written_pages, "js/core/api.js"),
    ],
    long=[
        (joined_pages, "js/joined/main.js"),
        (joined_pages, "js/main.css"),
        (joined_pages, "texts/start.en.js"),
        (written_pages, "js/main.js"),
        (written_pages, "js/core/api.js"),
    ],
)


@pytest.mark.parametrize(("pages", "name"), FIRST)
def test_page_without_one_of_the_first_files_says_so_and_loads_it_again(
    chromium, server, workshop, missing, serve, pages, name
):
    serve(pages)
    account = workshop.worker_with("admin")
    missing.add(name)
    tab = open_logged_in(chromium.new_profile(**ENGLISH), f"{server}{BOARD}", account)
    if name != "js/main.css":  # without which the page goes on
        see(tab, ".starting", "Trying again every 4 seconds")
    missing.clear()
    asked = []

    def is_asked_again():
        asked.extend(one for _, one in chromium.call("requests") if one.endswith(name))
        return len(asked) > 1

    wait_until(is_asked_again)
    tab.wait(f".board {LIVE}")


def test_station_without_one_of_its_parts_says_so_and_gets_it(
    chromium, server, workshop, admin, missing, serve
):
    serve(written_pages)
    station = order_with_panes(admin, workshop, steps=1, panes=1).stations[0]
    account = workshop.worker_with("admin")
    missing.add("js/pages/station/queue_list.js")
    address = f"{server}/floor/s/{station}"
    tab = open_logged_in(chromium.new_profile(**ENGLISH), address, account)
    see(tab, FAULT, "Trying again in")
    missing.clear()
    tab.wait(".queue li")
