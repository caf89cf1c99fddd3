"""Create panes: single ones, and laminated units of a parent and its sheets."""

from collections.abc import Mapping, Sequence
from typing import Any

from glassflow.core.identity import Identity
from glassflow.core.process.cooperative import yielding
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain.errors import of_item
from glassflow.models.pane import Pane
from glassflow.services import (
    agreed_prices,
    cancelled_guard,
    makeability,
    order_figures,
    records,
)
from glassflow.services.cancelled_guard import OrderCancelled, RequestCancelled
from glassflow.services.panes import factory
from glassflow.services.panes.ownership import OrdersOfPanes
from glassflow.services.records import references
from glassflow.services.stock import cuts, withdrawal_panes

Values = Mapping[str, Any]


def create(*, values: Values, actor: Identity) -> list[Pane]:
    """Create a pane, or a laminated unit: the parent first, then its sheets.

    It takes the request and the material of its order where it has none. Raises
    `UnknownReference`, `OrderCancelled`, `RequestCancelled`, `OtherCustomer`,
    `WithdrawalDecided` for a rejected withdrawal, `StationNotOnRoute`, `NotMakeable`
    for an order, and `NoLaminationStation` for several sheets on a route that never laminates.
    """
    (judged,) = makeability.judge_inputs([values], "")
    made = _create(judged.values, records.next_numbers(Pane)[0], actor)
    made[0].remarks = [*judged.remarks, *made[0].remarks]
    return made


def create_all(
    *, model: type[Pane], items: Sequence[Values], actor: Identity
) -> list[list[Pane]]:
    """Create panes and units, all or none; return those of each item.

    Raises `Invalid` for unknown references, and the other refusals of `create` with the
    index of the item in their details. As many round trips for many as for one, except
    that the figures of twenty orders at a time are counted.
    """
    judged = makeability.judge_inputs(items, "items.{}.")
    numbers = records.next_numbers(Pane, len(items))
    made = _create_all([one.values for one in judged], numbers, actor)
    for group, one in zip(made, judged, strict=True):
        group[0].remarks = [*one.remarks, *group[0].remarks]
    return made


@unit_of_work
def _create(values: Values, number: str, actor: Identity) -> list[Pane]:
    references.require_exist(references.references_in(Pane, values))
    _require_open([values])
    _require_usable_withdrawals([values])
    completed = OrdersOfPanes.read([values]).complete(values)
    laminating = factory.lamination_stations_of([values])
    panes = factory.build(completed, number, laminating)
    _insert([panes], actor)
    return panes


@unit_of_work
def _create_all(
    items: Sequence[Values], numbers: Sequence[str], actor: Identity
) -> list[list[Pane]]:
    references.require_exist_in_items(Pane, items)
    try:
        _require_open(items)
    except (OrderCancelled, RequestCancelled) as refusal:
        closed = set(refusal.closed)
        with of_item(next(i for i, one in enumerate(items) if closed & _work(one))):
            raise
    _require_usable_withdrawals(items)
    orders = OrdersOfPanes.read(items)
    laminating = factory.lamination_stations_of(items)
    made = []
    numbered = zip(items, numbers, strict=True)
    for index, (values, number) in enumerate(yielding(numbered)):
        with of_item(index):
            completed = orders.complete(values)
            made.append(factory.build(completed, number, laminating))
    _insert(made, actor)
    return made


def _require_open(items: Sequence[Values]) -> None:
    cancelled_guard.require_open(
        orders=[one.get("order") for one in items],
        requests=[one.get("request") for one in items],
    )


def _require_usable_withdrawals(items: Sequence[Values]) -> None:
    for one in {named for values in items if (named := values.get("withdrawal"))}:
        withdrawal_panes.require_not_rejected(one)


def _work(values: Values) -> set[Any]:
    """Return the order and the request that a pane is added to."""
    return {values.get("order"), values.get("request")}


def _insert(made: Sequence[Sequence[Pane]], actor: Identity) -> None:
    """Store panes, and each unit, with the cuts and the figures that follow."""
    panes = [pane for group in made for pane in group]
    makeability.require_makeable(pane for pane in panes if pane.order)
    agreed_prices.price_added(panes, may=actor.may)
    records.store(*panes)
    cuts.log_new(panes, worker=actor.worker_id)
    order_figures.recount_orders([group[0].order for group in made])
