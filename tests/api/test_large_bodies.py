"""Only the routes that take a claim's photos accept bodies above MAX_BODY_BYTES."""

import json

import pytest

from glassflow.blueprints import orders

JSON = {"Content-Type": "application/json"}
CLAIM_ROUTES = (
    ("POST", "/api/orders/{order}/claims"),
    ("POST", "/api/claims/from-pane"),
    ("PATCH", "/api/claims/{claim}"),
)
OTHER_ROUTES = (
    ("POST", "/api/customers"),
    ("POST", "/api/orders"),
    ("PATCH", "/api/orders/{order}"),
    ("DELETE", "/api/claims"),
    ("POST", "/api/panes/PNE-0001/scan"),
    ("POST", "/api/auth/login"),
)


@pytest.fixture
def send(admin, workshop, app):
    """Send a body of more bytes than a setting allows: `send(method, path, setting)`."""
    customer, material = workshop.customer().pk, workshop.material().pk
    order = workshop.make(
        "Order", order_number="ORD-1", customer=customer, material=material, quantity=1
    )
    claim = workshop.make(
        "Claim",
        claim_number="CLM-1",
        order=order.pk,
        material=material,
        source="worker",
        description="x",
        reported_by=admin.worker.pk,
    )

    def call(method, path, setting):
        path = path.format(claim=claim.pk, order=order.pk)
        body = json.dumps({"name": "x" * app.config[setting]}).encode()
        return admin.call(method, path, data=body, headers=JSON)

    return call


@pytest.mark.parametrize(("method", "path"), CLAIM_ROUTES)
def test_a_claim_may_be_larger_than_other_bodies(send, method, path):
    answer = send(method, path, "MAX_BODY_BYTES")
    assert answer.status in (200, 400, 404), answer  # read, and then judged
    assert answer.message != "Request body too large"


@pytest.mark.parametrize(("method", "path"), CLAIM_ROUTES)
def test_a_claim_has_a_limit_too(send, method, path):
    answer = send(method, path, "MAX_CLAIM_BODY_BYTES")
    assert (answer.status, answer.message) == (413, "Request body too large")


@pytest.mark.parametrize(("method", "path"), OTHER_ROUTES)
def test_other_routes_refuse_a_large_body(send, method, path):
    answer = send(method, path, "MAX_BODY_BYTES")
    assert (answer.status, answer.message) == (413, "Request body too large")


def test_a_large_body_route_keeps_its_permission(app):
    views = app.view_functions
    assert views["order_claims.create"].permission == "claims:create"
    assert views["claims.from_pane"].permission == "claims:create"
    assert views["claims.update"].permission == "claims:view or claims:approve"
    assert views["orders.update"].permission == orders.resource.keys.view
