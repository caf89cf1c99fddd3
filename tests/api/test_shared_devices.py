"""Shared devices: who works there identifies with a badge or a PIN, and acts as that worker."""

import pytest
from mongoengine.connection import get_db

from clients import Api
from concurrency import run_concurrently
from factories import PASSWORD
from glassflow.core.access import device_sessions
from glassflow.domain import pins
from glassflow.domain.permissions import ACCOUNT_ROLES, VIEW_KEYS, expand
from glassflow.models.worker import Worker
from glassflow.services import history
from glassflow.services.auth import badges, identity
from page_client import PageClient
from scenarios import order_with_panes
from screens import Screen, refused_handshake

INVALID = (401, "Invalid or expired token")
FORBIDDEN = (403, "Not authorized for this action")


@pytest.fixture
def device_role(workshop):
    keys = list(ACCOUNT_ROLES["device"])
    return workshop.role(name="Shared device", slug="device", permissions=keys)


@pytest.fixture
def account(workshop, device_role):
    return workshop.worker(role=device_role, username="tablet", name="แท็บเล็ต")


@pytest.fixture
def tablet(server, account):
    """A page of a browser in which the account of a device is logged in."""
    browser = PageClient(server)
    page = browser.page(browser.log_in("tablet"))
    page.worker, page.browser = account, browser
    return page


@pytest.fixture
def somchai(workshop):
    return workshop.worker(name="สมชาย")


@pytest.fixture
def malee(workshop):
    return workshop.worker(name="มาลี")


def code_of(person):
    raw = Worker.collection().find_one({"_id": person.pk})
    return badges.code_of(raw)


def badge(admin, person):
    """Give a person a badge; return its code."""
    assert admin.post(f"/api/workers/{person.pk}/badge").status == 200
    return code_of(person)


def give_pin(admin, person, pin="2580"):
    return admin.put(f"/api/workers/{person.pk}/pin", {"pin": pin})


def scan_badge(tablet, code):
    return tablet.post("/api/auth/badge", {"code": code})


def type_pin(tablet, person, pin="2580"):
    return tablet.post("/api/auth/pin", {"worker": str(person.pk), "pin": pin})


def at(tablet, answer):
    """A client of the API with the token of who has identified on a device."""
    return Api(tablet.url, answer.data["token"])


def outcome(answer):
    return (answer.status, answer.message)


def code(answer):
    return (answer.status, answer.errors["code"])


def own_record(client):
    return client.get("/api/auth/me")


def test_scan_on_a_shared_device_is_that_of_who_has_identified(
    admin, tablet, somchai, malee, workshop
):
    job = order_with_panes(admin, workshop, steps=1, panes=1)
    number = job.numbers[0]
    assert outcome(tablet.scan(number, "scan_in")) == FORBIDDEN  # nobody has identified
    saved = {"name": "x", "resource": "panes", "shared": True}
    assert outcome(tablet.post("/api/saved-exports", saved)) == FORBIDDEN
    answer = scan_badge(tablet, badge(admin, somchai))
    assert answer.data["worker"]["name"] == "สมชาย"
    first = at(tablet, answer)
    assert first.scan(number, "scan_in").data["log"]["worker"] == str(somchai.pk)
    assert give_pin(admin, malee).data["pinSetAt"]
    assert tablet.get("/api/auth/people").data == [
        {"_id": str(malee.pk), "name": "มาลี"}
    ]
    second = at(tablet, type_pin(tablet, malee))
    assert outcome(own_record(first)) == INVALID  # one person at a time
    assert second.scan(number, "complete").status == 200
    logs = admin.get("/api/pane-logs", paneId=job.panes[0]["_id"]).data
    assert {log["action"]: log["worker"] for log in logs} == {
        "scan_in": str(somchai.pk),
        "complete": str(malee.pk),
    }
    history.update()
    changes = admin.get(f"/api/panes/{number}/history").data
    scans = [one for one in changes if one["by"] in (str(somchai.pk), str(malee.pk))]
    assert len(scans) == 2
    assert {one["via"] for one in scans} == {"device"}
    named = second.scan(number, "scan_out", operator=str(somchai.pk))
    assert outcome(named) == FORBIDDEN  # in nobody else's name
    assert second.post("/api/auth/logout").status == 200
    assert outcome(own_record(second)) == INVALID
    assert own_record(tablet).status == 200
    assert device_sessions.of_worker(malee.pk) == []


