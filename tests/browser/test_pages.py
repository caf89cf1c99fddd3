"""The pages in a real browser: login, session, languages, network, logout."""

import re
from dataclasses import replace

import pytest

from browser.pages import (
    ENGLISH,
    LIVE,
    STALE,
    SUBMIT,
    WITH_SERVICE_WORKER,
    log_in,
    settles,
    unexpected,
)
from factories import PASSWORD
from glassflow.pages import files
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

LOG_OUT = ".quiet-button"
#: Follows a link: whether the heading has the focus as soon as the new page is there.
FOCUS_AT_ONCE = """
    const before = document.querySelector("h1");
    const focused = new Promise((resolve) => new MutationObserver((_, observer) => {
      const heading = document.querySelector("h1");
      if (!heading || heading === before) return;
      observer.disconnect();
      resolve(document.activeElement === heading);
    }).observe(document.body, { childList: true, subtree: true }));
    document.querySelector(given).click();
    return focused;
"""
#: What is loaded when the page is shown already, and the session.
AFTER_THE_PAGE = ("/session", "offline.js", "outbox.js", "outbox_rows.js", "idb.js")
AFTER_THE_PAGE += (
    "person.js",
    "idempotency.js",
    "leave.js",
    "role_names.js",
    "manifest.webmanifest",
    "/api/setup",  # and what shows it in a workshop that is not set up
    "setup_steps.js",
    "page_icons.js",
    "vendor/icons.js",
)


@pytest.fixture
def account(workshop):
    return workshop.worker_with("admin")


def test_story_of_a_session(chromium, network, account):
    address = f"{network.url}/floor/"
    tab = chromium.profile(**ENGLISH).tab(network.url)
    tab.wait("#username")
    settles(lambda: (tab.focused(), tab.title()), ("username", "Log in · glassflow"))

    tab.click(SUBMIT)
    assert tab.text(".fault") == "Please enter your username and your password."
    log_in(tab, account, "wrong")
    wait_until(lambda: "is wrong" in tab.text(".fault"))
    tab.click('button[lang="th"]')
    wait_until(lambda: tab.text(".fault").startswith("ชื่อผู้ใช้หรือรหัสผ่านไม่ถูกต้อง"))
    assert tab.text("h1") == "เข้าสู่ระบบ"

    log_in(tab, account)
    tab.wait(LIVE)
    assert tab.text("h1") == f"สวัสดี {account.name}"
    assert tab.attribute("html", "lang") == "th"
    tab.click('button[lang="en"]')
    wait_until(lambda: tab.text("h1") == f"Hello, {account.name}")
    settles(tab.title, "Home · glassflow")
    tab.click(".switches .icon-button")
    assert tab.attribute("html", "data-theme") == "light"

    tab.reload()
    tab.wait(LIVE)  # without another login, in the language and the theme as chosen
    assert tab.text("h1") == f"Hello, {account.name}"
    assert tab.attribute("html", "data-theme") == "light"

    other = chromium.tab(f"{address}nothing")
    other.wait(LIVE)
    assert other.text("h1") == "There is no page here"
    other.click(".message a")
    wait_until(lambda: other.text("h1") == f"Hello, {account.name}")
    other.back()
    wait_until(lambda: other.text("h1") == "There is no page here")
    other.goto(f"{address}login")
    wait_until(lambda: other.text("h1") == f"Hello, {account.name}")

    tab.click(LOG_OUT)
    for one in (tab, other):
        one.wait("#username")
        wait_until(lambda one=one: "You are logged out" in one.text("form"))
        settles(one.focused, "username")
    other.reload()
    other.wait("#username")
    assert unexpected(chromium) == []


def test_page_shows_changes_and_the_age_of_what_it_shows(
    chromium, network, account, admin
):
    tab = chromium.profile(**ENGLISH).tab(f"{network.url}/floor/")
    log_in(tab, account)
    tab.wait(LIVE)
    assert "none since" in tab.text('[aria-labelledby="connection"]')
    admin.post("/api/materials", {"name": "ใส", "unit": "s", "reorderPoint": 1})
    wait_until(
        lambda: "none since" not in tab.text('[aria-labelledby="connection"]'),
        describe=lambda: tab.text("body"),
    )

    network.cut()
    tab.wait(STALE)
    wait_until(lambda: re.search(r"\b([6-9]|\d\d) seconds old", tab.text(STALE)))
    assert "No connection" in tab.text('[aria-labelledby="connection"]')
    tab.click(LOG_OUT)
    wait_until(lambda: "could not be logged out" in tab.text(".bar-fault"))
    network.restore()
    tab.wait(LIVE)
    assert unexpected(chromium) == []


