"""Every route has its permission, and every role is tried on every route."""

import re
from functools import cache

import pytest

from clients import Api
from glassflow.domain.permissions import (
    ACCOUNT_ROLES,
    ALL_KEYS,
    DEVICE,
    EVERYTHING,
    SYSTEM_ROLES,
)
from glassflow.host.data_files import REPOSITORY
from glassflow.models.role import Role
from glassflow.services import seeding
from glassflow.services.auth import identity
from scenarios import order_with_panes

OF_LABELS = "panes:view or stations:view or workers:view or inventory:view"
PUBLIC = {
    ("POST", "/api/auth/login"),
    ("GET", "/api/health"),
    ("GET", "/api/health/ready"),
    ("GET", "/metrics"),  # needs METRICS_TOKEN instead
    # the description of the API, which holds no data
    ("GET", "/api/openapi.json"),
    ("GET", "/api/asyncapi.json"),
    ("GET", "/api/docs"),
    ("GET", "/api/docs/<name>"),
    # these need the signature of their link instead
    ("GET", "/api/claims/<oid:record_id>/photos/<int:number>"),
    ("GET", "/api/deliveries/<oid:record_id>/photos/<int:number>"),
    ("GET", "/api/deliveries/<oid:record_id>/signature/<int:number>"),
    ("GET", "/api/pane-logs/<oid:record_id>/photos/<int:number>"),
    ("GET", "/api/requests/<oid:record_id>/attachments/<int:number>"),
    # these need the secret of a customer's link, who has no account, instead
    ("GET", "/api/offers/<oid:record_id>"),
    ("GET", "/api/offers/<oid:record_id>/pdf"),
    ("POST", "/api/offers/<oid:record_id>/accept"),
    ("POST", "/api/offers/<oid:record_id>/decline"),
    ("POST", "/api/offers/<oid:record_id>/change"),
    # the pages, which contain no data, and their session, which needs its cookie
    ("GET", "/"),
    ("GET", "/floor/"),
    ("GET", "/floor/<path:path>"),
    ("GET", "/floor/static/<version>/<path:name>"),
    ("GET", "/floor/sw.js"),
    ("GET", "/floor/ca.crt"),
    ("GET", "/floor/https"),
    ("GET", "/floor/secure.svg"),
    ("POST", "/floor/session"),
    ("GET", "/floor/session"),
    ("DELETE", "/floor/session"),
}
ANY_WORKER = {
    ("GET", "/api/events"),  # returns the events that the keys of the worker allow
    ("POST", "/api/auth/logout"),
    ("GET", "/api/auth/me"),
    ("PATCH", "/api/auth/me"),
    ("PUT", "/api/auth/me/pin"),
    ("DELETE", "/api/auth/me/pin"),
    # one's own sessions and API keys
    ("GET", "/api/auth/sessions"),
    ("DELETE", "/api/auth/sessions"),
    ("DELETE", "/api/auth/sessions/<session_id>"),
    ("GET", "/api/auth/api-keys"),
    ("POST", "/api/auth/api-keys"),
    ("DELETE", "/api/auth/api-keys/<prefix>"),
    # for the accounts of shared devices
    ("GET", "/api/auth/people"),
    ("POST", "/api/auth/badge"),
    ("POST", "/api/auth/pin"),
    ("GET", "/api/roles/permissions"),
    ("GET", "/api/activity"),  # of the kinds whose keys the worker holds
    ("GET", "/api/search"),  # finds the records whose keys the worker holds
    ("GET", "/api/setup"),  # returns the steps whose keys the worker holds
    # one's own, and those of lists that one may read
    ("GET", "/api/saved-exports"),
    ("POST", "/api/saved-exports"),
    ("GET", "/api/saved-exports/<oid:record_id>"),
    ("PATCH", "/api/saved-exports/<oid:record_id>"),
    ("DELETE", "/api/saved-exports/<oid:record_id>"),
    ("GET", "/api/saved-exports/<oid:record_id>/file"),
}
# Where a route's key does not follow from its method and resource.
OWN_KEYS = {
    ("POST", "/api/orders/<order_id>/claims"): "claims:create",
    ("POST", "/api/claims/from-pane"): "claims:create",
    ("POST", "/api/requests/price"): "pricing:view",
    # and orders:view: tests/api/test_forecasts.py
    ("POST", "/api/requests/<oid:record_id>/forecast"): "requests:view",
    # and panes:view: tests/api/test_cutting_plans.py
    ("GET", "/api/cutting-plans/waiting"): "inventory:view",
    ("POST", "/api/requests/cells"): "requests:manage or panes:create",
    # the sales people, who have the prices before them and make the requests
    **dict.fromkeys(
        [
            ("GET", "/api/quotes"),
            ("GET", "/api/quotes/export.csv"),
            ("GET", "/api/quotes/export.xlsx"),
            ("GET", "/api/quotes/<oid:record_id>"),
            ("GET", "/api/quotes/<oid:record_id>/history"),
            ("GET", "/api/quotes/<oid:record_id>/lines"),
            ("GET", "/api/quotes/<oid:record_id>/pdf"),
            ("GET", "/api/quotes/figures"),
            ("POST", "/api/quotes/price"),
            ("POST", "/api/quotes/<oid:record_id>/forecast"),
        ],
        "pricing:view",
    ),
    # loaded and handed over by the people on the floor
    **dict.fromkeys(
        [
            ("GET", "/api/deliveries"),
            ("GET", "/api/deliveries/export.csv"),
            ("GET", "/api/deliveries/export.xlsx"),
            ("GET", "/api/deliveries/<oid:record_id>"),
            ("GET", "/api/deliveries/<oid:record_id>/history"),
            ("GET", "/api/deliveries/<oid:record_id>/pdf"),
        ],
        "orders:view",
    ),
    ("POST", "/api/deliveries"): "orders:manage",
    ("POST", "/api/deliveries/import"): "orders:manage",
    ("GET", "/api/deliveries/open"): "panes:scan",
    ("GET", "/api/deliveries/<oid:record_id>/checklist"): "orders:view or panes:scan",
    ("POST", "/api/deliveries/<oid:record_id>/load"): "panes:scan",
    ("POST", "/api/deliveries/<oid:record_id>/unload"): "panes:scan",
    ("POST", "/api/deliveries/<oid:record_id>/hand-over"): "panes:scan",
    ("POST", "/api/deliveries/<oid:record_id>/undo"): "panes:scan or orders:manage",
    **dict.fromkeys(
        [
            ("GET", "/api/billing-entries"),
            ("GET", "/api/billing-entries/accounts"),
            ("GET", "/api/billing-entries/accounts.csv"),
            ("GET", "/api/billing-entries/accounts.xlsx"),
            ("GET", "/api/billing-entries/export.csv"),
            ("GET", "/api/billing-entries/export.xlsx"),
            ("GET", "/api/billing-entries/figures"),
            ("GET", "/api/billing-entries/<oid:record_id>"),
            ("GET", "/api/billing-entries/<oid:record_id>/history"),
            ("GET", "/api/sales"),
            ("GET", "/api/payments"),
            ("GET", "/api/payments/export.csv"),
            ("GET", "/api/payments/export.xlsx"),
            ("GET", "/api/payments/<oid:record_id>"),
            ("GET", "/api/payments/<oid:record_id>/history"),
        ],
        "pricing:view",
    ),
    # read by those who may send it
    ("GET", "/api/quotes/<oid:record_id>/mail"): "requests:manage",
    ("GET", "/api/cutting-rules"): "inventory:view",
    ("GET", "/api/cutting-rules/history"): "inventory:view",
    ("PUT", "/api/cutting-rules"): "inventory:manage",
    ("GET", "/api/makeability"): "panes:view",
    ("GET", "/api/makeability/history"): "panes:view",
    ("PUT", "/api/makeability"): "pricing:manage",
    ("POST", "/api/makeability/check"): "panes:view",
    ("GET", "/api/workshop"): "pricing:view",
    ("GET", "/api/workshop/history"): "pricing:view",
    ("PUT", "/api/workshop"): "pricing:manage",
    ("GET", "/api/working-hours"): "stations:view",
    ("GET", "/api/working-hours/history"): "stations:view",
    ("GET", "/api/working-hours/holidays"): "stations:view",
    ("PUT", "/api/working-hours"): "stations:manage",
    ("POST", "/api/calls/<oid:record_id>/take"): "panes:scan",
    ("POST", "/api/calls/<oid:record_id>/release"): "panes:scan",
    ("POST", "/api/calls/<oid:record_id>/end"): "panes:scan",
    ("POST", "/api/calls"): "panes:scan",
    **dict.fromkeys(
        [
            ("PATCH", "/api/calls/<oid:record_id>"),
            ("DELETE", "/api/calls/<oid:record_id>"),
            ("DELETE", "/api/calls"),
        ],
        "stations:manage",
    ),
    ("POST", "/api/racks/<oid:record_id>/put"): "panes:scan",
    ("POST", "/api/racks/<oid:record_id>/take-off"): "panes:scan",
    ("POST", "/api/racks/<oid:record_id>/scan"): "panes:scan",
    **dict.fromkeys(
        [
            ("POST", "/api/racks"),
            ("PATCH", "/api/racks/<oid:record_id>"),
            ("DELETE", "/api/racks/<oid:record_id>"),
            ("DELETE", "/api/racks"),
            ("POST", "/api/racks/<oid:record_id>/restore"),
        ],
        "stations:manage",
    ),
    # and panes:view
    **dict.fromkeys(
        [
            ("GET", "/api/cutting-plans/<oid:record_id>/csv"),
            ("GET", "/api/cutting-plans/<oid:record_id>/pdf"),
            ("GET", "/api/cutting-plans/<oid:record_id>/sheets"),
            ("GET", "/api/cutting-plans/<oid:record_id>/sheets/<int:number>/svg"),
        ],
        "inventory:view",
    ),
    # and inventory:view: the answers have the plan and the lots
    ("POST", "/api/cutting-plans/<oid:record_id>/sheets/<int:number>/cut"): (
        "panes:scan"
    ),
    ("POST", "/api/cutting-plans/<oid:record_id>/sheets/<int:number>/undo"): (
        "panes:scan"
    ),
    ("POST", "/api/attachments"): "panes:scan or claims:create",
    ("POST", "/api/panes/<number>/scan"): "panes:scan",
    ("POST", "/api/panes/<number>/undo"): "panes:scan",
    ("POST", "/api/panes/batch-scan"): "panes:scan",
    ("POST", "/api/panes/batch-fail"): "panes:scan",
    ("POST", "/api/panes/batch-undo"): "panes:scan",
    ("GET", "/api/dashboard/stats"): "orders:view",
    ("GET", "/api/dashboard/today"): "orders:view",
    ("GET", "/api/dashboard/flow"): "panes:view",
    ("GET", "/api/dashboard/losses"): "panes:view",
    ("GET", "/api/dashboard/on-time"): "requests:view",
    # and materials:view
    ("GET", "/api/dashboard/stock-use"): "inventory:view",
    # and the key of the record that is named
    ("GET", "/api/standing"): "requests:view or orders:view or pricing:view",
    ("POST", "/api/setup/stations"): "stations:manage",
    ("POST", "/api/setup/labels"): "sticker_templates:manage",
    # each part for the holders of its own key
    ("GET", "/api/board"): "stations:view or panes:view or orders:view",
    ("POST", "/api/inventories/<record_id>/move"): "inventory:move",
    ("POST", "/api/inventories/<record_id>/move/preview"): "inventory:move",
    ("GET", "/api/materials/<oid:record_id>/book"): "material_logs:view",
    ("GET", "/api/labels"): OF_LABELS,
    ("POST", "/api/labels"): OF_LABELS,
    ("POST", "/api/labels/print"): "panes:scan",
    ("POST", "/api/sticker-templates/preview"): "sticker_templates:view",
    ("GET", "/api/label-layouts"): OF_LABELS,
    # holders of :view may PATCH what is theirs
    ("PATCH", "/api/orders/<oid:record_id>"): "orders:view",
    ("PATCH", "/api/claims/<oid:record_id>"): "claims:view or claims:approve",
    # read by those who may decide
    ("GET", "/api/claims/<oid:record_id>/outcomes"): "claims:approve",
    ("PATCH", "/api/notifications/<oid:record_id>"): "notifications:view",
    ("POST", "/api/notifications/read"): "notifications:view",
    # read by those who may end them
    ("GET", "/api/workers/<oid:record_id>/sessions"): "workers:manage",
    ("GET", "/api/workers/<oid:record_id>/api-keys"): "workers:manage",
}
PREFIXES = {
    "inventories": "inventory",
    "pricing-settings": "pricing",
    "price-lists": "pricing",
    "quotes": "requests",
    "deliveries": "orders",
    "billing-entries": "pricing",
    "payments": "pricing",
    "calls": "panes",
    "racks": "panes",
    "cutting-plans": "inventory",
}
FORBIDDEN = "Not authorized for this action"
# The logout ends the token with which the other routes are tried; a stream does not end.
ENDING_OR_ENDLESS = {("POST", "/api/auth/logout"), ("GET", "/api/events")}
# For any worker, but the views themselves refuse all but the accounts of devices, or these.
DEVICES_ONLY = {
    ("GET", "/api/auth/people"),
    ("POST", "/api/auth/badge"),
    ("POST", "/api/auth/pin"),
}
NOT_ON_DEVICES = {
    ("GET", "/api/auth/sessions"),
    ("DELETE", "/api/auth/sessions"),
    ("DELETE", "/api/auth/sessions/<session_id>"),
    ("GET", "/api/auth/api-keys"),
    ("POST", "/api/auth/api-keys"),
    ("DELETE", "/api/auth/api-keys/<prefix>"),
}
# Who passes these can also read another list: the answer has parts of its records.
ALSO_READS = {
    ("GET", "/api/materials/stock"): "/api/inventories",
    ("GET", "/api/materials/<oid:record_id>/stock"): "/api/inventories",
    ("GET", "/api/orders/due"): "/api/requests",
    ("GET", "/api/dashboard/stock-use"): "/api/materials",
}
UNKNOWN_ID = "0123456789abcdef01234567"


