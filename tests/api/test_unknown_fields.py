"""Unknown fields of a body are warned of, and refused where the client wants it strict."""

import pytest

from glassflow.models import ALL
from scenarios import DELETED, order_with_panes, valid_bodies
from stock_api import create_lot

STRICT = {"headers": {"Prefer": "handling=strict"}}
WARNING = [{"field": "odd", "message": "Unknown field, ignored"}]


@pytest.fixture
def writes(admin, workshop):
    """Every kind of write with a body: method, path, body."""
    job = order_with_panes(admin, workshop)
    lot = create_lot(admin, job.material, 9)
    number = job.numbers[0]
    claim = {
        "source": "worker",
        "description": "x",
        "reportedBy": admin.id,
        "material": job.material,
    }
    from_pane = {**claim, "paneNumber": number}
    del from_pane["material"]
    claims = f"/api/orders/{job.order['_id']}/claims"
    made = admin.post(claims, claim).data["_id"]
    rows = [
        ("POST", f"/api/panes/{number}/scan", {"action": "scan_in"}),
        ("POST", "/api/panes/batch-scan", {"paneNumbers": [number], "action": "start"}),
        (
            "POST",
            f"/api/inventories/{lot['_id']}/move",
            {"quantity": 1, "toLocation": "B"},
        ),
        ("PUT", "/api/pricing-settings", {"notchPrice": 1}),
        ("PATCH", "/api/auth/me", {"name": "a"}),
        ("POST", claims, claim),
        ("POST", "/api/claims/from-pane", from_pane),
        ("PATCH", f"/api/claims/{made}", {"description": "y"}),
    ]
    for path, body, change in valid_bodies(workshop).values():
        record = admin.post(f"/api/{path}", body).data["_id"]
        rows += [("PATCH", f"/api/{path}/{record}", change)]
        if path in DELETED:
            rows += [("DELETE", f"/api/{path}", {"ids": [record]})]
        rows += [("POST", f"/api/{path}", body)]
    return rows


def stored_versions():
    """The versions of all stored records, by id."""
    rows = [row for model in ALL for row in model.collection().find()]
    return {row["_id"]: row.get("version") for row in rows}


def test_unknown_field_is_a_warning_in_every_write_and_400_if_strict(admin, writes):
    before = stored_versions()
    for method, path, body in writes:
        refused = admin.call(method, path, json={**body, "odd": 1}, **STRICT)
        assert refused.faults == {"odd": "Unknown field"}, (method, path)
    assert stored_versions() == before
    for method, path, body in writes:
        answer = admin.call(method, path, json={**body, "odd": 1})
        assert answer.status in (200, 201), answer
        # a second payment of the day is named besides
        assert answer.body["warnings"][:1] == WARNING, (method, path)