def test_rights_on_a_shared_device_are_those_of_device_and_worker(
    admin, tablet, workshop, device_role
):
    alone = tablet.browser.renew().data["permissions"]
    assert set(alone) == set(ACCOUNT_ROLES["device"]) & VIEW_KEYS
    boss = workshop.worker(role=workshop.roles["admin"])
    answer = scan_badge(tablet, badge(admin, boss))
    assert answer.data["permissions"] == sorted(ACCOUNT_ROLES["device"])
    powerful = at(tablet, answer)
    assert outcome(powerful.get("/api/workers")) == FORBIDDEN
    assert outcome(powerful.post("/api/roles", {"name": "x"})) == FORBIDDEN
    keys = ["panes:view", "customers:manage"]
    weak = workshop.worker(role=workshop.role(permissions=keys))
    answer = scan_badge(tablet, badge(admin, weak))
    assert answer.data["permissions"] == ["customers:names", "panes:view"]
    assert outcome(at(tablet, answer).post("/api/customers", {})) == FORBIDDEN
    everything = {"permissions": ["*"]}
    assert admin.patch(f"/api/roles/{device_role.pk}", everything).status == 200
    answer = scan_badge(tablet, code_of(boss))
    assert set(answer.data["permissions"]) == expand({"*"}) - {"*"}
    slug = admin.patch(f"/api/roles/{device_role.pk}", {"slug": "tablets"})
    assert code(slug) == (400, "SYSTEM_ROLE")


def test_device_that_is_bound_to_a_station_scans_there_only(
    admin, tablet, account, somchai, workshop
):
    job = order_with_panes(admin, workshop, steps=2, panes=2)
    first, second = job.stations
    bound = admin.patch(f"/api/workers/{account.pk}", {"station": first})
    assert bound.data["station"] == first
    person = at(tablet, scan_badge(tablet, badge(admin, somchai)))
    number = job.numbers[0]
    refusal = (403, "This device scans for its own station only")
    assert outcome(person.scan(number, "scan_in")) == refusal
    assert outcome(person.scan(number, "scan_in", station=second)) == refusal
    batch = {"paneNumbers": job.numbers, "action": "scan_in", "station": second}
    assert outcome(person.post("/api/panes/batch-scan", batch)) == refusal
    assert person.scan(number, "scan_in", station=first).status == 200
    assert admin.delete(f"/api/stations/{first}").status == 409
    admin.patch(f"/api/workers/{account.pk}", {"station": None})
    assert person.scan(number, "complete").status == 200


def test_badge_is_replaced_revoked_and_never_shown(admin, tablet, somchai):
    path = f"/api/workers/{somchai.pk}"
    old = badge(admin, somchai)
    secret = old.removeprefix("STDPLUS-WORKER:")
    assert secret not in str(Worker.collection().find_one({"_id": somchai.pk}))
    assert str(somchai.pk) not in old.lower()
    for read in (admin.get(path), admin.get("/api/workers", search=secret[:6])):
        assert secret not in read.text
    typed = scan_badge(tablet, f" ]Q1{old.lower()} ")
    session = at(tablet, typed)
    new = badge(admin, somchai)
    assert new != old
    assert outcome(own_record(session)) == INVALID
    assert code(scan_badge(tablet, old)) == (400, "BADGE_REFUSED")
    session = at(tablet, scan_badge(tablet, new))
    assert admin.delete(f"{path}/badge").data["badgeIssuedAt"] is None
    assert outcome(own_record(session)) == INVALID
    assert code(scan_badge(tablet, new)) == (400, "BADGE_REFUSED")
    issued = admin.post("/api/workers/badges", {"ids": [str(somchai.pk)]}).data
    kept = code_of(somchai)
    assert issued[0]["badgeIssuedAt"]
    everybody = admin.post("/api/workers/badges", {}).data
    assert str(somchai.pk) not in [one["_id"] for one in everybody]
    assert code_of(somchai) == kept  # only those who have none get one


