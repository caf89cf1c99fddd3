"""Hand-overs of deliveries: recorded by drivers, each with what came back, and undone.

Two phones may hand over their parts of one delivery: each is a hand-over of its own.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import deliveries as rules
from glassflow.domain import texts
from glassflow.domain.aliases import Raw
from glassflow.domain.bilingual import THAI, listed
from glassflow.domain.deliveries import (
    DeliveryStatus,
    LeftReason,
    Obstacle,
    PaneState,
    state_of,
)
from glassflow.domain.errors import Invalid
from glassflow.domain.panes import scan_times
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.claim import Claim
from glassflow.models.delivery import Delivery
from glassflow.models.pane import Pane
from glassflow.services import (
    agreed_prices,
    attachments,
    billing,
    order_figures,
    pictures,
    records,
)
from glassflow.services.auth import grants
from glassflow.services.claims import claims
from glassflow.services.deliveries import note, pane_checks
from glassflow.services.deliveries.refusals import (
    AlreadyDelivered,
    HandOverFinal,
    NotDelivered,
    NotOwnHandOver,
    PaneObstacle,
    PanesRefused,
)
from glassflow.services.notices import announcements
from glassflow.services.panes import remakes
from glassflow.services.panes.mapping import parse_number

# The key of the office, which is notified of what came back.
NOTIFIED_KEY = "orders:manage"


class _Numbers(NamedTuple):
    """Numbers that are drawn before the transaction: of the entry, and of claims."""

    entry: str
    claims: Sequence[str]


def hand_over(*, record_id: ObjectId, values: Raw, actor: Identity) -> Delivery:
    """Record which panes of a delivery were handed over, and why the others came back.

    What the customer owes for them becomes a billing entry. The others wait until they are
    handed over or planned again; a broken one gets a claim. The office is notified of
    panes that came back. Of a delivery that was handed over before this is a further
    hand-over: panes that an earlier one has handed over are kept as repeated. Without a
    pane the delivery was returned.

    A pane that the office took off the delivery meanwhile counts, if it is the customer's
    and on no other delivery; one that came back counts from the other delivery too, while
    it is not loaded there: it has left the workshop. Raises `NotFound`, `AlreadyDelivered`,
    `PanesRefused`, `Invalid`, `UnknownAttachment`, and `ScanTimeRefused`.
    """
    broken = sum(one["reason"] == LeftReason.BROKEN for one in values.get("left") or ())
    numbers = _Numbers(
        records.next_numbers(BillingEntry)[0],
        records.next_numbers(Claim, broken) if broken else [],
    )
    return _hand_over(record_id, values, actor, numbers)


@unit_of_work
def _hand_over(
    record_id: ObjectId, values: Raw, actor: Identity, numbers: _Numbers
) -> Delivery:
    now = clock.now()
    scan_times.require_plausible(values.get("occurred_at"), now)
    delivery = records.load(Delivery, record_id)
    at = min(values.get("occurred_at") or now, now)
    given, repeated = _given_panes(delivery, values["pane_numbers"])
    stay = _staying(delivery, given)
    reasons = _reasons(delivery, values, given, stay)
    number = len(delivery.hand_overs) + 1
    used = _use_attachments(delivery, values, actor)
    left = [_left_row(one, reasons.get(one["paneNumber"], {}), used) for one in stay]
    _claim_broken(delivery, left, stay, numbers.claims, actor)
    new: dict[str, Any] = {
        "number": number,
        "at": at,
        "recordedAt": now,
        "worker": actor.worker_id,
        "deliveredBy": actor.name,
        "receivedBy": values.get("received_by") or "",
        "remark": values.get("remark") or "",
        "panes": [one["_id"] for one in given],
        "repeated": repeated,
        "left": left,
        "signature": used.take(
            [values["signature"]] if values.get("signature") else ()
        ),
        "photos": used.take(values.get("photos") or ()),
        "undoableUntil": now + rules.UNDO_WINDOW,
        "isEarly": _is_early(delivery, given, at),
        "undone": None,
    }
    missing = [one["_id"] for one in stay if state_of(one) != PaneState.LOST]
    shown = note.facts(
        delivery, new["panes"], [one["_id"] for one in stay], deliverer=actor.name
    )
    delivery.note_facts = {**(delivery.note_facts or {}), str(number): shown}
    before = delivery.panes if delivery.status != DeliveryStatus.PLANNED else []
    delivery.hand_overs = [*delivery.hand_overs, new]
    delivery.panes, delivery.missing_panes = [*before, *new["panes"]], missing
    unloaded = {row["pane"] for row in left if row["reason"] not in rules.ON_VEHICLE}
    _set_state(delivery, loaded=[*delivery.loaded_panes, *new["panes"]], off=unloaded)
    records.store(delivery)
    pane_checks.no_longer_wait(new["panes"], but=delivery.pk)
    panes = _noting(given, at)
    billing.charge(delivery, panes, numbers.entry, hand_over=number, at=at)
    _store(panes)
    _notify(delivery, left, set(missing), actor)
    return delivery


def _given_panes(
    delivery: Delivery, numbers: Sequence[str]
) -> tuple[list[dict[str, Any]], list[ObjectId]]:
    """Return the panes that are handed over now, and those that were before with this."""
    found = pane_checks.take([one["_id"] for one in pane_checks.find(numbers)])
    if delivery.status == DeliveryStatus.PLANNED:
        pane_checks.refuse(
            delivery, found, rules.obstacle_to_handing_over, numbers=numbers
        )
        return found, []
    given_before = set(delivery.panes)
    repeated = [one["_id"] for one in found if one["_id"] in given_before]
    given = [one for one in found if one["_id"] not in given_before]
    if not given and (repeated or not delivery.missing_panes):
        raise AlreadyDelivered(delivery)
    came_back = _came_back(delivery).intersection(one["_id"] for one in given)
    _take_off_others(delivery, came_back)
    before = {one["paneNumber"] for one in found if one["_id"] in given_before}
    asked = [one for one in numbers if parse_number(one) not in before]
    pane_checks.refuse(delivery, given, rules.obstacle_to_handing_over, numbers=asked)
    return given, repeated


def _came_back(delivery: Delivery) -> set[ObjectId]:
    counting = [one for one in delivery.hand_overs if not one["undone"]]
    return {row["pane"] for one in counting for row in one["left"]}


def _take_off_others(delivery: Delivery, panes: Iterable[ObjectId]) -> None:
    """Take panes off the deliveries for which they are planned, and not loaded, since."""
    wanted = set(panes)
    if not wanted:
        return
    query = {
        "panes": {"$in": list(wanted)},
        "_id": {"$ne": delivery.pk},
        **pane_checks.PLANNED,
    }
    changed = []
    for other in Delivery.find_many(query):
        free = wanted.difference(other.loaded_panes)
        kept = [one for one in other.panes if one not in free]
        if len(kept) < len(other.panes):
            other.panes = kept
            changed.append(other)
    records.store(*changed)


def _staying(delivery: Delivery, given: Sequence[Raw]) -> list[dict[str, Any]]:
    """Touch and return the panes of a delivery that are not handed over now."""
    is_planned = delivery.status == DeliveryStatus.PLANNED
    handed = {one["_id"] for one in given}
    listed_panes = delivery.panes if is_planned else delivery.missing_panes
    return pane_checks.take([one for one in listed_panes if one not in handed])


def _reasons(
    delivery: Delivery, values: Raw, given: Sequence[Raw], stay: Sequence[Raw]
) -> dict[str, Raw]:
    """Return by pane number what is said of the panes that stay.

    Raises `Invalid` for a pane that is handed over too, and where nothing is said at all;
    `PanesRefused` for one that is not on the delivery.
    """
    said = {parse_number(one["pane_number"]): one for one in values.get("left") or ()}
    if both := [one["paneNumber"] for one in given if one["paneNumber"] in said]:
        message = texts.PANE_GIVEN_AND_LEFT.format(number=both[0])
        raise Invalid([{"field": "left", "message": message}])
    if not given and not said:
        message = texts.NOTHING_HANDED_OVER
        raise Invalid([{"field": "paneNumbers", "message": message}])
    if given and not values.get("received_by"):
        raise Invalid([{"field": "receivedBy", "message": texts.REQUIRED}])
    unknown = said.keys() - {one["paneNumber"] for one in stay}
    if unknown:
        rows = Pane.collection().find(
            {"paneNumber": {"$in": sorted(unknown)}}, {"paneNumber": 1}
        )
        gone = {*delivery.panes, *_came_back(delivery)}
        unknown -= {row["paneNumber"] for row in rows if row["_id"] in gone}
    if unknown:
        raise PanesRefused(
            [PaneObstacle(one, Obstacle.NOT_PLANNED) for one in sorted(unknown)]
        )
    return said


class _UsedPictures:
    """Attachments that a hand-over uses, as its pictures are stored, by their ids."""

    def __init__(self, stored: Mapping[ObjectId, dict[str, Any]]) -> None:
        self._stored = stored

    def take(self, ids: Iterable[ObjectId]) -> list[dict[str, Any]]:
        """Return the pictures of attachments."""
        return [self._stored[one] for one in ids]


def _use_attachments(delivery: Delivery, values: Raw, actor: Identity) -> _UsedPictures:
    signature = values.get("signature")
    ids = [
        *([signature] if signature else []),
        *(values.get("photos") or ()),
        *(photo for one in values.get("left") or () for photo in one.get("photos", ())),
    ]
    used = attachments.use(ids, actor)
    first = delivery.next_photo
    delivery.next_photo = first + len(used)
    stored = [pictures.stored_form(first + n, one) for n, one in enumerate(used)]
    return _UsedPictures(dict(zip(ids, stored, strict=True)))


def _left_row(pane: Raw, said: Raw, used: _UsedPictures) -> dict[str, Any]:
    return {
        "pane": pane["_id"],
        "paneNumber": pane["paneNumber"],
        "reason": said.get("reason"),
        "note": said.get("note") or "",
        "photos": used.take(said.get("photos") or ()),
        "claim": None,
        "claimNumber": "",
    }


def _claim_broken(
    delivery: Delivery,
    left: Sequence[dict[str, Any]],
    stay: Sequence[Raw],
    numbers: Sequence[str],
    actor: Identity,
) -> None:
    """Make a claim for each broken pane, with copies of its photos; note it in the row."""
    free = iter(numbers)
    for row, pane in zip(left, stay, strict=True):
        if row["reason"] != LeftReason.BROKEN or state_of(pane) != PaneState.READY:
            continue
        begin = texts.BROKEN_AT_THE_DOOR.format(number=delivery.delivery_number)
        words = [begin.in_language(THAI), row["note"]]
        claim = claims.report_broken(
            pane,
            number=next(free),
            description=": ".join(filter(None, words)),
            photos=[one for one in pictures.load(row["photos"]) if one],
            actor=actor,
        )
        if claim is not None:
            row["claim"], row["claimNumber"] = claim.pk, claim.claim_number


def _is_early(delivery: Delivery, given: Sequence[Raw], at: datetime) -> bool:
    """Return whether a hand-over lies before its plan, or before a pane was finished."""
    known = [delivery.created_at, *(one.get("completedAt") for one in given)]
    return any(one is not None and at < one for one in known)


def _set_state(
    delivery: Delivery, *, loaded: Iterable[ObjectId], off: Iterable[ObjectId] = ()
) -> None:
    """Set what follows from the hand-overs that count, and from the panes.

    `loaded` are the panes that were loaded, `off` those of them that no longer are.
    """
    counting = [one for one in delivery.hand_overs if not one["undone"]]
    gave = [one["at"] for one in counting if one["panes"]]
    if not counting:
        delivery.status = DeliveryStatus.PLANNED
    elif delivery.panes:
        delivery.status = DeliveryStatus.DELIVERED
    else:
        delivery.status = DeliveryStatus.RETURNED
    delivery.delivered_at = max(gave, default=None)
    delivery.undoable_until = counting[-1]["undoableUntil"] if counting else None
    here = {*delivery.panes, *delivery.missing_panes}.difference(off)
    delivery.loaded_panes = [one for one in dict.fromkeys(loaded) if one in here]


def _notify(
    delivery: Delivery,
    left: Sequence[Raw],
    waiting: set[ObjectId],
    actor: Identity,
) -> None:
    """Notify the office of panes that came back, unless all come later."""
    rows = [row for row in left if row["pane"] in waiting]
    if all(row["reason"] == LeftReason.LATER for row in rows):
        return
    counts = Counter(row["reason"] or "none" for row in rows)
    words = listed(
        texts.LEFT_COUNTS[reason].format(count=count)
        for reason, count in counts.items()
    )
    for recipient in grants.workers_who_may(NOTIFIED_KEY):
        if recipient != actor.worker_id:
            announcements.delivery_incomplete(delivery, words, recipient=recipient)


@unit_of_work
def undo(
    *,
    record_id: ObjectId,
    actor: Identity,
    reason: str = "",
    number: int | None = None,
) -> Delivery:
    """Undo a hand-over, by its number or the newest that counts.

    Without another one the delivery is planned again, with what is still open of it;
    else its panes wait. The hand-over stays with its names, times and pictures, and says
    who undid it and why. Claims that it made, and that are not decided, are rejected.
    After an hour this needs `orders:manage` and a reason. Raises `NotFound`,
    `NotDelivered`, `NotOwnHandOver`, `HandOverFinal`, `Invalid` without that reason,
    `AlreadyBilled`, and `RemakeDelivered` for a pane whose remake was handed over since.
    """
    delivery = records.load(Delivery, record_id)
    undone = _hand_over_of(delivery, number)
    _require_undoable(delivery, undone, actor, reason)
    billing.withdraw(delivery.pk, hand_over=undone["number"])
    handed_over = pane_checks.take(undone["panes"])
    panes = _noting(
        [one for one in handed_over if one.get("deliveredAt") == undone["at"]], None
    )
    remakes.give_back_prices(panes)
    _store(panes)
    claims.reject_reports(
        [row["claim"] for row in undone["left"] if row["claim"]],
        rejected_with=delivery.delivery_number or "",
        actor=actor,
    )
    mark = {"at": clock.now(), "by": actor.name, "reason": reason}
    delivery.hand_overs = [
        {**one, "undone": mark} if one["number"] == undone["number"] else one
        for one in delivery.hand_overs
    ]
    waiting = pane_checks.open_panes(delivery, delivery.missing_panes)
    if all(one["undone"] for one in delivery.hand_overs):
        delivery.panes = list(dict.fromkeys([*undone["panes"], *waiting]))
        delivery.missing_panes = []
    else:
        again = set(undone["panes"])
        delivery.panes = [one for one in delivery.panes if one not in again]
        delivery.missing_panes = [*waiting, *undone["panes"]]
    _set_state(delivery, loaded=delivery.loaded_panes)
    records.store(delivery)
    return delivery


def _hand_over_of(delivery: Delivery, number: int | None) -> dict[str, Any]:
    counting = [one for one in delivery.hand_overs if not one["undone"]]
    if number is not None:
        counting = [one for one in counting if one["number"] == number]
    if not counting:
        raise NotDelivered(delivery)
    return dict(counting[-1])


def _require_undoable(
    delivery: Delivery, undone: Raw, actor: Identity, reason: str
) -> None:
    may_manage = actor.may("orders:manage")
    if undone["worker"] != actor.worker_id and not may_manage:
        raise NotOwnHandOver
    if clock.now() <= undone["undoableUntil"]:
        return
    if not may_manage:
        raise HandOverFinal(delivery, undone["undoableUntil"])
    if not reason:
        raise Invalid([{"field": "reason", "message": texts.UNDO_NEEDS_REASON}])


def _noting(panes: Sequence[Raw], delivered_at: datetime | None) -> list[Pane]:
    """Return panes with when they were handed over, to be stored."""
    changed = [Pane.from_stored(one) for one in panes]
    for pane in changed:
        pane.delivered_at = delivered_at
    return changed


def _store(panes: Sequence[Pane]) -> None:
    """Store panes, and count their orders and the prices of their requests again."""
    records.store(*panes)
    order_figures.recount_orders([one.order for one in panes])
    agreed_prices.recount(one.request for one in panes)