def routes(app):
    for rule in app.url_map.iter_rules():
        for method in sorted(rule.methods - {"HEAD", "OPTIONS"}):
            yield method, rule.rule, app.view_functions[rule.endpoint]


def address_of(path):
    """A path of the URL map with ids and numbers that no record has."""
    return re.sub("<.*?>", UNKNOWN_ID, re.sub("<int:.*?>", "0", path))


def expected_key(method, path):
    if (method, path) in OWN_KEYS:
        return OWN_KEYS[method, path]
    segment = path.split("/")[2]
    if segment in ("kept", "webhooks"):
        return EVERYTHING
    resource = PREFIXES.get(segment, segment.replace("-", "_"))
    create = f"{resource}:create"
    if method == "GET":
        return f"{resource}:view"
    if path.endswith("/restore"):  # by those who may delete
        return f"{resource}:manage"
    if method == "POST" and create in ALL_KEYS:
        # the rows of an import may create records, change some, or do both
        both = f"{create} or {resource}:manage"
        return both if path.endswith("/import") else create
    return f"{resource}:manage"


def test_every_route_is_public_or_for_any_worker_or_needs_its_key(app):
    checked = 0
    for method, path, view in routes(app):
        checked += 1
        permission = getattr(view, "permission", None)
        if (method, path) in PUBLIC:
            assert permission == "public", (method, path)
        elif (method, path) in ANY_WORKER:
            assert permission == "any worker", (method, path)
        else:
            assert permission == expected_key(method, path), (method, path)
    assert checked > 100


