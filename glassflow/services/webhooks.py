"""Webhooks: created and changed by workers who may do everything.

What delivers the events is `glassflow.jobs.webhooks`.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.events import event_log, webhook_log
from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.store import locks
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts, webhooks
from glassflow.domain.errors import Conflict, FieldFault, Invalid, NotFound, Refusal
from glassflow.domain.permissions import EVERYTHING
from glassflow.domain.webhooks import ALL_EVENTS, DeliveryStatus
from glassflow.models.webhook import Webhook
from glassflow.services import records
from glassflow.services.auth import identity
from glassflow.services.notices import announcements

# How long the secret before signs too, after another has replaced it.
OVERLAP = timedelta(hours=24)
BEHIND = timedelta(hours=1)  # how old an event may be that waits
MAX_SECRETS = 3  # that sign at the same time
FINAL = (DeliveryStatus.PARKED, DeliveryStatus.DELIVERED)
RESENT = "resent"  # the action of the event that somebody wants a delivery again


@unit_of_work
def create(
    *, model: type[Webhook], values: Mapping[str, Any], actor: Identity
) -> Webhook:
    """Create a webhook, which gets the events from now on; `actor` is its owner.

    `values` have its `secret`. Raises `Invalid`, and `Refusal` where there are as many as
    there may be.
    """
    values = dict(values)
    secret = values.pop("secret")
    _require_valid(values)
    locks.touch_named(locks.NEW_WEBHOOKS)
    most = runtime.current().policy.webhooks.max_webhooks
    # no transaction counts
    known = Webhook.collection().find({}, {"_id": 1}).limit(most + 1)
    if len(list(known)) >= most:
        raise Refusal(
            texts.WEBHOOKS_TOO_MANY.format(maximum=most), code="TOO_MANY_WEBHOOKS"
        )
    values |= {"owner": actor.worker_id, "secrets": [_secret(secret)]}
    webhook = records.create(model=Webhook, values=values, actor=actor)
    webhook_log.begin(webhook.pk, event_log.last())
    return webhook


def given_or_new_secret(given: str | None) -> str:
    """Return a secret of a client, or a new one; raises `Invalid` for a bad one."""
    if given is None:
        return webhooks.new_secret()
    try:
        webhooks.secret_key(given)
    except ValueError:
        raise Invalid([{"field": "secret", "message": texts.WEBHOOK_SECRET}]) from None
    return given


@unit_of_work
def update(
    *,
    model: type[Webhook],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Webhook:
    """Change a webhook; who enables it is its owner from then on. Raises `Invalid`."""
    _require_valid(values)
    webhook = records.load(Webhook, record_id)
    records.apply_changes(webhook, values)
    if webhook.is_active and "is_active" in values:
        webhook.owner, webhook.disabled_reason = actor.worker_id, None
        webhook_log.forget_failures(webhook.pk)
    records.store(webhook)
    return webhook


@unit_of_work
def enable(webhook_id: ObjectId) -> Webhook:
    """Enable a webhook for who operates the service; its owner stays."""
    webhook = records.load(Webhook, webhook_id)
    webhook.is_active, webhook.disabled_reason = True, None
    webhook_log.forget_failures(webhook.pk)
    records.store(webhook)
    return webhook


@unit_of_work
def replace_secret(webhook_id: ObjectId, secret: str) -> Webhook:
    """Sign with another secret, and for `OVERLAP` with the one before too."""
    webhook = records.load(Webhook, webhook_id)
    end = clock.now() + OVERLAP
    before = [
        {**one, "until": min(end, one["until"] or end)}
        for one in webhook.secrets
        if not _is_over(one)
    ]
    webhook.secrets = [_secret(secret), *before][:MAX_SECRETS]
    records.store(webhook)
    return webhook


def secrets_of(webhook: Mapping[str, Any]) -> list[str]:
    """Return the secrets that sign now for a webhook in stored form."""
    return [one["secret"] for one in webhook.get("secrets") or () if not _is_over(one)]


def _secret(secret: str) -> dict[str, Any]:
    return {"secret": secret, "until": None}


def _is_over(secret: Mapping[str, Any]) -> bool:
    until: datetime | None = secret["until"]
    return until is not None and until <= clock.now()


@unit_of_work
def send_again(webhook_id: ObjectId, delivery_id: ObjectId) -> dict[str, Any]:
    """Ask for a delivery to be sent again; return it.

    Raises `NotFound`, and `Conflict` for one that is still being tried, or whose event
    has expired.
    """
    webhook = records.read_raw(Webhook, webhook_id)
    row = webhook_log.find(webhook_id, delivery_id)
    if row is None:
        raise NotFound(texts.DELIVERY_UNKNOWN)
    if row["status"] == DeliveryStatus.RETRYING:
        raise Conflict(texts.DELIVERY_NOT_FINAL, code="DELIVERY_NOT_FINAL")
    if row["status"] != DeliveryStatus.QUEUED:
        has_event = row["payload"] or _is_in_log(row["eventId"])
        if row["status"] not in FINAL or not has_event:
            raise Conflict(texts.DELIVERY_EXPIRED, code="DELIVERY_EXPIRED")
        webhook_log.queue(delivery_id)
        records.announce(Webhook.from_stored(webhook), RESENT)
    return {**row, "status": str(DeliveryStatus.QUEUED), "deliveredAt": None}


def _is_in_log(event_id: str | None) -> bool:
    return event_id is not None and event_log.find(event_id) is not None


@unit_of_work
def disable(webhook_id: ObjectId, reason: str) -> None:
    """Disable a webhook that has failed for long, and notify its owner."""
    webhook = Webhook.find_one({"_id": webhook_id, "isActive": True})
    if webhook is not None:
        webhook.is_active, webhook.disabled_reason = False, reason
        records.store(webhook)
        announcements.webhook_disabled(webhook, reason=reason)


@unit_of_work
def note_lost(webhook_id: ObjectId, *, after: int, last: int) -> bool:
    """Go on behind events that have expired, and notify the owner of the webhook.

    Returns whether the webhook was still at the number `after`.
    """
    webhook = Webhook.find_one({"_id": webhook_id})
    behind = {"position": last, "eventFailingSince": None}
    if webhook is None or not webhook_log.change(webhook_id, after, behind):
        return False
    webhook_log.note_lost(webhook_id, after + 1, last)
    announcements.webhook_lost(webhook, first=after + 1, last=last)
    return True


def with_states() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield all webhooks in stored form, each with how far it has got."""
    rows = list(Webhook.collection().find({}))
    states = webhook_log.states([row["_id"] for row in rows])
    for row in rows:
        yield row, states.get(row["_id"], {})


