"""Webhooks: the addresses that events are sent to, and their deliveries."""

from typing import Any

from bson import ObjectId
from flask import Response, request

from glassflow.core.events import event_log, webhook_log
from glassflow.core.process.json import iso
from glassflow.domain import error_codes, texts
from glassflow.domain.errors import Invalid, NotFound
from glassflow.domain.permissions import EVERYTHING
from glassflow.domain.webhooks import DeliveryStatus
from glassflow.models.webhook import Webhook
from glassflow.schemas.answers.webhooks import DELIVERIES, DELIVERY, PROGRESS
from glassflow.schemas.shapes import COUNT, choice, record
from glassflow.schemas.webhook import NewWebhookSchema, SecretSchema, WebhookSchema
from glassflow.services import records, webhooks
from glassflow.services.events.event_route import EventRoute
from glassflow.web.auth import current_identity, require
from glassflow.web.body import read_body
from glassflow.web.envelope import reply
from glassflow.web.operation import Parameter, describe
from glassflow.web.query import read_number
from glassflow.web.resource import Keys, Resource

SECRET = SecretSchema()
DEFAULT_LIMIT, MAX_LIMIT = 20, 100  # deliveries in an answer
PARAMETERS = (
    Parameter(
        name="status",
        description="Only the deliveries with this status.",
        shape=choice(DeliveryStatus),
    ),
    Parameter(
        name="before",
        description="Only the deliveries of events with smaller numbers.",
        shape=COUNT,
    ),
    Parameter(
        name="limit",
        description="Deliveries in an answer; clamped.",
        shape={"type": "integer", "default": DEFAULT_LIMIT},
    ),
)

resource = Resource(
    name="webhooks",
    model=Webhook,
    schema=WebhookSchema(),
    create_schema=NewWebhookSchema(),
    keys=Keys(view=EVERYTHING, create=EVERYTHING, manage=EVERYTHING),
    events=EventRoute(
        "webhook:updated", rooms=("dashboard",), actions=(webhooks.RESENT,)
    ),
    create_with=webhooks.create,
    update_with=webhooks.update,
    codes=tuple(error_codes.WEBHOOKS),
)
blueprint = resource.blueprint(without=("create",))


@blueprint.post("")
@require(EVERYTHING)
@resource.operations.describe("create", answer=record("WebhookWithSecret"))
def create() -> Response:
    """Create a webhook, and show its secret once if the service has generated it."""
    values = read_body(resource.new)
    given = values.pop("secret", None)
    secret = webhooks.given_or_new_secret(given)
    made = webhooks.create(
        model=Webhook, values={**values, "secret": secret}, actor=current_identity()
    )
    return _with_secret(made, "Webhook created", secret, given, status=201)


@blueprint.post("/<oid:record_id>/secret")
@require(EVERYTHING)
@describe(
    "replace_webhook_secret",
    body=SECRET,
    answer=record("WebhookWithSecret"),
    populates=Webhook,
    tagged=True,
    errors=(404,),
)
def replace_secret(record_id: str) -> Response:
    """Replace the secret of a webhook, which signs besides the new one for a day."""
    key = records.object_id(record_id, Webhook.label)
    given = read_body(SECRET).get("secret")
    secret = webhooks.given_or_new_secret(given)
    with resource.expecting(key):
        changed = webhooks.replace_secret(key, secret)
    return _with_secret(changed, "Secret replaced", secret, given)


def _with_secret(
    webhook: Webhook, message: str, secret: str, given: str | None, *, status: int = 200
) -> Response:
    """Build the response, with the secret if the caller does not know it."""
    shown = {} if given else {"secret": secret}
    return resource.answer(webhook.stored_form(), message, status=status, **shown)


@blueprint.get("/<oid:record_id>/deliveries")
@require(EVERYTHING)
@describe("list_webhook_deliveries", answer=DELIVERIES, query=PARAMETERS, errors=(404,))
def list_deliveries(record_id: str) -> Response:
    """List the deliveries of a webhook, the newest first, and show how far it has got."""
    webhook = records.read_by_path(Webhook, record_id)["_id"]
    wanted = read_number(request.args, "limit", DEFAULT_LIMIT) or 1
    limit = min(wanted, MAX_LIMIT)
    before = read_number(request.args, "before")
    rows = webhook_log.page(webhook, status=_status(), before=before, limit=limit + 1)
    shown = {
        "progress": _progress(webhook),
        "deliveries": [_shown(row) for row in rows[:limit]],
        "next": rows[limit - 1]["seq"] if len(rows) > limit else None,
    }
    return reply(shown, "Deliveries")


def _status() -> str | None:
    """Read the status in the query string, if any; raises `Invalid`."""
    status = request.args.get("status", "").strip()
    if status and status not in set(DeliveryStatus):
        message = texts.DELIVERY_STATUSES.format(statuses=", ".join(DeliveryStatus))
        raise Invalid([{"field": "status", "message": message}])
    return status or None


@blueprint.post("/<oid:record_id>/deliveries/<oid:delivery_id>/resend")
@require(EVERYTHING)
@describe(
    "resend_webhook_delivery",
    answer=DELIVERY,
    errors=(404, 409),
    codes=tuple(error_codes.WEBHOOKS),
)
def resend(record_id: str, delivery_id: str) -> Response:
    """Send a delivery again, once, beside the order of the others."""
    key = records.object_id(record_id, Webhook.label)
    if not ObjectId.is_valid(delivery_id):
        raise NotFound(texts.DELIVERY_UNKNOWN)
    row = webhooks.send_again(key, ObjectId(delivery_id))
    return reply(_shown(row), "Delivery queued")


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    return {name: _wire(row.get(name)) for name in DELIVERY["properties"]}


def _progress(webhook: Any) -> dict[str, Any]:
    state = webhook_log.state(webhook) or {}
    known = {name: _wire(state.get(name)) for name in PROGRESS["properties"]}
    parked = webhook_log.count(webhook, DeliveryStatus.PARKED)
    position, failures = state.get("position", 0), state.get("failures", 0)
    end = {"end": event_log.last(), "parked": parked}
    return {**known, "position": position, "failures": failures, **end}


def _wire(value: Any) -> Any:
    return iso(value) if hasattr(value, "isoformat") else value