def test_badge_and_pin_of_who_may_more_are_not_for_others_to_change(
    admin, client_with_keys, workshop
):
    boss = workshop.worker(role=workshop.roles["admin"])
    clerk = client_with_keys("workers:manage")
    path = f"/api/workers/{boss.pk}"
    assert outcome(clerk.post(f"{path}/badge")) == FORBIDDEN
    assert outcome(clerk.delete(f"{path}/badge")) == FORBIDDEN
    assert outcome(clerk.put(f"{path}/pin", {"pin": "2580"})) == FORBIDDEN
    assert outcome(clerk.delete(f"{path}/pin")) == FORBIDDEN
    assert outcome(clerk.post(f"{path}/logout")) == FORBIDDEN
    assert outcome(clerk.post("/api/workers/badges", {"ids": [str(boss.pk)]})) == (
        FORBIDDEN
    )
    badge(admin, boss)
    assert outcome(clerk.get("/api/labels", workers=str(boss.pk))) == FORBIDDEN
    equal = workshop.worker(role=workshop.role(permissions=["workers:view"]))
    assert clerk.post(f"/api/workers/{equal.pk}/badge").status == 200


def test_deactivated_worker_and_device_are_refused_at_once(
    admin, tablet, account, somchai, caplog
):
    token, badge_code = scan_badge(tablet, badge(admin, somchai)), code_of(somchai)
    give_pin(admin, somchai)
    session = at(tablet, scan_badge(tablet, badge_code))
    assert token.status == 200
    assert admin.patch(f"/api/workers/{somchai.pk}", {"isActive": False}).status == 200
    assert outcome(own_record(session)) == INVALID
    assert code(scan_badge(tablet, badge_code)) == (400, "BADGE_REFUSED")
    assert code(type_pin(tablet, somchai)) == (400, "PIN_REFUSED")
    refused = "login refused from 127.0.0.1: "
    lines = [one.getMessage() for one in caplog.records if one.name.endswith("logins")]
    assert lines[0].startswith(f'{refused}badge of "')
    assert lines[1:] == [f'{refused}PIN of "{somchai.pk}"']
    assert tablet.get("/api/auth/people").data == []
    admin.patch(f"/api/workers/{somchai.pk}", {"isActive": True})
    session = at(tablet, scan_badge(tablet, badge_code))
    assert own_record(session).status == 200
    admin.patch(f"/api/workers/{account.pk}", {"isActive": False})
    assert outcome(own_record(session)) == INVALID
    assert outcome(scan_badge(tablet, badge_code)) == INVALID


def test_clock_that_was_ahead_refuses_no_login_and_keeps_none_alive(
    admin, server, account, somchai, clock_at
):
    """A machine starts with a wrong time of day, until it has asked for the right one."""
    code = badge(admin, somchai)

    def all_logins():
        browser = PageClient(server)
        page = browser.page(browser.log_in("tablet"))
        credentials = {"username": somchai.username, "password": PASSWORD}
        token = Api(server).post("/api/auth/login", credentials).data["token"]
        yield from (page, Api(server, token), at(page, scan_badge(page, code)))
        yield browser.page(browser.renew())

    def end_all():
        for person in (somchai, account):
            assert admin.post(f"/api/workers/{person.pk}/logout").status == 200

    for ahead_s in (7 * 3600, 0):
        clock_at(ahead_s)
        logins = list(all_logins())
        assert [own_record(one).status for one in logins] == [200] * 4
        clock_at(0)
        end_all()
        for later_s in (0, 8 * 3600):
            clock_at(later_s)
            assert [own_record(one).status for one in logins] == [401] * 4
    clock_at(0)
    assert {own_record(one).status for one in all_logins()} == {200}


@pytest.mark.parametrize("ended", ["page", "token", "everywhere", "role"])
def test_sessions_on_a_device_end_with_its_login(
    admin, tablet, account, somchai, server, workshop, ended
):
    if ended == "token":
        tablet = Api(server, identity.issue(account.pk))
    session = at(tablet, scan_badge(tablet, badge(admin, somchai)))
    path = f"/api/workers/{account.pk}"
    if ended == "page":
        assert tablet.browser.log_out().status == 200
    elif ended == "token":
        assert tablet.post("/api/auth/logout").status == 200
    elif ended == "everywhere":
        assert admin.post(f"{path}/logout").status == 200
        assert tablet.browser.renew().status == 401
    else:
        other = {"role": str(workshop.roles["worker"].pk)}
        assert admin.patch(path, other).status == 200
    assert outcome(own_record(session)) == INVALID


def test_socket_of_a_person_on_a_device_closes_with_the_login_of_the_device(
    admin, tablet, somchai, server
):
    session = at(tablet, scan_badge(tablet, badge(admin, somchai)))
    screen = Screen(session)
    assert tablet.browser.log_out().status == 200
    screen.wait_for(lambda: not screen.socket.connected)
    (error,) = refused_handshake(server, {"token": session.token})
    assert error["message"] == INVALID[1]


