"""The start page of a demo workshop: labels to scan without a scanner."""

import pytest

from api.test_labels import TEMPLATE
from browser.pages import (
    ENGLISH,
    LIVE,
    open_page,
    see,
    texts,
    unexpected,
)
from scenarios import order_with_panes
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

LABELS = ".try button"
NUMBER = ".card h2, .card strong"  # of the pane that the station shows


@pytest.fixture
def job(admin, worker, workshop):
    """Three panes: one waits, one is in work, one is to be handed on."""
    admin.post("/api/sticker-templates", TEMPLATE)
    job = order_with_panes(admin, workshop, panes=3)
    for number in job.numbers[1:]:
        assert worker.scan(number, "scan_in").status == 200
    assert worker.scan(job.numbers[2], "complete").status == 200
    return job


@pytest.fixture
def account(workshop):
    return workshop.worker_with("admin")


def test_label_on_the_start_page_of_a_demo_is_scanned_by_a_click(
    demo_settings, chromium, server, account, admin, job
):
    # the newest pane that waits is at no station
    assert admin.post("/api/panes", {}).status == 201
    tab = open_page(chromium.profile(**ENGLISH), f"{server}/floor/", account)
    tab.wait(LIVE)
    tab.wait(f"{LABELS} img")
    wait_until(lambda: len(texts(tab, ".try img")) == 3)
    assert texts(tab, ".try strong") == job.numbers
    states = texts(tab, ".try .soft")[-3:]
    for text, state in zip(
        ("waiting at", "in work at", "to hand on"), states, strict=True
    ):
        assert state.startswith(text)
    tab.click(f"li:nth-child(2) > {LABELS.split()[1]}")
    tab.wait(".station h1")
    wait_until(lambda: job.numbers[1] in tab.text(".station main"))
    assert unexpected(chromium) == []


def test_start_page_of_a_workshop_that_is_no_demo_has_no_labels(
    chromium, server, account, job
):
    tab = open_page(chromium.profile(**ENGLISH), f"{server}/floor/", account)
    tab.wait(LIVE)
    see(tab, ".card h2", "Set up the workshop")  # which is loaded as the labels are
    assert tab.count(".try") == 0
