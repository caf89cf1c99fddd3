"""A call for help: on the board, and on the phones of those who may answer."""

import pytest

from browser.pages import (
    ENGLISH,
    LIVE,
    follow,
    open_page,
    see,
    texts,
    unexpected,
)
from browser.slow_requests import hold_requests
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

PHONE = ENGLISH | {"viewport": {"width": 390, "height": 844}, "hasTouch": True}
CALL, BAR = ".lane .call", ".call-bar li"


@pytest.fixture
def phone(chromium, server, workshop):
    """Opens the start page on the phone of a manager: `phone("Somchai")`."""

    def open_phone(name):
        owner = workshop.worker(name=name, role=workshop.roles["manager"])
        return open_page(chromium.second_profile(**PHONE), f"{server}/floor/", owner)

    return open_phone


def of_bar(tab):
    return " ".join(" ".join(texts(tab, BAR)).split())


def test_a_call_is_answered_from_a_phone(chromium, server, workshop, worker, phone):
    washing = workshop.station(name="ล้าง (Washing)", position=1)
    drilling = workshop.station(name="เจาะ (Drilling)", position=2)
    viewer = workshop.worker_with("admin")
    board = open_page(chromium.profile(**ENGLISH), f"{server}/floor/board", viewer)
    board.wait(".lane .rack")
    somchai = phone("Somchai")
    follow(somchai, "labels")
    assert somchai.count(BAR) == 0

    stop = {"station": str(washing.pk), "kind": "machine", "machineStands": True}
    call = worker.post("/api/calls", stop | {"reason": "Belt torn"}).data
    other = {"station": str(washing.pk), "kind": "question"}
    asked = worker.post("/api/calls", other).data
    see(board, f'{CALL}[data-state="stands"]', "nobody comes yet")
    wait_until(lambda: "+1" in board.text(CALL))
    see(somchai, BAR, f"{worker.worker.name} called")
    wait_until(lambda: len(somchai.texts(BAR)) == 2)
    assert "Washing machine stands" in of_bar(somchai)
    assert "Belt torn" in of_bar(somchai)
    # a third one is behind a link, and the bar stays on another page
    third = {"station": str(drilling.pk), "kind": "glass"}
    glass = worker.post("/api/calls", third).data
    see(somchai, '.call-bar a[href="/floor/office/calls"]', "1 more")
    follow(somchai, "")
    assert len(somchai.texts(BAR)) == 2
    for one in (asked, glass):
        assert worker.post(f"/api/calls/{one['_id']}/end", {}).status == 200
    wait_until(lambda: len(somchai.texts(BAR)) == 1)

    somchai.tap(f"{BAR} .main-button")
    see(somchai, BAR, "You go to Washing")
    see(board, CALL, "Somchai comes")
    somchai.click(f"{BAR} .quiet-button")  # I cannot
    see(board, CALL, "nobody comes yet")
    somchai.click(f'{BAR}[data-state="open"] .main-button')
    see(board, CALL, "Somchai comes")
    somchai.click(f'{BAR}[data-state="taken"] .main-button')
    wait_until(lambda: somchai.count(BAR) + board.count(CALL) == 0)
    assert worker.get(f"/api/calls/{call['_id']}").data["status"] == "ended"
    assert unexpected(chromium) == []


def test_one_of_two_who_go_at_once_is_told_of_the_other(
    chromium, app, workshop, worker, phone, monkeypatch
):
    station = workshop.station(name="Washing")
    body = {"station": str(station.pk), "kind": "other"}
    call = worker.post("/api/calls", body).data
    somchai, malee = phone("Somchai"), phone("Malee")
    released = hold_requests(monkeypatch, app, "calls.take")
    for one in (somchai, malee):
        one.click(f"{BAR} .main-button")
        one.wait(f"{BAR} .main-button:disabled")
    released.set()
    address = f"/api/calls/{call['_id']}"
    wait_until(lambda: worker.get(address).data["status"] == "taken")
    first = worker.get(address).data["takenByName"]
    goes, stays = (somchai, malee) if first == "Somchai" else (malee, somchai)
    see(goes, BAR, "You go to Washing")
    see(stays, ".call-bar .said", f"{first} goes already")
    wait_until(lambda: stays.count(BAR) == 0)
    wait_until(lambda: stays.count(".call-bar .said") == 0)  # after a moment
    assert unexpected(chromium) == []


def test_who_called_is_not_asked_to_go(chromium, server, workshop, manager):
    station = workshop.station(name="Washing")
    body = {"station": str(station.pk), "kind": "question"}
    tab = open_page(chromium.profile(**PHONE), f"{server}/floor/", manager.worker)
    assert manager.post("/api/calls", body).status == 201
    see(tab, BAR, "You called")
    assert tab.count(f"{BAR} .main-button") == 0
    # the maintenance of a station waits for nobody
    closed = {"status": "maintenance"}
    assert manager.patch(f"/api/stations/{station.pk}", closed).status == 200
    tab.click(f"{BAR} button")  # it is done
    wait_until(lambda: tab.count(BAR) == 0)
    follow(tab, "board")
    see(tab, f'{CALL}[data-state="maintenance"]', "since")
    tab.wait(".lane[data-closed]")
    tab.wait(LIVE)
    assert unexpected(chromium) == []