def test_pin_is_throttled_and_locked_after_failures(
    admin, tablet, somchai, setting, server, account
):
    give_pin(admin, somchai)
    for _ in range(pins.MAX_FAILURES):
        assert code(type_pin(tablet, somchai, "1111")) == (400, "PIN_REFUSED")
    assert code(type_pin(tablet, somchai)) == (400, "PIN_LOCKED")
    assert admin.get("/api/notifications", type="pin_locked").data
    again = give_pin(admin, somchai, "13579")
    assert again.status == 200
    session = at(tablet, type_pin(tablet, somchai, "13579"))
    assert own_record(session).data["pinSetAt"]
    assert admin.delete(f"/api/workers/{somchai.pk}/pin").data["pinSetAt"] is None
    assert outcome(own_record(session)) == INVALID
    assert code(type_pin(tablet, somchai, "13579")) == (400, "PIN_REFUSED")
    setting(PIN_ATTEMPTS_PER_MINUTE=1)
    give_pin(admin, somchai)
    other = Api(server, identity.issue(account.pk))
    limited = [type_pin(one, somchai).status for one in (tablet, other, tablet)]
    assert limited[1:] == [429, 429]
    setting(DEVICE_ATTEMPTS_PER_MINUTE=1)
    answer = scan_badge(tablet, "STDPLUS-WORKER:NOTHING")
    assert answer.status == 429
    assert int(answer.headers["Retry-After"]) >= 1


def test_wrong_pins_are_limited_by_day_and_told_to_the_worker(
    admin, tablet, somchai, set_policy, server
):
    set_policy(pin_failures_per_day=3)
    give_pin(admin, somchai)
    person = Api(server, identity.issue(somchai.pk))
    for _ in range(2):  # right ones in between do not begin the day again
        assert code(type_pin(tablet, somchai, "1111")) == (400, "PIN_REFUSED")
        assert type_pin(tablet, somchai).status == 200
    assert person.get("/api/notifications").data == []
    assert code(type_pin(tablet, somchai, "1111")) == (400, "PIN_REFUSED")
    for pin in ("2580", "1111", "2580"):
        refused = code(type_pin(tablet, somchai, pin))
        assert refused == (400, "PIN_LOCKED_FOR_THE_DAY")
    (notice,) = person.get("/api/notifications").data
    assert (notice["type"], notice["title"]) == ("pin_locked", "PIN ของคุณถูกล็อก")
    give_pin(admin, somchai, "13579")
    assert type_pin(tablet, somchai, "13579").status == 200


def test_attempts_at_once_all_count(admin, tablet, somchai):
    give_pin(admin, somchai)
    attempts = [lambda: type_pin(tablet, somchai, "9999")] * (pins.MAX_FAILURES + 3)
    refused = [code(answer)[1] for answer in run_concurrently(attempts)]
    assert refused.count("PIN_REFUSED") <= pins.MAX_FAILURES
    assert code(type_pin(tablet, somchai)) == (400, "PIN_LOCKED")


GUESSED = "This PIN is too easily guessed: please choose another one"


@pytest.mark.parametrize(
    ("pin", "fault"),
    [
        ("258", "The PIN must have 4 to 8 digits"),
        ("258012345", "The PIN must have 4 to 8 digits"),
        ("25a0", "The PIN must have 4 to 8 digits"),
        ("๒๕๘๐", "The PIN must have 4 to 8 digits"),
        ("0000", GUESSED),
        ("45678", GUESSED),
        ("4321", GUESSED),
    ],
)
def test_what_is_no_good_pin_is_refused(admin, somchai, pin, fault):
    assert give_pin(admin, somchai, pin).faults == {"pin": fault}


def test_worker_sets_their_own_pin_with_the_password(worker, tablet):
    wrong = worker.put(
        "/api/auth/me/pin", {"pin": "2580", "currentPassword": "nothing"}
    )
    assert wrong.faults == {"currentPassword": "Current password is missing or wrong"}
    body = {"pin": "2580", "currentPassword": PASSWORD}
    assert worker.put("/api/auth/me/pin", body).data["pinSetAt"]
    assert type_pin(tablet, worker.worker).status == 200
    assert worker.delete("/api/auth/me/pin").data["pinSetAt"] is None
    assert code(type_pin(tablet, worker.worker)) == (400, "PIN_REFUSED")