def test_every_key_of_the_catalogue_is_checked_by_a_route(app):
    checked = {getattr(view, "permission", None) for _, _, view in routes(app)}
    # `:manage` of owned records and `claims:approve` are asked for inside the view
    inside = {
        "claims:manage",
        "claims:approve",
        "orders:manage",
        "notifications:manage",
    }
    assert set(ALL_KEYS) - checked - inside == set()


def test_every_route_except_the_public_ones_needs_a_token(app, anonymous):
    for method, path, _ in routes(app):
        if (method, path) not in PUBLIC:
            answer = anonymous.call(method, address_of(path))
            assert (answer.status, answer.message) == (401, "Not authenticated"), path


@cache
def documented():
    """The table of routes in docs/permissions.md: (method, path) -> roles that pass."""
    page = (REPOSITORY / "docs" / "permissions.md").read_text("utf-8")
    head, _, *rows = page.partition("| Method |")[2].strip().splitlines()
    roles = [cell.strip() for cell in head.split("|")[2:-1]]
    assert set(roles) == {*SYSTEM_ROLES, *ACCOUNT_ROLES}
    table = {}
    for row in rows:
        method, path, _, *marks = (cell.strip() for cell in row.split("|")[1:-1])
        passing = {role for role, mark in zip(roles, marks, strict=True) if mark}
        table[method, path.strip("`")] = passing
    return table


