"""Restore deleted records from the history, under the same id and the same number.

With a record what was deleted because of it is restored: the orders and panes of a request.
The rows of its unit of work have the id of the deletion in common. The references that the
deletion emptied are set again where nobody has changed them since. The history has no
secrets and no files, so a worker needs a new password, and a request lacks its attachments;
the remarks of the restored record say so.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bson import ObjectId

from glassflow.core.events import history as chain
from glassflow.core.identity import Identity
from glassflow.core.store import locks
from glassflow.core.store.changesets import DELETED, UPDATED
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual, listed
from glassflow.domain.deliveries import DeliveryStatus
from glassflow.domain.errors import Conflict, FieldFault, NotFound
from glassflow.domain.orders import OrderStatus
from glassflow.models import BY_NAME
from glassflow.models.base import Record
from glassflow.models.delivery import PICTURES, pictures_of
from glassflow.models.indexes import declared
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.services import (
    agreed_prices,
    cancelled_guard,
    history,
    order_figures,
    records,
)
from glassflow.services.auth import grants
from glassflow.services.auth.identity import invalidate_tokens
from glassflow.services.deletion import rules
from glassflow.services.deletion.delete import counted
from glassflow.services.deletion.rules import Dependent
from glassflow.services.deliveries import pane_checks
from glassflow.services.panes import gone_stations
from glassflow.services.quotes import links
from glassflow.services.records import references
from glassflow.services.records.populate_table import brief_fields

Row = dict[str, Any]  # of the history
Rows = dict[str, dict[ObjectId, Row]]  # by kind and id
Restored = dict[str, list[Any]]  # the records, by kind

# Kinds that people restore; a pane only with its order or request, because what the
# history does not keep of it decides about its claims and its cancellation.
KINDS = frozenset(
    {
        "Customer",
        "Delivery",
        "JobType",
        "Material",
        "Order",
        "PriceList",
        "Quote",
        "Rack",
        "Request",
        "Role",
        "Station",
        "StationTemplate",
        "StickerTemplate",
        "Worker",
    }
)
WITH_OTHERS = KINDS | {"BillingEntry", "Pane", "Payment"}
# References without which a record would be another one, besides the required ones: a
# shared device without its station would be allowed at every station.
NEEDED = frozenset(
    {
        ("Order", "request"),
        ("Pane", "laminateStation"),
        ("Pane", "order"),
        ("Pane", "parentPane"),
        ("Pane", "request"),
        ("Worker", "station"),
    }
)
# Stations on the routes of work are left out by `gone_stations`.
ROUTES = frozenset({("Order", "stations"), ("Pane", "routing")})
# A webhook whose owner was deleted needs somebody who decides about it again.
NOT_SET_AGAIN = "Webhook"
# Rows of earlier releases have no id of the deletion. Those of one unit of work have one
# time, and are near one another.
SAME_UNIT = ("at", "by", "via", "name", "request", chain.DELETION)
ROWS_AROUND = 20_000


def restore(*, model: type[Record], record_id: ObjectId, actor: Identity) -> Record:
    """Restore a deleted record with what was deleted because of it; return the record.

    Its `remarks` say what is not as it was. Raises `NotFound` for a record whose deletion
    is not in the history, `Forbidden` for a worker or role that holds more than the actor,
    and `Conflict` for a record that exists (`NOT_DELETED`), was merged (`WAS_MERGED`), was
    deleted with what cannot be restored (`NOT_RESTORABLE`), refers to a record that is
    deleted (`REFERENCE_DELETED`), or has a value that another one has by now (`VALUE_TAKEN`).
    """
    history.update()
    return _restore(model, record_id, actor)


@unit_of_work
def _restore(model: type[Record], record_id: ObjectId, actor: Identity) -> Record:
    deletion = _deletion_of(model, record_id)
    unit = _unit_of(deletion)
    rows = _deleted_with(deletion, unit)
    restored: Restored = {
        one: [_record(one, row) for row in rows[one].values()]
        for one in reversed(rules.DELETE_ORDER)
        if one in rows
    }
    work = _Restoration(actor, restored)
    for found, prepare in PREPARE.items():
        for one in restored.get(found, ()):
            prepare(one, work)
    _require_free(restored)
    gone = _References(restored).resolve(work.remarks)
    for of_kind in restored.values():
        records.store(*of_kind)
    agreed_prices.recount(agreed_prices.requests_of(restored.get("Pane", [])))
    if gone:
        order_figures.recount_all(restored.get("Order", []))
        order_figures.store(*restored.get("Order", []))
    _set_again(unit, work)
    record: Record = restored[model.__name__][0]
    record.remarks = work.remarks
    return record


def _deletion_of(model: type[Record], record_id: ObjectId) -> Row:
    """Return the row of the deletion of a record that does not exist."""
    if model.collection().find_one({"_id": record_id}, {"_id": 1}):
        raise Conflict(texts.NOT_DELETED.format(label=model.label), code="NOT_DELETED")
    rows = chain.of_record(model.__name__, record_id, limit=1)
    if not rows or rows[0]["action"] != DELETED:
        raise NotFound(texts.NOT_FOUND.format(label=model.label))
    successor = rows[0]["now"].get(model.successor)
    if successor:
        raise Conflict(
            texts.WAS_MERGED.format(
                label=model.label, name=history.name_of(model, successor)
            ),
            code="WAS_MERGED",
            details={model.successor: str(successor)},
        )
    return rows[0]


def _unit_of(deletion: Row) -> list[Row]:
    """Read what the unit of work of a deletion has deleted and changed."""
    if chain.DELETION in deletion:
        return chain.of_deletion(deletion[chain.DELETION])
    found = chain.of_kinds(
        BY_NAME,
        (DELETED, UPDATED),
        by=deletion["by"],
        first=deletion["_id"] - ROWS_AROUND,
        before=deletion["_id"] + ROWS_AROUND,
    )
    same = [deletion.get(name) for name in SAME_UNIT]
    return [one for one in found if [one.get(name) for name in SAME_UNIT] == same]


def _deleted_with(deletion: Row, unit: Iterable[Row]) -> Rows:
    """Return the deletions of a record and of what was deleted because of it.

    Raises `Conflict` if something of it cannot be restored.
    """
    deleted: Rows = defaultdict(dict)
    for row in unit:
        if row["action"] == DELETED:
            deleted[row["kind"]][row["record"]] = row
    found: Rows = {deletion["kind"]: {deletion["record"]: deletion}}
    lost: dict[str, set[ObjectId]] = defaultdict(set)
    fresh = {deletion["kind"]: [deletion]}
    while fresh:
        added: dict[str, list[Row]] = {}
        for kind, rows in fresh.items():
            for dependent in rules.CASCADES_TO.get(kind, ()):
                keys = {dependent.key(_stored(row)) for row in rows} - {None}
                known = found.setdefault(dependent.model, {})
                for one, row in deleted[dependent.model].items():
                    values = rules.values_at(_stored(row), dependent.path)
                    if one in known or keys.isdisjoint(values):
                        continue
                    if dependent.model not in WITH_OTHERS:
                        lost[dependent.label].add(one)
                    known[one] = row
                    added.setdefault(dependent.model, []).append(row)
        fresh = added
    if lost:
        dependents = listed(counted(len(ids), label) for label, ids in lost.items())
        label = BY_NAME[deletion["kind"]].label
        raise Conflict(
            texts.NOT_RESTORABLE.format(label=label, dependents=dependents),
            code="NOT_RESTORABLE",
            details={"counts": {label: len(ids) for label, ids in lost.items()}},
        )
    return {kind: rows for kind, rows in found.items() if rows}


def _stored(row: Row) -> Row:
    """Return a record as it was deleted, in stored form without its secrets."""
    return {"_id": row["record"], "version": row["version"], **row["was"]}


def _record(kind: str, row: Row) -> Record:
    return BY_NAME[kind].of_deleted(_stored(row))


@dataclass(slots=True)
class _Restoration:
    """One restoration: who asked for it, what is restored, and what is not as it was."""

    actor: Identity
    restored: Restored
    remarks: list[FieldFault] = field(default_factory=list)

    def remark(self, name: str, message: Bilingual) -> None:
        self.remarks.append({"field": name, "message": message})


def _prepare_role(role: Any, work: _Restoration) -> None:
    grants.lock_role_changes()
    grants.require_covers(work.actor, role.permissions)


def _prepare_worker(worker: Any, work: _Restoration) -> None:
    """A worker has to get a new password: no secret is kept, and no old token is valid."""
    grants.lock_role_changes()
    grants.require_covers_role(work.actor, worker.role)
    worker.badge_issued_at = worker.pin_set_at = None
    invalidate_tokens(worker)
    work.remark("password", texts.SECRETS_NOT_RESTORED)


def _prepare_request(request: Any, work: _Restoration) -> None:
    """A request has lost its attachments; their numbers are not used again."""
    if request.attachments:
        count = len(request.attachments)
        message = texts.ATTACHMENTS_NOT_RESTORED.format(count=count)
        work.remark("attachments", message)
        request.attachments = []


def _prepare_order(order: Any, work: _Restoration) -> None:
    """An order whose request stayed has its customer, and is not added to a cancelled one."""
    restored = {one.pk for one in work.restored.get(Request.__name__, [])}
    if not order.request or order.request in restored:
        return
    request = Request.find_one({"_id": order.request})
    order.customer = request.customer if request else order.customer
    if order.status == OrderStatus.CANCELLED:
        locks.touch(Request, [order.request])  # it may be taken back meanwhile
    else:
        cancelled_guard.require_open(requests=[order.request])


def _prepare_quote(quote: Any, work: _Restoration) -> None:
    """A quote has lost its link, and its e-mail is not sent before somebody sends it again."""
    if quote.has_link:
        work.remark("hasLink", texts.LINK_NOT_RESTORED)
    links.remove(quote)
    if quote.mail and quote.mail["nextAttemptAt"]:
        quote.mail = {**quote.mail, "nextAttemptAt": None}
        work.remark("mail", texts.MAIL_NOT_RESTORED)


def _prepare_delivery(delivery: Any, work: _Restoration) -> None:
    """A delivery has what is still free of its panes; its files are lost."""
    stored = delivery.stored_form()
    if any(pictures_of(stored, field) for field in PICTURES):
        work.remark("photos", texts.DELIVERY_FILES_NOT_RESTORED)
        delivery.hand_overs = [
            {
                **one,
                "signature": [],
                "photos": [],
                "left": [{**row, "photos": []} for row in one["left"]],
            }
            for one in delivery.hand_overs
        ]
    if delivery.status == DeliveryStatus.PLANNED:
        delivery.panes = pane_checks.open_panes(delivery, delivery.panes)
        pane_checks.no_longer_wait(delivery.panes, but=delivery.pk)
        delivery.loaded_panes = []


# What a kind needs besides, before its references are looked at.
PREPARE: Mapping[str, Callable[[Any, _Restoration], None]] = {
    "Role": _prepare_role,
    "Worker": _prepare_worker,
    "Request": _prepare_request,
    "Order": _prepare_order,
    "Quote": _prepare_quote,
    "Delivery": _prepare_delivery,
}


def _require_free(restored: Restored) -> None:
    """Raise `Conflict` for a value that another record has by now."""
    for kind, of_kind in restored.items():
        model = BY_NAME[kind]
        unique = [index.keys[0][0] for index in declared(model) if index.unique]
        for name in set(unique).difference(model.hidden):
            values = [record.stored_form().get(name) for record in of_kind]
            wanted = [one for one in values if one is not None]
            found = model.collection().find_one({name: {"$in": wanted}}, {name: 1})
            if found:
                message = texts.VALUE_TAKEN.format(field=name, value=found[name])
                raise Conflict(message, code="VALUE_TAKEN", details={"field": name})


class _References:
    """The references of records that are restored, and which of them are gone."""

    def __init__(self, restored: Restored) -> None:
        self._restored = restored
        self._own = {one.pk for of_kind in restored.values() for one in of_kind}
        named: dict[str, set[ObjectId]] = defaultdict(set)
        for _, _, reference in self._all():
            named[reference.model].update(reference.ids)
        self._existing = {
            kind: self._find(kind, ids - self._own) for kind, ids in named.items()
        }

    def _all(self) -> Iterator[tuple[Record, str, references.Reference]]:
        """Yield each record, the name of a field of it, and what that refers to."""
        for kind, of_kind in self._restored.items():
            model = BY_NAME[kind]
            for record in of_kind:
                for name in model._fields:
                    for one in references.references_in(model, {name: record[name]}):
                        if (kind, one.field) in ROUTES or (
                            f"{kind}.{one.field}" not in rules.KEPT
                        ):
                            yield record, name, one

    @staticmethod
    def _find(kind: str, ids: Collection[ObjectId]) -> set[ObjectId]:
        """Return which records exist, but no withdrawal that holds no glass any more."""
        found = references.find_existing(BY_NAME[kind], ids)
        if kind != "Withdrawal" or not found:
            return found
        locks.touch(BY_NAME[kind], found)  # one may be rejected meanwhile
        query = {"_id": {"$in": list(found)}, **rules.HOLDS_STOCK}
        return {one.pk for one in BY_NAME[kind].find_many(query)}

    def resolve(self, remarks: list[FieldFault]) -> bool:
        """Take what is gone out of the records; return whether stations left a route.

        Raises `Conflict` for a reference that a record needs.
        """
        routed: dict[ObjectId, set[ObjectId]] = {}
        left_out: dict[tuple[str, ObjectId], str] = {}
        for record, name, one in list(self._all()):
            gone = set(one.ids) - self._own - self._existing[one.model]
            if not gone:
                continue
            kind = type(record).__name__
            field = type(record)._fields[name]
            is_needed = field.required or (kind, one.field) in NEEDED
            successor = self._successor(one) if is_needed else None
            if successor:
                record[name] = successor
            elif is_needed:
                raise self._refusal(type(record), one)
            elif (kind, one.field) in ROUTES:
                routed[record.pk] = gone
            elif isinstance(record[name], list):
                record[name] = [id for id in record[name] if id not in gone]
            else:
                record[name] = None
            if not is_needed:
                for id in sorted(gone):
                    left_out.setdefault((one.model, id), one.field)
        self._leave_out_stations(routed)
        for (kind, gone_id), name in left_out.items():
            model = BY_NAME[kind]
            shown = history.name_of(model, gone_id) or gone_id
            message = texts.LEFT_OUT.format(label=model.label, name=shown)
            remarks.append({"field": name, "message": message})
        return bool(routed)

    def _leave_out_stations(self, routed: Mapping[ObjectId, set[ObjectId]]) -> None:
        for pane in self._restored.get(Pane.__name__, ()):
            if pane.pk in routed:
                gone_stations.leave_out(pane, routed[pane.pk])
        for order in self._restored.get(Order.__name__, ()):
            if order.pk in routed:
                gone_stations.leave_out_of_order(order, routed[order.pk])

    def _successor(self, reference: references.Reference) -> ObjectId | None:
        """Return the record that took the place of one that was merged, if it exists."""
        model, found = BY_NAME[reference.model], [*reference.ids]
        while model.successor and found:
            rows = chain.of_record(reference.model, found[0], limit=1)
            named = [row["now"].get(model.successor) for row in rows]
            found = [one for one in named if one is not None]
            if references.find_existing(model, found):
                return found[0]
        return None

    @staticmethod
    def _refusal(model: type[Record], reference: references.Reference) -> Conflict:
        target = BY_NAME[reference.model]
        name = history.name_of(target, reference.ids[0]) or reference.ids[0]
        return Conflict(
            texts.REFERENCE_DELETED.format(
                label=model.label, part=target.label, name=name
            ),
            code="REFERENCE_DELETED",
            details={"field": reference.field, "record": str(reference.ids[0])},
        )


def _set_again(unit: Iterable[Row], work: _Restoration) -> None:
    """Set the references again that the deletion emptied, where nobody changed them since."""
    emptied = [
        (dependent, {record.pk for record in of_kind})
        for kind, of_kind in work.restored.items()
        for dependent in rules.NULLIFIES.get(kind, ())
        if dependent.model != NOT_SET_AGAIN
    ]
    changes = [row for row in unit if row["action"] == UPDATED]
    for dependent, ids in emptied:
        rows = {
            row["record"]: row
            for row in changes
            if row["kind"] == dependent.model
            and not ids.isdisjoint(rules.values_at(row["was"], dependent.path))
        }
        _set_field_again(dependent, ids, rows, work)


def _set_field_again(
    dependent: Dependent,
    restored: Collection[ObjectId],
    rows: Mapping[ObjectId, Row],
    work: _Restoration,
) -> None:
    """Let a field of records refer to what is restored again; `rows` emptied it."""
    model, path, name = BY_NAME[dependent.model], dependent.path, dependent.attribute
    changed: list[Record] = []
    for record in model.find_many({"_id": {"$in": list(rows)}, **dependent.where}):
        was, now = (rows[record.pk][side].get(path) for side in ("was", "now"))
        if (record[name] or None) != (now or None):
            work.remark(path, _changed_since(record))
            continue
        if isinstance(was, list):  # of other deleted members nothing is known
            was = [one for one in was if one in restored or one in (now or ())]
        record[name] = was
        changed.append(record)
    records.store(*changed)


def _changed_since(record: Record) -> Bilingual:
    name: Any = record.stored_form().get(brief_fields(type(record))[-1], record.pk)
    return texts.NOT_SET_AGAIN.format(label=type(record).label, name=name)