def test_only_devices_identify_others(admin, worker, somchai, tablet):
    scanned = badge(admin, somchai)
    give_pin(admin, somchai)
    person = at(tablet, scan_badge(tablet, scanned))
    for caller in (admin, worker, person):
        assert outcome(scan_badge(caller, scanned)) == FORBIDDEN
        assert outcome(type_pin(caller, somchai)) == FORBIDDEN
        assert outcome(caller.get("/api/auth/people")) == FORBIDDEN


def test_of_two_badges_at_once_one_stays(admin, tablet, somchai, malee):
    codes = [badge(admin, one) for one in (somchai, malee)]
    scans = [lambda scanned=one: scan_badge(tablet, scanned) for one in codes * 2]
    answers = run_concurrently(scans)
    assert {answer.status for answer in answers} == {200}
    alive = [own_record(at(tablet, one)).status for one in answers]
    assert sorted(alive) == [200, 401, 401, 401]
    assert sum(len(device_sessions.of_worker(one.pk)) for one in (somchai, malee)) == 1


def test_next_person_identifies_after_one_who_is_deleted(admin, tablet, somchai, malee):
    session = at(tablet, scan_badge(tablet, badge(admin, somchai)))
    assert admin.delete(f"/api/workers/{somchai.pk}").status == 200
    assert outcome(own_record(session)) == INVALID
    assert scan_badge(tablet, badge(admin, malee)).status == 200
    assert device_sessions.of_worker(somchai.pk) == []


def test_account_of_a_device_is_nobody_who_could_identify(admin, tablet, account):
    assert code(scan_badge(tablet, badge(admin, account))) == (400, "BADGE_REFUSED")
    admin.delete(f"/api/workers/{account.pk}/badge")
    issued = admin.post("/api/workers/badges", {}).data
    assert [one["_id"] for one in issued] == [admin.id]


def test_answers_with_tokens_are_not_kept_for_a_key(admin, tablet, somchai):
    scanned = badge(admin, somchai)
    key = {"Idempotency-Key": "k1"}
    answers = [
        tablet.post("/api/auth/badge", {"code": scanned}, headers=key) for _ in range(2)
    ]
    tokens = [answer.data["token"] for answer in answers]
    assert tokens[0] != tokens[1]
    assert "Idempotency-Replayed" not in answers[1].headers


def test_printed_badge_is_not_kept_for_a_key(admin, somchai):
    badge(admin, somchai)
    body, key = {"workers": [str(somchai.pk)]}, {"Idempotency-Key": "k1"}
    before = get_db().kept_answers.count_documents({})
    for _ in range(2):
        printed = admin.post("/api/labels", body, headers=key)
        assert printed.status == 200
        assert "Idempotency-Replayed" not in printed.headers
    assert get_db().kept_answers.count_documents({}) == before


def test_badge_that_a_new_secret_has_ended_is_missing_and_issued_anew(
    app, admin, tablet, somchai, monkeypatch
):
    old = badge(admin, somchai)
    monkeypatch.setattr(app.extensions["tokens"], "_key", b"another JWT_SECRET")
    assert code(scan_badge(tablet, old)) == (400, "BADGE_REFUSED")
    refused = admin.get("/api/labels", workers=str(somchai.pk))
    assert refused.errors["code"] == "BADGE_MISSING"
    issued = admin.post("/api/workers/badges", {}).data
    assert str(somchai.pk) in [one["_id"] for one in issued]
    assert scan_badge(tablet, code_of(somchai)).status == 200
    assert admin.post("/api/workers/badges", {}).data == []


def test_screen_reads_the_board_and_nothing_of_people(server, workshop, admin):
    keys = list(ACCOUNT_ROLES["screen"])
    role = workshop.role(name="Screen", slug="screen", permissions=keys)
    wall = workshop.worker(role=role)
    order_with_panes(admin, workshop)
    screen = Api(server, identity.issue(wall.pk))
    board = screen.get("/api/board").data
    assert board["panes"]
    assert [order["customerName"] for order in board["orders"]] == [None]
    for path in ("/api/workers", "/api/customers", "/api/requests", "/api/roles"):
        assert outcome(screen.get(path)) == FORBIDDEN, path
    assert outcome(scan_badge(screen, "x")) == FORBIDDEN
