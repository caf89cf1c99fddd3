"""The pages without network, in a real browser: start, keep scans, send them later."""

import re
from functools import wraps

import pytest

from browser.pages import (
    ENGLISH,
    INSTALLED,
    LIVE,
    STALE,
    WITH_SERVICE_WORKER,
    log_in,
)
from factories import PASSWORD
from glassflow.pages import files
from lookups import pane_actions
from scenarios import order_with_panes
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

OUTBOX = f"/floor/static/{files.pages().version}/js/core/outbox.js"
KEEP_OUTBOX = f"""const [name] = await caches.keys();
await (await caches.open(name)).add("{OUTBOX}");"""
IMPORT = f'const {{ outbox, send }} = await import("{OUTBOX}");'
SEND = f"""{IMPORT}
const now = new Date();
const [number, action] = given;
const {{ kind }} = await send(`/panes/${{number}}/scan`, {{ action }}, {{ occurredAt: now }});
return kind;"""
WAITING = f"{IMPORT} return outbox.value.waiting.map(({{ body }}) => body.action);"
#: What waits and the status of what was refused; empty until the page has read it.
KEPT = f"""{IMPORT}
const {{ waiting, refused }} = outbox.value;
return [waiting.map(({{ body }}) => body.action), refused.map(({{ refusal }}) => refusal.status)];"""
TWO_MINUTES_LATER = "const now = Date.now; Date.now = () => now() + 120_000;"
#: Whether the service worker of this cache has installed all and taken over.
IS_ACTIVE = """
if (!(await caches.has(given))) return false;
const shell = await (await caches.open(given)).match("/floor/");
const { active, installing, waiting } = await navigator.serviceWorker.getRegistration();
return Boolean(shell && !installing && !waiting && active.state === "activated");"""


def enter(tab, worker):
    """Log in; the page is live then."""
    log_in(tab, worker)
    tab.wait(LIVE)


def install(tab):
    """Wait until the pages start without network, and keep a module that tests import."""
    assert tab.run(INSTALLED) == 1
    tab.run(KEEP_OUTBOX)


def scan(tab, number, action):
    return tab.run(SEND, [number, action])


def test_board_starts_and_scans_are_kept_without_network_and_carried_out_once(
    chromium, app, network, admin, manager, workshop, monkeypatch
):
    job = order_with_panes(admin, workshop, panes=2)
    first, second = job.numbers
    board_address = f"{network.url}/floor/board"
    tab = chromium.profile(**ENGLISH, **WITH_SERVICE_WORKER).tab(
        f"{network.url}/floor/"
    )
    tab.wait("#username")
    enter(tab, manager.worker)
    install(tab)
    board = chromium.tab(board_address)
    board.wait(LIVE)
    board.wait(".rack")
    shown = board.attributes(".rack", "aria-label")
    assert len(shown) == len(job.stations)

    network.cut()
    board.wait(STALE)
    board.close()
    steps = [(first, "scan_in"), (first, "start"), (second, "scan_out")]
    steps += [(first, "complete"), (second, "scan_in")]
    assert [scan(tab, *step) for step in steps] == ["kept"] * 5
    tab.close()

    tab = chromium.tab(f"{network.url}/floor/")  # a cold start
    tab.wait(STALE)
    assert tab.text("h1") == f"Hello, {manager.worker.name}"
    wait_until(lambda: tab.run(WAITING) == [action for _, action in steps])
    assert scan(tab, first, "scan_out") == "kept"
    tab.close()

    board = chromium.tab(board_address)
    board.wait(STALE)
    board.wait(".rack")
    assert board.attributes(".rack", "aria-label") == shown
    board.run(TWO_MINUTES_LATER)
    board.wait(".board[data-old]")  # nobody takes it for the present

    # the answer to the first of them is lost, after it was carried out
    view, lost = app.view_functions["scans.scan"], []

    @wraps(view)
    def lose_one_answer(**values):
        answer = view(**values)
        if not lost:
            lost.append(values)
            network.drop()
        return answer

    monkeypatch.setitem(app.view_functions, "scans.scan", lose_one_answer)
    network.restore()
    tab = chromium.tab(f"{network.url}/floor/")
    tab.wait(LIVE)
    wait_until(lambda: tab.run(KEPT) == [[], [400]], describe=lambda: tab.run(KEPT))
    assert lost
    assert pane_actions(admin, first) == ["scan_in", "start", "complete", "scan_out"]
    assert pane_actions(admin, second) == ["scan_in"]
    board.wait(LIVE)
    board.wait(".board:not([data-old])")
    tab.reload()
    tab.wait(LIVE)
    wait_until(lambda: tab.run(KEPT) == [[], [400]])
    assert scan(tab, second, "complete") == "answered"


