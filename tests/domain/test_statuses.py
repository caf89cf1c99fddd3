"""Statuses, roles and actions are enums, and no code writes their values again."""

import ast
from pathlib import Path

import glassflow
from glassflow.domain.claims import ClaimDecision, ClaimStatus
from glassflow.domain.orders import OrderStatus, RequestStatus
from glassflow.domain.panes.status import Action, LaminateRole, Status
from glassflow.domain.stations import StationStatus
from glassflow.domain.stock import LedgerAction, LedgerReferenceType, WithdrawalStatus
from glassflow.domain.webhooks import DeliveryStatus

ENUMS = (
    Action, ClaimDecision, ClaimStatus, DeliveryStatus, LaminateRole, LedgerAction,
    LedgerReferenceType, OrderStatus, RequestStatus, StationStatus, Status, WithdrawalStatus,
)  # fmt: skip
VALUES = {one.value for enum in ENUMS for one in enum}


def written_values(tree):
    """List the values of enums that comparisons have as text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            texts = [one.value for one in sides if isinstance(one, ast.Constant)]
            yield from ((node.lineno, text) for text in texts if text in VALUES)


def test_no_comparison_writes_the_value_of_an_enum_again():
    found = [
        (path.name, *one)
        for path in Path(glassflow.__file__).parent.rglob("*.py")
        for one in written_values(ast.parse(path.read_text("utf-8")))
    ]
    assert found == []
    assert list(written_values(ast.parse("status == 'pending'"))) == [(1, "pending")]
