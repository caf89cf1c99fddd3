"""What a delete of one kind does besides the rules, in one table: `HOOKS`.

A hook gets the whole `Deletion`. `delete.py` calls the hooks of every kind that is
deleted, named by the caller or deleted with another record, in `DELETE_ORDER`. The
docstrings of the hooks are printed in `docs/deletion.md`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from bson import ObjectId

from glassflow.core.access import logins
from glassflow.core.events import webhook_log
from glassflow.core.identity import Identity
from glassflow.domain import texts
from glassflow.domain.claims import ClaimStatus
from glassflow.domain.errors import Conflict, Refusal
from glassflow.domain.stock import LedgerAction, LedgerReferenceType
from glassflow.models import BY_NAME
from glassflow.models.base import Record
from glassflow.services import agreed_prices, order_figures, records
from glassflow.services.auth import grants
from glassflow.services.claims import claims, photos
from glassflow.services.deletion import stations
from glassflow.services.deletion.rules import Raw
from glassflow.services.deliveries import deliveries
from glassflow.services.orders import request_attachments
from glassflow.services.panes import handed_over
from glassflow.services.stock import (
    ledger,
    low_stock,
    withdrawal_allocation,
    withdrawal_panes,
)

Doomed = dict[str, dict[ObjectId, Raw]]  # the records to delete, by kind and id


@dataclass(slots=True)
class Deletion:
    """One delete: who asked for it, what is deleted, and what is changed by it and stays.

    `cascade` is whether the policy is `cascade`. The records in `changed` are stored
    once, after the rows are deleted, so that each gets one new version.
    """

    actor: Identity
    cascade: bool
    doomed: Doomed
    changed: dict[ObjectId, Record] = field(default_factory=dict)

    def rows(self, kind: str) -> list[Raw]:
        """Return the rows of a kind that are deleted, as they were read."""
        return list(self.doomed.get(kind, {}).values())

    def is_doomed(self, kind: str, record_id: ObjectId | None) -> bool:
        """Return whether a record is deleted."""
        return record_id in self.doomed.get(kind, {})

    def documents(self, kind: str) -> list[Any]:
        """Read the records of a kind that are deleted, as they are stored now."""
        ids = list(self.doomed.get(kind, {}))
        return list(BY_NAME[kind].objects(pk__in=ids)) if ids else []

    def to_change(self, kind: str, ids: Sequence[ObjectId]) -> list[Any]:
        """Load records that stay, to be changed in place; `delete.py` stores them."""
        missing = [one for one in ids if one not in self.changed]
        if missing:
            found = BY_NAME[kind].objects(pk__in=missing)
            self.changed.update({record.pk: record for record in found})
        return [self.changed[one] for one in ids if one in self.changed]

    def recount(self, order_ids: Sequence[ObjectId | None]) -> None:
        """Set the figures of the orders that stay from their stored panes."""
        ids = [
            one
            for one in dict.fromkeys(order_ids)
            if one is not None and not self.is_doomed("Order", one)
        ]
        order_figures.recount_all(self.to_change("Order", ids), had_panes=True)


@dataclass(frozen=True, slots=True)
class Hooks:
    """The hooks of a kind.

    `check` raises the refusals that are not rules; nothing is changed yet. `before`
    changes other records while the deleted ones are stored; what a record needs by then
    is read again afterwards. Inside `around` the rows are deleted.
    """

    check: Callable[[Deletion], None] | None = None
    before: Callable[[Deletion], None] | None = None
    around: Callable[[Deletion], AbstractContextManager[None]] | None = None


def _refuse_roles(deletion: Deletion) -> None:
    """A system role stays, and so does a role that holds more than the actor."""
    grants.lock_role_changes()
    for role in deletion.rows("Role"):
        if role.get("isSystem"):
            raise Refusal(texts.SYSTEM_ROLE_KEPT, code="SYSTEM_ROLE")
        grants.require_covers(deletion.actor, role.get("permissions") or ())


def _refuse_workers(deletion: Deletion) -> None:
    """A worker whose role holds more than the actor stays."""
    for keys in _keys_of_workers(deletion):
        grants.require_covers(deletion.actor, keys)


@contextmanager
def _keep_an_admin(deletion: Deletion) -> Iterator[None]:
    """One active worker who may do everything has to stay."""
    had_admin = any(grants.EVERYTHING in keys for keys in _keys_of_workers(deletion))
    yield
    if had_admin:
        grants.require_admin_left()


def _keys_of_workers(deletion: Deletion) -> list[list[str]]:
    return grants.keys_of_all({row.get("role") for row in deletion.rows("Worker")})


def _refuse_entries_of_service(deletion: Deletion) -> None:
    """A ledger entry that the service wrote stays under `restrict`."""
    if deletion.cascade:
        return
    if any(row.get("byService") for row in deletion.rows("MaterialLog")):
        raise Conflict(texts.LEDGER_ENTRY_IMMUTABLE, code="IMMUTABLE_LOG")


def _archive_entries(deletion: Deletion) -> None:
    """Under `cascade` a ledger entry that the service wrote is archived: no client can
    read it any more, and it still counts. It is deleted with its material only."""
    archived = [
        entry
        for entry in deletion.documents("MaterialLog")
        if entry.by_service and not deletion.is_doomed("Material", entry.material)
    ]
    for entry in archived:
        entry.archived = True
        del deletion.doomed["MaterialLog"][entry.pk]
    records.store(*archived, event="deleted")


def _refuse_approved_claims(deletion: Deletion) -> None:
    """An approved claim stays under `restrict`: it records a loss and its remake."""
    approved = any(
        row["status"] == ClaimStatus.APPROVED for row in deletion.rows("Claim")
    )
    if approved and not deletion.cascade:
        raise Conflict(
            texts.APPROVED_CLAIM_KEPT,
            code="CLAIM_APPROVED",
        )


def _release_panes(deletion: Deletion) -> None:
    """A pending claim puts its pane back where it was, unless that is deleted too."""
    released = claims.release_panes(
        [
            claim
            for claim in deletion.documents("Claim")
            if not deletion.is_doomed("Pane", claim.pane)
        ],
        actor=deletion.actor,
    )
    deletion.recount([pane.order for pane in released])


@contextmanager
def _delete_photos(deletion: Deletion) -> Iterator[None]:
    """The photos of a claim are deleted with it."""
    yield
    photos.delete_files(deletion.rows("Claim"))


@contextmanager
def _delete_proofs(deletion: Deletion) -> Iterator[None]:
    """The signature and the photos of a delivery are deleted with it."""
    yield
    deliveries.delete_files(deletion.rows("Delivery"))


@contextmanager
def _delete_attachments(deletion: Deletion) -> Iterator[None]:
    """The attachments of a request are deleted with it."""
    yield
    request_attachments.delete_files(deletion.rows("Request"))


def _release_stock(deletion: Deletion) -> None:
    """A withdrawal returns its stock, unless its material is deleted with its lots and
    its book. Its panes no longer name it."""
    found = deletion.documents("Withdrawal")
    withdrawal_panes.unmark(found)
    kept = [one for one in found if not deletion.is_doomed("Material", one.material)]
    withdrawal_allocation.return_all(kept, deletion.actor.worker_id)


def _post_rest(deletion: Deletion) -> None:
    """The ledger gets an `adjust` of what is left of each lot, unless the material is
    deleted with its book."""
    worker = deletion.actor.worker_id
    entries = [
        ledger.entry(
            lot,
            -lot.quantity,
            ledger.LedgerReference(
                LedgerAction.ADJUST, worker, str(lot.pk), LedgerReferenceType.INVENTORY
            ),
        )
        for lot in deletion.documents("Inventory")
        if lot.quantity and not deletion.is_doomed("Material", lot.material)
    ]
    records.store(*entries)


@contextmanager
def _track_low_stock(deletion: Deletion) -> Iterator[None]:
    """People are notified if a material is low on stock without its lots."""
    with low_stock.tracking(*(row["material"] for row in deletion.rows("Inventory"))):
        yield


def _refuse_delivered(deletion: Deletion) -> None:
    """A pane that was handed over stays, unless its delivery is deleted too."""
    deleted = deletion.doomed.get("Delivery", {})
    handed_over.require_none(deletion.rows("Pane"), deleted=deleted)


@contextmanager
def _recount_work(deletion: Deletion) -> Iterator[None]:
    """The order and the request of a pane are recounted, once for all its panes."""
    yield
    panes = deletion.rows("Pane")
    deletion.recount([row.get("order") for row in panes])
    requests = {row.get("request") for row in panes if row.get("agreedPrice")}
    agreed_prices.recount(
        one for one in requests if not deletion.is_doomed("Request", one)
    )


def _remove_from_routes(deletion: Deletion) -> None:
    """Open routes lose the station; a pane that stands there moves to its next one."""
    ids = [row["_id"] for row in deletion.rows("Station")]
    stations.remove_from_routes(ids, actor=deletion.actor)


def _stop_webhooks(deletion: Deletion) -> None:
    """The deliveries of a webhook are deleted with it."""
    webhook_log.remove(deletion.doomed.get("Webhook", {}))


def _forget_logins(deletion: Deletion) -> None:
    """What is known of a worker's logins is deleted with the worker."""
    logins.forget([row["_id"] for row in deletion.rows("Worker")])


HOOKS: Mapping[str, Hooks] = {
    "MaterialLog": Hooks(check=_refuse_entries_of_service, before=_archive_entries),
    "Claim": Hooks(
        check=_refuse_approved_claims, before=_release_panes, around=_delete_photos
    ),
    "Delivery": Hooks(around=_delete_proofs),
    "Request": Hooks(around=_delete_attachments),
    "Withdrawal": Hooks(before=_release_stock),
    "Pane": Hooks(check=_refuse_delivered, around=_recount_work),
    "Inventory": Hooks(before=_post_rest, around=_track_low_stock),
    "Station": Hooks(before=_remove_from_routes),
    "Worker": Hooks(
        check=_refuse_workers, before=_forget_logins, around=_keep_an_admin
    ),
    "Role": Hooks(check=_refuse_roles),
    "Webhook": Hooks(before=_stop_webhooks),
}
