"""The documentation page in a browser: both documents, nothing from other hosts."""

import contextlib

import pytest

from browser.pages import ENGLISH, see, unexpected
from waiting import START_TIMEOUT_S, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
PRESSES = 4  # of a button, at most
CUSTOMERS = 'a[href*="tag/customers"]'
SEND = '[role=dialog] [data-addressbar-action="send"]'
TOKEN = '[role=dialog] input[placeholder="Token"]'
RESPONSE = '[role=dialog] section[aria-label="Response"]'


def appears(tab, selector, timeout_s=START_TIMEOUT_S):
    """Wait for a part of the page, which computes for seconds before it shows any."""
    found = f"{selector}:visible"
    wait_until(lambda: tab.count(found), timeout_s, lambda: tab.text("body"))


def open_by(tab, button, part):
    """Press a button until its part appears: a page that still renders loses a press."""
    appears(tab, button)
    for _ in range(PRESSES - 1):
        tab.click(button)
        with contextlib.suppress(AssertionError):
            return appears(tab, part, START_TIMEOUT_S / PRESSES)
    tab.click(button)
    return appears(tab, part)


def send(tab, token, *shown):
    """Send the opened request with a token, and wait for what is shown of its answer."""
    tab.fill(TOKEN, token)
    tab.click(f"{SEND}:visible")
    for text in shown:
        see(tab, RESPONSE, text)


def test_both_documents_are_shown_with_requests_to_try_and_nothing_from_elsewhere(
    chromium, server, admin, client_with_keys
):
    tab = chromium.profile(**ENGLISH).tab(f"{server}/api/docs")
    create = '.show-api-client-button:has-text("(post /api/customers)")'
    open_by(tab, CUSTOMERS, create)
    open_by(tab, create, SEND)
    send(tab, "", "401", '"message": "Not authenticated"')
    scanner = client_with_keys("panes:scan")
    send(tab, scanner.token, "403", '"message": "Not authorized for this action"')
    assert admin.get("/api/customers").data == []
    send(tab, admin.token, "201 Created", '"message": "Customer created"')
    (created,) = admin.get("/api/customers").data
    see(tab, RESPONSE, f'"_id": "{created["_id"]}"')
    tab.close()
    # a tab of its own: the page sets the hash while it is scrolled and rendered
    tab = chromium.tab(f"{server}/api/docs#events/description/introduction")
    appears(tab, 'a[href*="#events/"]')
    wait_until(lambda: "customers" not in tab.text("nav, aside"))
    asked = [address for _, address in chromium.call("requests")]
    assert {f"{server}/api/openapi.json", f"{server}/api/asyncapi.json"} <= set(asked)
    assert [
        one for one in asked if not one.startswith((server, "data:", "blob:"))
    ] == []
    assert unexpected(chromium) == []  # such as what the policy forbids