def test_new_password_set_elsewhere_ends_the_page(chromium, server, account, admin):
    tab = chromium.profile(**ENGLISH).tab(f"{server}/floor/")
    log_in(tab, account)
    tab.wait(LIVE)
    path = f"/api/workers/{account.pk}"
    assert admin.patch(path, {"password": "another one 1"}).status == 200
    tab.wait("#username")
    assert unexpected(chromium) == []


def test_page_explains_a_service_that_does_not_answer_and_tries_again(
    chromium, network, app, account, monkeypatch
):
    tab = chromium.profile(**ENGLISH).tab(f"{network.url}/floor/")
    log_in(tab, account)
    tab.wait(LIVE)
    view = app.view_functions["pages_session.renew"]

    def failing():
        raise RuntimeError("broken on purpose")

    monkeypatch.setitem(app.view_functions, "pages_session.renew", failing)
    tab.reload()
    tab.wait(".message")
    assert "cannot read its data" in tab.text("[role=alert]")
    assert re.fullmatch("[0-9a-f]{32}", tab.text("code"))
    assert "Trying again in" in tab.text("main")
    monkeypatch.setitem(app.view_functions, "pages_session.renew", view)
    tab.wait(LIVE)
    chromium.call("problems")


def test_page_of_the_previous_release_loads_itself_again(
    chromium, server, account, monkeypatch
):
    # where a service worker or the cache keeps the previous release, nothing is missing
    tab = chromium.new_profile(**ENGLISH).tab(f"{server}/floor/")
    tab.wait("#username")
    with monkeypatch.context() as upgraded:
        newer = replace(files.pages(), version="0123456789abcdef")
        upgraded.setattr(files, "pages", lambda: newer)
        log_in(tab, account)
        tab.wait(".message")
        assert "could not be loaded" in tab.text(".message [role=alert]")
    tab.wait(LIVE)
    chromium.call("problems")


def test_page_says_how_long_to_wait_after_too_many_attempts(
    chromium, server, account, setting
):
    setting(LOGIN_ATTEMPTS_PER_MINUTE=1)
    tab = chromium.profile(**ENGLISH).tab(f"{server}/floor/")
    log_in(tab, account, "wrong")
    wait_until(lambda: "is wrong" in tab.text(".fault"))
    log_in(tab, account, "wrong")
    wait_until(lambda: re.search(r"wait (\d+ second|1 minute)", tab.text(".fault")))
    chromium.call("problems")


def test_nothing_comes_from_other_hosts_and_the_first_visit_is_small(
    chromium, server, account
):
    profile = chromium.profile(**ENGLISH, **WITH_SERVICE_WORKER)
    tab = profile.tab(f"{server}/floor/")
    log_in(tab, account)
    tab.wait(LIVE)
    asked = [address for _, address in chromium.call("requests")]
    assert all(one.startswith(f"{server}/") for one in asked), asked
    files = [one for one in asked if not one.endswith(AFTER_THE_PAGE)]
    assert len(files) == len(set(files)), "a file is loaded twice"
    assert 10 < len(files) <= 25, "\n".join(files)
    assert unexpected(chromium) == []


def test_focus_does_not_leave_where_somebody_types_on_a_new_page(
    chromium, server, account
):
    tab = chromium.profile(**ENGLISH).tab(f"{server}/floor/")
    log_in(tab, account)
    tab.wait(".pages a")
    assert tab.run(FOCUS_AT_ONCE, ".pages a[href='/floor/office']")
    assert unexpected(chromium) == []


def test_login_and_logout_work_with_the_keyboard_alone(chromium, server, account):
    tab = chromium.profile(**ENGLISH).tab(f"{server}/floor/")
    settles(tab.focused, "username")
    tab.fill("#username", account.username)
    tab.press("Tab")
    assert tab.focused() == "password"
    tab.fill("#password", PASSWORD)
    tab.press("Enter")
    tab.wait(LIVE)
    settles(tab.focused, "H1")
    for _ in range(5):  # the mark, both languages, the theme, logout
        tab.press("Shift+Tab")
    for _ in range(4):
        tab.press("Tab")
    tab.press("Enter")
    tab.wait("#username")