def test_logout_leaves_nothing_to_start_with_but_keeps_unsent_scans(
    chromium, network, admin, worker, manager, workshop
):
    number = order_with_panes(admin, workshop).numbers[0]
    tab = chromium.profile(**ENGLISH, **WITH_SERVICE_WORKER).tab(
        f"{network.url}/floor/"
    )
    tab.wait("#username")
    enter(tab, worker.worker)
    install(tab)
    network.cut()
    assert scan(tab, number, "scan_in") == "kept"
    # logged out elsewhere; this page hears of it when the network is back
    admin.patch(f"/api/workers/{worker.id}", {"password": PASSWORD})
    network.restore()
    tab.wait(".unsent")  # the login page says that somebody has to log in
    assert "not sent: 1" in tab.text(".unsent")
    assert pane_actions(admin, number) == []

    enter(tab, manager.worker)
    assert tab.run(WAITING) == []
    (other,) = tab.run(f"{IMPORT} return outbox.value.others;")
    assert (other["name"], other["waiting"]) == (worker.worker.name, 1)
    assert pane_actions(admin, number) == []
    tab.click(".quiet-button")
    tab.wait("#username")
    assert (
        tab.run("return Object.keys(localStorage).filter((k) => /kept/.test(k));") == []
    )

    enter(tab, worker.worker)
    wait_until(lambda: pane_actions(admin, number) == ["scan_in"])
    wait_until(lambda: tab.run(WAITING) == [])  # the page has the answer, too
    tab.click(".quiet-button")
    tab.wait("#username")
    network.cut()
    tab.reload()
    tab.wait(".message")  # nobody goes on as who has logged out
    assert "does not answer" in tab.text(".message [role=alert]")


def test_newer_release_is_used_from_the_next_start_and_kept_for_offline(
    chromium, network, worker, monkeypatch, tmp_path
):
    tab = chromium.profile(**ENGLISH, **WITH_SERVICE_WORKER).tab(
        f"{network.url}/floor/"
    )
    tab.wait("#username")
    enter(tab, worker.worker)
    assert tab.run(INSTALLED) == 1
    changed = tmp_path / "shell.html"
    changed.write_text(
        files.SHELL.read_text("utf-8").replace(
            "<title>glassflow", "<title>newer glassflow"
        ),
        "utf-8",
    )
    with monkeypatch.context() as upgraded:
        upgraded.setattr(files, "SHELL", changed)
        newer = files.pages.__wrapped__()
        assert newer.version != files.pages().version
        upgraded.setattr(files, "pages", lambda: newer)
        tab.reload()
        tab.wait(LIVE)
        used = "return document.querySelector('script[type=module]').src;"
        assert newer.version in tab.run(used)
        wait_until(lambda: tab.run(IS_ACTIVE, f"glassflow-{newer.version}"))
        network.cut()
        tab.reload()
        tab.wait(STALE)
        assert newer.version in tab.run(used)
        loaded = tab.run(
            "return performance.getEntriesByType('resource').map(({ name }) => name);"
        )
        versions = {
            found[1] for one in loaded if (found := re.search("/static/(\\w+)/", one))
        }
        assert versions == {newer.version}
    network.restore()
