"""Random input never causes an internal error, and a refused request changes nothing."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glassflow.blueprints import RESOURCES as CARDS
from glassflow.core.process.naming import camel
from glassflow.models import ALL
from glassflow.models.pane import Pane
from scenarios import valid_bodies
from sizes import size

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
pytestmark = [pytest.mark.sized, pytest.mark.slow]
FUZZ = settings(
    max_examples=size(4, long=25),
    database=None,
    suppress_health_check=list(HealthCheck),
)
WRITABLE = [card for card in CARDS if card.name not in ("pane-logs",)]


class Stored:
    """All stored documents by model, to compare them after each refused request."""

    def __init__(self):
        self._before = None  # read again: the last request changed something

    def read(self):
        """Return the documents that are stored before a request."""
        if self._before is None:
            self._before = {
                model.__name__: list(model.collection().find().sort("_id"))
                for model in ALL
            }
        return self._before

    def check(self, refused, sent):
        """After a request: a refused one has changed nothing."""
        before, self._before = self._before, None
        if refused:
            assert self.read() == before, sent


def sendable(body):
    try:
        json.dumps(body).encode()
    except (UnicodeEncodeError, ValueError):
        return False
    return True


@pytest.mark.parametrize("card", WRITABLE, ids=lambda card: card.name)
def test_random_body_causes_no_error_and_a_refused_one_changes_nothing(
    card, admin, workshop
):
    names = [camel(name) for name in card.schema.fields]
    bodies = st.dictionaries(st.sampled_from([*names, "odd"]), ANYTHING, max_size=6)
    path = f"/api/{card.name}"
    method = {
        "pricing-settings": "PUT",
        "makeability": "PUT",
        "cutting-rules": "PUT",
        "workshop": "PUT",
        "working-hours": "PUT",
        "claims": "PATCH",
        "billing-entries": "PATCH",
    }.get(card.name, "POST")
    target = f"{path}/{'0' * 24}" if method == "PATCH" else path

    stored = Stored()

    @FUZZ
    @given(bodies.filter(sendable))
    def send(body):
        stored.read()
        answer = admin.call(method, target, json=body)
        assert answer.status in ALLOWED, (body, answer)
        stored.check(answer.status >= 400, body)

    send()


RESOURCES = (
    "calls", "customers", "cutting-plans", "deliveries", "inventories", "job-types", "material-logs", "materials",
    "notifications", "orders", "panes", "payments", "price-lists", "production-logs", "quotes", "racks", "requests",
    "roles",
    "station-templates", "stations", "sticker-templates", "withdrawals", "workers",
)  # fmt: skip


@pytest.mark.parametrize("name", RESOURCES)
def test_random_field_in_a_valid_body_causes_no_error(name, admin, workshop):
    cards = {card.name: card for card in CARDS}
    bodies = {path: body for path, body, _ in valid_bodies(workshop).values()}
    fields = [camel(field) for field in cards[name].schema.fields]
    record = admin.post(f"/api/{name}", bodies[name]).data["_id"]

    stored = Stored()

    @FUZZ
    @given(st.sampled_from(fields), ANYTHING.filter(sendable))
    def send(field, value):
        stored.read()
        made = admin.post(f"/api/{name}", {**bodies[name], field: value})
        changed = admin.patch(f"/api/{name}/{record}", {field: value})
        for answer in (made, changed):
            assert answer.status in ALLOWED, (field, value, answer)
        refused = made.status >= 400 and changed.status >= 400
        stored.check(refused, (field, value))

    send()


@settings(FUZZ, max_examples=size(25, long=60))
@given(
    body=st.dictionaries(
        st.sampled_from(["action", "station", "reason", "operator", "measured", "odd"]),
        st.sampled_from(["scan_in", "complete", "scan_out", "qc_pass", "x"]) | ANYTHING,
        max_size=5,
    ).filter(sendable),
    number=st.sampled_from(["PNE-9001", "stdplus:pne-9001", "PNE-0", "ก", "%00"]),
)
def test_random_scan_causes_no_error(admin, workshop, body, number):
    stored = Stored()
    if not Pane.objects.first():
        workshop.make("Pane", pane_number="PNE-9001", qr_code="x")
    stored.read()
    answer = admin.post(f"/api/panes/{number}/scan", body)
    assert answer.status in ALLOWED, (body, answer)
    stored.check(answer.status >= 400, body)
