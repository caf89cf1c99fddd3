"""Whatever a client sends, it is never the service that fails, and a refusal changes
nothing."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glassflow.blueprints import CARDS
from glassflow.core.naming import camel
from glassflow.models import ALL
from stories import good_bodies

ALLOWED = {200, 201, 400, 403, 404, 409, 413}
ODD_TEXTS = ["", " ", "\x00", "$where", "a.b", "ก็", "😀" * 50, "0" * 24, "null", "NaN"]
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(ODD_TEXTS),
    st.text(max_size=20),
)
KEYS = st.one_of(
    st.sampled_from(["", "$set", "a.b", "_id", "type", "quantity", "x", "width"]),
    st.text(max_size=5),
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3)
    ),
    max_leaves=6,
)
pytestmark = pytest.mark.slow
WRITABLE = [card for card in CARDS if card.name not in ("pane-logs",)]


def stored():
    """All that is in the store, as text."""
    return {
        model.__name__: list(model._get_collection().find().sort("_id"))
        for model in ALL
    }


def sendable(body):
    try:
        json.dumps(body).encode()
    except (UnicodeEncodeError, ValueError):
        return False
    return True


@pytest.mark.parametrize("card", WRITABLE, ids=lambda card: card.name)
def test_no_body_makes_the_service_fail_and_a_refused_one_changes_nothing(
    card, admin, workshop
):
    names = [camel(name) for name in card.schema.fields]
    bodies = st.dictionaries(st.sampled_from([*names, "odd"]), ANYTHING, max_size=6)
    path = f"/api/{card.name}"
    method = {"pricing-settings": "PUT", "claims": "PATCH"}.get(card.name, "POST")
    target = {"claims": f"{path}/{'0' * 24}"}.get(card.name, path)

    @settings(
        max_examples=25,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(bodies.filter(sendable))
    def send(body):
        before = stored()
        answer = admin.call(method, target, json=body)
        assert answer.status in ALLOWED, (body, answer)
        if answer.status >= 400:
            assert stored() == before, body

    send()


RESOURCES = (
    "customers", "inventories", "job-types", "material-logs", "materials",
    "notifications", "orders", "panes", "production-logs", "requests", "roles",
    "station-templates", "stations", "sticker-templates", "withdrawals", "workers",
)  # fmt: skip


@pytest.mark.parametrize("name", RESOURCES)
def test_one_odd_field_in_a_good_body_makes_nothing_fail(name, admin, workshop):
    cards = {card.name: card for card in CARDS}
    bodies = {path: body for path, body, _ in good_bodies(workshop).values()}
    fields = [camel(field) for field in cards[name].schema.fields]
    record = admin.post(f"/api/{name}", bodies[name]).data["_id"]

    @settings(
        max_examples=25,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.sampled_from(fields), ANYTHING.filter(sendable))
    def send(field, value):
        before = stored()
        made = admin.post(f"/api/{name}", {**bodies[name], field: value})
        changed = admin.patch(f"/api/{name}/{record}", {field: value})
        for answer in (made, changed):
            assert answer.status in ALLOWED, (field, value, answer)
        if made.status >= 400 and changed.status >= 400:
            assert stored() == before, (field, value)

    send()


@settings(
    max_examples=60,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(
    body=st.dictionaries(
        st.sampled_from(["action", "station", "reason", "operator", "odd"]),
        st.sampled_from(["scan_in", "complete", "scan_out", "x"]) | ANYTHING,
        max_size=5,
    ).filter(sendable),
    number=st.sampled_from(["PNE-9001", "stdplus:pne-9001", "PNE-0", "ก", "%00"]),
)
def test_no_scan_makes_the_service_fail(admin, workshop, body, number):
    if not stored()["Pane"]:
        workshop.make("Pane", pane_number="PNE-9001", qr_code="x")
    before = stored()
    answer = admin.post(f"/api/panes/{number}/scan", body)
    assert answer.status in ALLOWED, (body, answer)
    if answer.status >= 400:
        assert stored() == before, body
