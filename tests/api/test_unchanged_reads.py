"""Reads that a client has already: 304, or named here as an exception."""

import pytest

from glassflow.web.operation import operation_of
from scenarios import order_with_panes

#: Answers in JSON without an entity tag; docs/decisions/0021 has the reasons.
WITHOUT_TAG = {
    "get_accounts_figures",
    "get_agreed_price_of_request",
    "get_billing_figures",
    "get_checklist",
    "get_claim_outcomes",
    "get_customer_account",
    "get_dashboard_stats",
    "get_health",
    "get_kept",
    "get_labels",
    "get_flow",
    "get_losses",
    "list_sheets_of_cutting_plan",
    "get_on_time",
    "get_next_step",
    "get_offer",
    "get_open_deliveries",
    "get_order_cancellation",
    "get_passport",
    "get_quote_figures",
    "get_quote_lines",
    "get_quote_mail",
    "get_readiness",
    "get_related_records",
    "get_request_cancellation",
    "get_today",
    "get_sales",
    "get_stops",
    "get_stock_use",
    "get_setup",
    "get_standing",
    "list_activity",
    "list_waiting_for_cutting",
    "list_api_keys",
    "list_device_people",
    "list_events",
    "list_holidays",
    "list_label_layouts",
    "list_own_api_keys",
    "list_own_sessions",
    "list_permission_keys",
    "list_sessions",
    "list_webhook_deliveries",
    "search_records",
}


def test_every_read_has_an_entity_tag_but_those_that_are_named(app):
    views = {
        app.view_functions[rule.endpoint]
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/") and "GET" in rule.methods
    }
    reads = [one for one in map(operation_of, views) if one and one.answer is not None]
    untagged = {one.id for one in reads if not one.tagged}
    histories = {one for one in untagged if one.endswith("_history")}
    assert untagged - histories == WITHOUT_TAG


@pytest.mark.parametrize("read", ["timeline", "pending-counts"])
def test_timeline_and_counts_are_not_sent_again_until_they_change(
    admin, workshop, read
):
    job = order_with_panes(admin, workshop, panes=2)
    number = job.numbers[0]
    paths = {
        "timeline": [
            f"/api/pane-logs/timeline?paneNumber={number}",
            f"/api/pane-logs/timeline?materialId={job.material}&populate=true",
        ],
        "pending-counts": [
            "/api/panes/pending-counts",
            f"/api/panes/pending-counts?station={job.stations[0]}",
        ],
    }[read]
    for path in paths:
        first = admin.get(path)
        asked = {"If-None-Match": first.headers["ETag"]}
        assert first.headers["Cache-Control"] == "private, no-cache"
        same = admin.call("GET", path, headers=asked)
        assert (same.status, same.text) == (304, "")
    tags = {path: admin.get(path).headers["ETag"] for path in paths}
    for action in ("scan_in", "start"):  # waits no more, and is in the log
        assert admin.scan(number, action).status == 200
    for path, tag in tags.items():
        again = admin.call("GET", path, headers={"If-None-Match": tag})
        assert (again.status, again.headers["ETag"] == tag) == (200, False)
