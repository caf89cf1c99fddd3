"""The modules of the pages that `flask docs` prints: rules, terms and labels of the workshop.

Each constant is taken from the object that the service decides by. The text has the format
of prettier.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from glassflow.domain import texts
from glassflow.domain.claims import CLAIMABLE, ClaimDecision, ClaimStatus
from glassflow.domain.cutting.stages import PlanStatus
from glassflow.domain.daily_figures import LEAVING
from glassflow.domain.defects import DefectCode
from glassflow.domain.deliveries import DeliveryStatus
from glassflow.domain.notifications import NotificationPriority
from glassflow.domain.orders import (
    CLOSED_REQUESTS,
    OPEN_ORDERS,
    RETIRED,
    OrderStatus,
    RequestStatus,
)
from glassflow.domain.panes.lamination import PRESENT
from glassflow.domain.panes.next_step import NEXT_ACTION
from glassflow.domain.panes.route import NOT_CORRECTABLE, UNIT_CORRECTIONS
from glassflow.domain.panes.status import OPEN, TERMINAL, Action, Status
from glassflow.domain.panes.table import TABLE, Rule
from glassflow.domain.quotes import QuoteStatus
from glassflow.domain.stock import StockType, WithdrawalStatus

Values = Sequence[str]


class Constant(NamedTuple):
    """A constant of a module: its name, its JSDoc, and its value."""

    name: str
    about: str
    value: Values | Mapping[str, str | Values]


def page_modules() -> dict[str, str]:
    """Return the text of each printed module, by its path below `pages/static/`."""
    return {
        "js/core/pane_flow.js": _module("glassflow/domain", _pane_flow()),
        "js/core/record_terms.js": _module("glassflow/domain", _record_terms()),
        "texts/fields.en.js": _field_labels("en", "English"),
        "texts/fields.th.js": _field_labels("th", "Thai"),
        "texts/makeability.en.js": _makeability("en", "English"),
        "texts/makeability.th.js": _makeability("th", "Thai"),
    }


def _pane_flow() -> Iterator[Constant]:
    yield Constant(
        "OPEN",
        "The statuses of a pane that can be scanned, in the order of the work.",
        _in_order(Status, OPEN),
    )
    yield Constant(
        "TERMINAL", "The statuses that no scan changes.", _in_order(Status, TERMINAL)
    )
    yield Constant(
        "STARTS_FROM",
        "The statuses that each action of a scan starts from.",
        {action: _in_order(Status, rule.allowed) for action, rule in TABLE.items()},
    )
    yield Constant(
        "LEADS_TO",
        "The status after each action that leaves a pane at its station.",
        {action: to for action, rule in TABLE.items() if (to := _status_here(rule))},
    )
    yield Constant(
        "NEXT_ACTION",
        "The action that takes a pane on, by its status.",
        NEXT_ACTION,
    )
    yield Constant(
        "LEAVING", "The actions that hand a pane on.", _in_order(Action, LEAVING)
    )
    yield Constant(
        "PRESENT",
        "The statuses of a sheet that can be laminated at its station.",
        _in_order(Status, PRESENT),
    )
    yield Constant(
        "NOT_CORRECTABLE",
        "The statuses that no correction sets or changes.",
        _in_order(Status, NOT_CORRECTABLE),
    )
    yield Constant(
        "UNIT_CORRECTIONS",
        "The status that a correction gives the parent of a unit, by its status.",
        UNIT_CORRECTIONS,
    )
    yield Constant(
        "CLAIMABLE",
        "The statuses in which a pane can be claimed.",
        _in_order(Status, CLAIMABLE),
    )
    yield Constant(
        "RETIRED",
        "The statuses of panes that their order does not count.",
        _in_order(Status, RETIRED),
    )


def _record_terms() -> Iterator[Constant]:
    yield Constant("ORDER_STATUSES", "", list(OrderStatus))
    yield Constant("OPEN_ORDERS", "", _in_order(OrderStatus, OPEN_ORDERS))
    yield Constant("REQUEST_STATUSES", "", list(RequestStatus))
    yield Constant("CLOSED_REQUESTS", "", _in_order(RequestStatus, CLOSED_REQUESTS))
    yield Constant("CLAIM_STATUSES", "", list(ClaimStatus))
    yield Constant("CLAIM_DECISIONS", "", list(ClaimDecision))
    yield Constant("WITHDRAWAL_STATUSES", "", list(WithdrawalStatus))
    yield Constant("DEFECTS", "", list(DefectCode))
    yield Constant("QUOTE_STATUSES", "", list(QuoteStatus))
    yield Constant("DELIVERY_STATUSES", "", list(DeliveryStatus))
    yield Constant("PLAN_STATUSES", "", list(PlanStatus))
    yield Constant("STOCK_TYPES", "", list(StockType))
    yield Constant("PRIORITIES", "", list(NotificationPriority))


def _status_here(rule: Rule) -> Status | None:
    """Return what a pane is after a scan that takes it neither on nor out of work."""
    is_of_unit = rule.retired_to is not None
    return rule.to if rule.to in OPEN and not is_of_unit else None


def _in_order(terms: type[StrEnum], members: Collection[str]) -> Values:
    """Return members in the order of their enumeration: a set has none."""
    return [term for term in terms if term in members]


def _module(source: str, constants: Iterator[Constant]) -> str:
    blocks = [f"// Printed by `flask docs` from {source}.\n"]
    for name, about, value in constants:
        comment = f"/** {about} */\n" if about else ""
        blocks.append(f"{comment}{_statement(name, value)}")
    return "\n".join(blocks)


def _statement(name: str, value: Values | Mapping[str, str | Values]) -> str:
    if not isinstance(value, Mapping):
        return f"export const {name} = {json.dumps(value)};\n"
    members = [f"{key}: {json.dumps(one)}" for key, one in value.items()]
    lines = "".join(f"  {member},\n" for member in members)
    return f"export const {name} = {{\n{lines}}};\n"


def _field_labels(code: str, language: str) -> str:
    labels = {**texts.FIELD_LABELS, **texts.COLUMN_TITLES}
    return _texts(
        f"The labels of fields, in {language}.",
        "field_labels",
        {f"field.{key}": label.in_language(code) for key, label in labels.items()},
    )


def _makeability(code: str, language: str) -> str:
    tables = {
        "makeabilityplace": texts.MAKEABILITY_PLACES,
        "makeabilitysubject": texts.MAKEABILITY_SUBJECTS,
        "makeabilityunit": {**texts.MAKEABILITY_UNITS, "mm": texts.MAKEABILITY_MM},
        "makeability": {
            "least": texts.MAKEABILITY_LEAST,
            "most": texts.MAKEABILITY_MOST,
            "notGiven": texts.MAKEABILITY_NOT_GIVEN,
        },
    }
    return _texts(
        f"What can be made, in {language}.",
        "makeability",
        {
            f"{group}.{key}": text.in_language(code)
            for group, table in tables.items()
            for key, text in table.items()
        },
    )


def _texts(about: str, module: str, found: Mapping[str, str]) -> str:
    rows = "".join(
        f"  {_quoted(key)}: {_quoted(text)},\n" for key, text in found.items()
    )
    return (
        f"// {about}\n"
        f"// Printed by `flask docs` from glassflow/domain/texts/{module}.py.\n"
        f"export default {{\n{rows}}};\n"
    )


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
