"""One's own account, the logins of a worker, and the change of a one-time password."""

import pytest

from browser.pages import (
    ENGLISH,
    LIVE,
    log_in,
    open_page,
    replace_one_time_password,
    see,
    unexpected,
)
from clients import Api
from factories import PASSWORD

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

ASK = ".dialog .main-button"
SESSIONS = 'section[aria-labelledby="sessions"]'
KEYS = 'section[aria-labelledby="api-keys"]'
RESET = 'section[aria-labelledby="reset"]'


def test_worker_sees_sessions_and_keys_and_changes_a_password_that_was_reset(
    chromium, server, admin, workshop, setting
):
    setting(REQUIRE_IF_MATCH=["workers"])
    somchai = workshop.worker(name="สมชาย", role=workshop.roles["worker"])
    body = {"username": somchai.username, "password": PASSWORD}
    program = {"User-Agent": "accounting/2.1"}
    login = Api(server).post("/api/auth/login", body, headers=program)
    other = Api(server, login.data["token"])

    mine = chromium.profile(**ENGLISH).tab(f"{server}/floor/office/account")
    log_in(mine, somchai)
    see(mine, SESSIONS, "accounting/2.1")
    see(mine, SESSIONS, "This device")
    see(mine, KEYS, "No key yet")
    mine.size(1280, 900)
    mine.click(f'{KEYS} button:has-text("New API key")')
    mine.fill("#ask-name", "Accounting")
    mine.fill("#ask-scopes", "panes:view, panes:fly")
    mine.fill("#ask-currentPassword", PASSWORD)
    mine.click(ASK)
    see(mine, ".dialog", "Unknown permission key: panes:fly")
    mine.fill("#ask-scopes", "panes:view")
    mine.click(ASK)
    see(mine, KEYS, "Copy this key now")
    key = mine.text(f"{KEYS} [role=status] code").strip()
    erp = Api(server, key)
    assert erp.get("/api/panes").status == 200
    see(mine, f"{KEYS} li", "Accounting")
    mine.click(f'{SESSIONS} li button:has-text("Log out")')
    mine.click(ASK)
    mine.wait(f"{SESSIONS} ul:not(:has(li + li))")
    assert other.get("/api/auth/me").status == 401

    boss = open_page(
        chromium.second_profile(**ENGLISH),
        f"{server}/floor/office/people/{somchai.pk}",
        admin.worker,
    )
    see(boss, f"{SESSIONS} li", "Chrom")
    see(boss, f"{KEYS} li", "Accounting")
    boss.click(f'{RESET} button:has-text("Reset the password")')
    boss.click(ASK)
    see(boss, RESET, "Note this one-time password now")
    password = boss.text(f"{RESET} [role=status] code").strip()
    boss.click(".record-history summary")
    see(boss, ".changes li:first-child", "API keys, Password, Logins")
    assert erp.get("/api/panes").status == 401

    mine.wait("#username")  # the reset has logged them out
    log_in(mine, somchai, password)
    mine.wait("#repeated")
    new = "one of my own 1"
    replace_one_time_password(mine, password, new, repeated="another one 1")
    see(mine, ".fault", "The two new passwords differ")
    replace_one_time_password(mine, password, new)
    mine.wait(LIVE)
    see(mine, SESSIONS, "This device")
    assert unexpected(chromium) == []
