"""Withdrawals: who takes what out of the store room.

The stock is taken when one is made, and given back when it is rejected, made smaller
or deleted: `allocations` say what it holds, of which lots.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain import stock as rules
from glassflow.domain.errors import Forbidden
from glassflow.models.withdrawal import Withdrawal
from glassflow.services import (
    deletion,
    records,
    references,
    withdrawal_stock,
    withdrawn_panes,
)
from glassflow.services.identity import Identity
from glassflow.services.withdrawal_stock import Terms

MANAGE = "withdrawals:manage"
FIXED = ("quantity", "material", "stock_type", "inventory")


def create(
    *, model: type[Withdrawal], values: Mapping[str, Any], actor: Identity
) -> Withdrawal:
    """Withdraw at once, in the caller's name unless another is given.

    One that is made rejected takes nothing. Raises `Forbidden` for another's name, or a
    decision, without `withdrawals:manage`, `UnknownReference`, and `Refusal` for what
    is not there or panes of another order.
    """
    values = dict(values)
    values["withdrawn_by"] = values.get("withdrawn_by") or actor.worker_id
    decided = values.get("status") in rules.DECIDED
    foreign = values["withdrawn_by"] != actor.worker_id
    if (foreign or decided) and not actor.may(MANAGE):
        raise Forbidden()
    if decided:
        values["approved_by"] = actor.worker_id
    values["withdrawal_number"] = records.next_numbers(Withdrawal)[0]
    return _create(values, actor)


@unit_of_work
def _create(values: Mapping[str, Any], actor: Identity) -> Withdrawal:
    references.check(references.mentions(Withdrawal, values))
    withdrawal = records.new(Withdrawal, values)
    withdrawn_panes.refuse_strangers(withdrawal)
    withdrawal.pk = ObjectId()
    withdrawal_stock.settle(withdrawal, None, withdrawal.status, actor.worker_id)
    withdrawal.save()
    withdrawn_panes.follow(withdrawal)
    return withdrawal


@unit_of_work
def update(
    *,
    model: type[Withdrawal],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Withdrawal:
    """Change what a withdrawal takes while it is pending, or decide it for good.

    Raises `WithdrawalDecided`, and what `create` raises.
    """
    withdrawal = records.get(Withdrawal, record_id)
    _refuse_if_decided(withdrawal, values)
    references.check(references.mentions(Withdrawal, values))
    before = Terms.of(withdrawal)
    marked = withdrawn_panes.marked(withdrawal)
    records.assign(withdrawal, _plain(values))
    if values.get("order") or values.get("panes"):
        withdrawn_panes.refuse_strangers(withdrawal)
    _come_to(values.get("status") or withdrawal.status, withdrawal, before, actor)
    withdrawal.save()
    withdrawn_panes.follow(withdrawal, marked)
    return withdrawal


def _refuse_if_decided(withdrawal: Withdrawal, values: Mapping[str, Any]) -> None:
    if withdrawal.status == rules.PENDING:
        return
    changed = any(n in values and values[n] != withdrawal[n] for n in FIXED)
    if changed or "status" in values:
        raise rules.WithdrawalDecided(withdrawal.status)


def _come_to(
    asked: str, withdrawal: Withdrawal, before: Terms, actor: Identity
) -> None:
    """Bring stock and status to what is asked for; a decided one stays as it is."""
    decides = asked != withdrawal.status
    if decides or Terms.of(withdrawal) != before:
        withdrawal_stock.settle(withdrawal, before, asked, actor.worker_id)
    if decides:
        withdrawal.status, withdrawal.approved_by = asked, actor.worker_id


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Give what is simply assigned; a decision is not, and somebody always took."""
    plain = {name: value for name, value in values.items() if name != "status"}
    if plain.get("withdrawn_by", ...) is None:
        del plain["withdrawn_by"]
    return plain


@unit_of_work
def delete(*, model: type[Withdrawal], ids: Sequence[ObjectId], actor: Identity) -> int:
    """Delete withdrawals, all or none, each giving back what it holds.

    Raises `NotFound`. A deletion has `release` called for all that go.
    """
    return deletion.delete(model=Withdrawal, ids=ids, actor=actor)


def release(withdrawal: Withdrawal, *, actor: Identity) -> None:
    """Give back what a withdrawal that goes away still holds, and free its panes.

    It is not saved: the caller deletes it, in the same unit of work.
    """
    marked = withdrawn_panes.marked(withdrawal)
    before = Terms.of(withdrawal)
    withdrawal_stock.settle(withdrawal, before, rules.REJECTED, actor.worker_id)
    withdrawal.status = rules.REJECTED
    withdrawn_panes.follow(withdrawal, marked)
