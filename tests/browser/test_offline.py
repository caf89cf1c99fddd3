"""The pages without network, in a real browser: start, keep scans, send them later."""

import re
from functools import wraps

import pytest
from werkzeug.exceptions import ServiceUnavailable

from browser.pages import (
    ENGLISH,
    INSTALLED,
    LIVE,
    STALE,
    WITH_SERVICE_WORKER,
    log_in,
    see,
)
from browser.slow_requests import hold_requests
from browser.station_steps import (
    KEPT as AMBER,
)
from browser.station_steps import (
    NEXT,
    YES,
    offers,
    open_station,
    says,
)
from browser.station_steps import (
    scan as scan_code,
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
SEND_200 = f"""{IMPORT}
const sent = Array.from({{ length: 200 }}, () => send(`/panes/${{given}}/scan`, {{ action: "start" }}));
await Promise.all(sent);"""
#: Whether the first service worker has failed to install.
NO_WORKER = "return !(await navigator.serviceWorker.getRegistration());"


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


def queue_of(tab):
    """What the rows of the queue say, by the number of the pane."""
    rows = [" ".join(text.split()) for text in tab.texts(".queue li")]
    return {row.split()[0]: row.split(maxsplit=1)[1] for row in rows}


def keep(tab, number, *actions):
    """Scan a pane without network, and press the next step for each of these actions."""
    scan_code(tab, f"STDPLUS:{number}")
    for action in actions:
        offers(tab, action)
        tab.click(NEXT)
        wait_until(lambda done=action: done in tab.text(".status-line"))


def waiting(tab, count):
    wait_until(
        lambda: len(tab.run(WAITING)) == count, describe=lambda: tab.run(WAITING)
    )


def test_kept_scans_are_taken_back_and_the_answers_of_the_others_stay(
    chromium, app, network, admin, workshop, monkeypatch
):
    job = order_with_panes(admin, workshop, steps=2, panes=4)
    first, second, third, untouched = job.numbers
    elsewhere = order_with_panes(admin, workshop, steps=2).numbers[0]
    account, address = workshop.worker_with("worker"), f"/floor/s/{job.stations[0]}"
    options = ENGLISH | WITH_SERVICE_WORKER
    tab = open_station(chromium, network.url, account, address, **options)
    tab.wait(".queue li")
    tab.wait(LIVE)
    install(tab)
    network.cut()
    tab.wait(".pill:not([data-kind=live])")
    keep(tab, first, "Take in", "Done")
    keep(tab, second, "Take in", "Done", "Hand on")
    waiting(tab, 5)
    says(tab, AMBER, "Hand on")
    tab.click(".undo")  # no seconds: as long as it is not sent
    says(tab, YES, "Undone", "Not sent: Hand on")
    waiting(tab, 4)
    offers(tab, "Hand on")
    keep(tab, third, "Take in")

    # one that is not here is kept, but told apart and not counted
    scan_code(tab, f"STDPLUS:{elsewhere}")
    outside = '.verdict[data-kind="outside"]'
    says(tab, outside, "Not in this queue")
    tab.click(NEXT)
    says(tab, outside, "Not in this queue", "Take in")
    waiting(tab, 6)
    assert tab.text(".queue h2") == "Queue 4"
    assert "In work 1 To hand on 2" in " ".join(tab.text(".counts").split())
    assert list(queue_of(tab))[-1] == elsewhere
    assert "Not in this queue" in queue_of(tab)[elsewhere]

    # another tab, in which the page starts anew, takes back what the first one kept
    other = chromium.tab(f"{network.url}{address}")
    other.wait(".pill.kept")
    other.click(".pill.kept")
    other.wait(".waiting-rows li")
    take_in = f'.waiting-rows > ul > li:has-text("{second} Take in")'
    other.click(f"{take_in} button")
    see(other, take_in, f"{second} Done")  # which goes with it
    other.click(f'{take_in} button:has-text("Take all 2 back")')
    see(other, ".sheet-body > [role=status]", f"{second} Take in")
    waiting(other, 4)
    waiting(tab, 4)
    other.close()
    assert "to send" not in queue_of(tab)[second]

    # what is sent shows as it was answered, before the list is read again
    with monkeypatch.context() as slow:
        released = hold_requests(slow, app, "panes.index")
        network.restore()
        tab.wait(LIVE)
        waiting(tab, 0)
        tab.wait(".pill.refused")
        shown = " ".join(tab.text(".counts").split())
        assert shown == "Waiting 2 In work 1 To hand on 1"
        assert set(queue_of(tab)) == {first, second, third, untouched}
        released.set()
    assert pane_actions(admin, first) == ["scan_in", "complete"]
    assert pane_actions(admin, second) == []


def test_scan_whose_answer_was_lost_is_not_taken_back(
    chromium, app, network, admin, workshop, monkeypatch
):
    job = order_with_panes(admin, workshop, steps=2, panes=2)
    lost, later = job.numbers
    account, address = workshop.worker_with("worker"), f"/floor/s/{job.stations[0]}"
    tab = open_station(chromium, network.url, account, address, **ENGLISH)
    tab.wait(".queue li")
    tab.wait(LIVE)
    tab.run(IMPORT)  # no other module can be loaded once the network is lost
    view = app.view_functions["scans.scan"]

    @wraps(view)
    def carry_out_and_cut(**values):
        answer = view(**values)
        network.cut()
        return answer

    with monkeypatch.context() as losing:
        losing.setitem(app.view_functions, "scans.scan", carry_out_and_cut)
        keep(tab, lost, "Take in")
        says(tab, AMBER, "Take in")
    keep(tab, later, "Take in")
    tab.run(SEND_200, later)
    tab.click(".pill.kept")
    waiting(tab, 202)
    see(tab, f'.waiting-rows li:has-text("{lost}")', "it may be recorded")
    assert tab.count(f'.waiting-rows li:has-text("{lost}") button') == 0
    tab.click(f'.waiting-rows > ul > li:has-text("{later} Take in") button')
    tab.click('button:has-text("Take all 201 back")')
    waiting(tab, 1)
    network.restore()
    wait_until(lambda: tab.run(WAITING) == [])
    assert pane_actions(admin, lost) == ["scan_in"]
    assert pane_actions(admin, later) == []


def test_interrupted_installation_is_made_up_for_when_the_network_is_back(
    chromium, app, network, admin, workshop, monkeypatch
):
    job = order_with_panes(admin, workshop, steps=2)
    account, address = workshop.worker_with("worker"), f"/floor/s/{job.stations[0]}"
    view, interrupted = app.view_functions["pages.static_file"], []

    @wraps(view)
    def fail_at_the_last(version, name):
        if name.endswith("offer.js"):  # no page of the floor has it
            interrupted.append(name)
            raise ServiceUnavailable
        return view(version, name)

    with monkeypatch.context() as failing:
        failing.setitem(app.view_functions, "pages.static_file", fail_at_the_last)
        options = ENGLISH | WITH_SERVICE_WORKER
        tab = open_station(chromium, network.url, account, address, **options)
        tab.wait(LIVE)
        wait_until(lambda: interrupted)
        wait_until(lambda: tab.run(NO_WORKER))
        tab.click('.signs [aria-label="This device"]')
        see(tab, ".starts", "does not start without network yet")
    network.cut()
    tab.wait(".pill:not([data-kind=live])")
    network.restore()
    tab.wait(LIVE)
    see(tab, ".starts", "This device starts without network.")
    network.cut()
    tab.reload()
    tab.wait(STALE)

    # a station that this device has never shown is waited for, in words
    tab.goto(f"{network.url}/floor/s/{job.stations[1]}")
    see(tab, ".message", "Trying again in")
    network.restore()
    tab.wait(".queue:not([aria-busy])")
    tab.run("Object.defineProperty(navigator, 'serviceWorker', { value: undefined });")
    tab.click('.signs [aria-label="This device"]')
    see(tab, ".starts", "plain http")


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
