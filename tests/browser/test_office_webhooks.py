"""Webhooks in the office, by a browser: made, their secret, and parked deliveries."""

import pytest

from waiting import wait_until
from webhook_receiver import parked_delivery

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


def test_webhook_is_made_its_secret_shown_once_and_a_parked_event_sent_again(
    open_office, chromium, admin, setting
):
    setting(REQUIRE_IF_MATCH=["webhooks"])
    tab = open_office(admin.worker, "webhooks")
    tab.wait(".empty")
    tab.press("n")
    tab.wait("#field-url")
    tab.fill("#field-url", "https://example.com/hook")
    tab.fill("#field-events", "order:updated, pane:updated")
    tab.click("#field-isActive")  # nothing is sent by this test
    tab.click(".form-buttons .main-button")
    tab.wait(".secret code")
    assert tab.text(".secret code").startswith("whsec_")
    hook = admin.get("/api/webhooks").data[0]
    assert hook["events"] == ["order:updated", "pane:updated"]
    parked_delivery(hook["_id"])
    tab.reload()
    tab.wait(".deliveries li button")
    assert tab.count(".secret code") == 0
    tab.click(".deliveries li button")
    path = f"/api/webhooks/{hook['_id']}/deliveries"
    wait_until(lambda: admin.get(path).data["deliveries"][0]["status"] == "queued")
    wait_until(lambda: "Queued" in tab.text(".deliveries"))
    tab.click('.secret button:has-text("Replace")')
    tab.click(".dialog .main-button")
    tab.wait(".secret code")
    assert tab.text(".secret code").startswith("whsec_")