@pytest.mark.slow
@pytest.mark.parametrize("role", [*SYSTEM_ROLES, *ACCOUNT_ROLES])
def test_each_seeded_role_passes_exactly_where_the_page_says(
    app, server, workshop, role
):
    seeding.seed_roles()
    account = workshop.worker(role=Role.objects.get(slug=role))
    client = Api(server, identity.issue(account.pk), account)
    checked = 0
    for method, path, _ in routes(app):
        if (method, path) in ENDING_OR_ENDLESS:
            continue
        checked += 1
        answer = client.call(method, address_of(path), json={})
        is_refused = answer.status == 403 and answer.message == FORBIDDEN
        assert is_refused == (not passes(role, method, path)), (method, path, answer)
        assert answer.status < 500 or path == "/api/health/ready", (path, answer)
        assert answer.status != 401 or (method, path) in PUBLIC, (path, answer)
    assert checked > 150


def passes(role, method, path):
    """Whether a role is let in: by the page, and by what single views ask besides."""
    table = documented()
    if (method, path) in PUBLIC:  # or refused for a signature, with other words
        return True
    if (method, path) in DEVICES_ONLY | NOT_ON_DEVICES:
        return (role == DEVICE) == ((method, path) in DEVICES_ONLY)
    other = ALSO_READS.get((method, path), path)
    return role in table[method, path] & table[method, other]