def problems(webhook: Mapping[str, Any], state: Mapping[str, Any]) -> list[str]:
    """Return what keeps a webhook from delivering everything, in words for operators."""
    found = []
    if reason := webhook.get("disabledReason"):
        found.append(f"disabled: {reason}")
    elif webhook.get("isActive", True):
        found += _delays(webhook, state)
    for status in (DeliveryStatus.PARKED, DeliveryStatus.LOST):
        if count := webhook_log.count(webhook["_id"], status):
            found.append(f"{count} {status}")
    return found


def _delays(webhook: Mapping[str, Any], state: Mapping[str, Any]) -> Iterator[str]:
    if owner_of(webhook) is None:
        yield "stopped: it has no owner who may do everything"
    if since := state.get("failingSince"):
        time = since.isoformat(sep=" ", timespec="seconds")
        yield f"failing since {time}: {state.get('lastFault')}"
    position, end = state.get("position", 0), event_log.last()
    following = event_log.after(position, position + 1)
    oldest = following[0].at if following else None
    if position < end and (oldest is None or oldest < clock.now() - BEHIND):
        yield f"behind by {end - position} events"


def active() -> list[dict[str, Any]]:
    """Return the webhooks that are not disabled, in stored form."""
    return list(Webhook.collection().find({"isActive": True}))


def owner_of(webhook: Mapping[str, Any]) -> Identity | None:
    """Return the owner of a webhook, None unless they may still do everything."""
    owner = identity.of_worker(webhook.get("owner"))
    return owner if owner is not None and owner.may(EVERYTHING) else None


def _require_valid(values: Mapping[str, Any]) -> None:
    """Raise `Invalid` for an address that may not be called, or an unknown event."""
    current = runtime.current()
    faults: list[FieldFault] = []
    fault = None
    if "url" in values:
        fault = webhooks.url_fault(values["url"], current.policy.webhooks)
    if fault:
        faults.append({"field": "url", "message": fault})
    known = {ALL_EVENTS, *current.event_names}
    for index, name in enumerate(values.get("events") or ()):
        if name not in known:
            message = texts.NO_SUCH_EVENT.format(name=name)
            faults.append({"field": f"events.{index}", "message": message})
    if faults:
        raise Invalid(faults)
