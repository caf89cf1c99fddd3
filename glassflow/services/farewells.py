"""What records leave behind in good order before they are deleted."""

from collections.abc import Mapping, Sequence

from glassflow.models.base import Record
from glassflow.services import claims, stock, withdrawals
from glassflow.services.deletion import Farewell
from glassflow.services.identity import Identity


def _claims(going: Sequence[Record], actor: Identity) -> None:
    for claim in going:
        claims.let_go(claim, actor=actor)


def _withdrawals(going: Sequence[Record], actor: Identity) -> None:
    for withdrawal in going:
        withdrawals.release(withdrawal, actor=actor)


def _lots(going: Sequence[Record], actor: Identity) -> None:
    """The stock book says what was left of lots that go along with their material."""
    for lot in going:
        if lot.quantity:
            stock.enter(lot, "adjust", lot.material, -lot.quantity, actor.worker_id)


ALL: Mapping[str, Farewell] = {
    "Claim": _claims,
    "Withdrawal": _withdrawals,
    "Inventory": _lots,
}