def test_token_key_existence_and_body_are_checked_in_this_order(
    anonymous, client_with_keys, admin, workshop
):
    job = order_with_panes(admin, workshop)
    viewer, scanner = client_with_keys("panes:view"), client_with_keys("panes:scan")
    good, gone = job.numbers[0], "PNE-0000"
    for number in (good, gone):
        for body in ({"action": "scan_in"}, {"action": "dance"}, {}):
            path = f"/api/panes/{number}/scan"
            assert anonymous.post(path, body).status == 401
            assert viewer.post(path, body).status == 403
    assert scanner.post(f"/api/panes/{gone}/scan", {}).status == 404
    assert scanner.post(f"/api/panes/{good}/scan", {}).status == 400
    for body in ({}, {"source": "x"}):
        path = "/api/orders/{}/claims"
        known, unknown = path.format(job.order["_id"]), path.format("nonsense")
        assert anonymous.post(unknown, body).status == 401
        assert scanner.post(unknown, body).status == 403
        assert admin.post(unknown, body).status == 404
        assert admin.post(known, body).status == 400
    for kind in ("orders", "requests", "panes", "claims"):
        missing = f"/api/{kind}/{'0' * 24}"
        assert anonymous.patch(missing, {"quantity": "x"}).status == 401
        assert scanner.patch(missing, {"quantity": "x"}).status == 403
        assert admin.patch(missing, {"quantity": "x"}).status == 404
