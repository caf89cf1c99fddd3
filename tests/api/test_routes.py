"""Every route names who may call it; and every role meets every route."""

import re

import pytest

from glassflow.domain.permissions import ALL_KEYS, SYSTEM_ROLES, holds

PUBLIC = {
    ("POST", "/api/auth/login"),
    ("GET", "/api/health"),
    ("GET", "/api/health/ready"),
}
ANY_WORKER = {
    ("GET", "/api/events"),  # each hears what their keys let them hear
    ("POST", "/api/auth/logout"),
    ("GET", "/api/auth/me"),
    ("PATCH", "/api/auth/me"),
    ("GET", "/api/roles/permissions"),
}
# Where a route's key does not follow from its method and resource.
OWN_KEYS = {
    ("POST", "/api/orders/<order_id>/claims"): "claims:create",
    ("POST", "/api/claims/from-pane"): "claims:create",
    ("POST", "/api/panes/<number>/scan"): "panes:scan",
    ("POST", "/api/panes/batch-scan"): "panes:scan",
    ("GET", "/api/dashboard/stats"): "orders:view",
    ("POST", "/api/inventories/<record_id>/move"): "inventory:move",
    # holders of :view may PATCH what is theirs
    ("PATCH", "/api/orders/<record_id>"): "orders:view",
    ("PATCH", "/api/claims/<record_id>"): "claims:view",
    ("PATCH", "/api/notifications/<record_id>"): "notifications:view",
}
PREFIXES = {"inventories": "inventory", "pricing-settings": "pricing"}
UNKNOWN_ID = "0123456789abcdef01234567"


def routes(app):
    for rule in app.url_map.iter_rules():
        for method in sorted(rule.methods - {"HEAD", "OPTIONS"}):
            yield method, rule.rule, app.view_functions[rule.endpoint]


def expected_key(method, path):
    if (method, path) in OWN_KEYS:
        return OWN_KEYS[method, path]
    segment = path.split("/")[2]
    resource = PREFIXES.get(segment, segment.replace("-", "_"))
    create = f"{resource}:create"
    if method == "GET":
        return f"{resource}:view"
    if method == "POST" and create in ALL_KEYS:
        return create
    return f"{resource}:manage"


def test_every_route_is_public_or_for_any_worker_or_names_its_key(app):
    walked = 0
    for method, path, view in routes(app):
        walked += 1
        permission = getattr(view, "permission", None)
        if (method, path) in PUBLIC:
            assert permission == "public", (method, path)
        elif (method, path) in ANY_WORKER:
            assert permission == "any worker", (method, path)
        else:
            assert permission == expected_key(method, path), (method, path)
    assert walked > 100


def test_no_key_of_the_catalogue_is_checked_by_nobody(app):
    checked = {getattr(view, "permission", None) for _, _, view in routes(app)}
    # `:manage` of owned records and `claims:approve` are asked for inside the view
    inside = {
        "claims:manage",
        "claims:approve",
        "orders:manage",
        "notifications:manage",
    }
    assert set(ALL_KEYS) - checked - inside == set()


def test_without_a_token_every_route_but_the_public_ones_is_401(app, nobody):
    for method, path, _ in routes(app):
        if (method, path) not in PUBLIC:
            answer = nobody.call(method, re.sub("<.*?>", UNKNOWN_ID, path))
            assert (answer.status, answer.message) == (401, "Not authenticated"), path


@pytest.mark.slow
@pytest.mark.parametrize("role", SYSTEM_ROLES)
def test_each_role_is_let_in_where_its_keys_say_so_and_nowhere_else(app, request, role):
    client = request.getfixturevalue(role)
    for method, path, view in routes(app):
        if view.permission in ("public", "any worker"):
            continue
        answer = client.call(method, re.sub("<.*?>", UNKNOWN_ID, path), json={})
        allowed = holds(SYSTEM_ROLES[role], view.permission)
        assert (answer.status != 403) == allowed, (method, path, answer)
        assert answer.status < 500, (method, path, answer)
        if not allowed:
            assert answer.message == "Not authorized for this action"
