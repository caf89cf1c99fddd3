"""Answers about the decisions on claims."""

from glassflow.domain.claims import ClaimDecision, ClaimStatus
from glassflow.domain.orders import OrderStatus
from glassflow.domain.panes.remake import RemakeKind
from glassflow.domain.panes.status import Status
from glassflow.schemas.shapes import (
    BOOLEAN,
    COUNT,
    ID,
    LOCAL,
    MESSAGE,
    NUMBER,
    TEXT,
    array,
    choice,
    described,
    members,
    nullable,
)

_FIGURES = nullable(
    members(
        {
            "status": choice(OrderStatus),
            "paneCount": COUNT,
            "panesCompleted": COUNT,
            "progressPercent": NUMBER,
        },
        title="OrderFigures",
    )
)
_REFUSAL = members({"code": TEXT, **MESSAGE}, optional=LOCAL, title="RefusalOfDecision")
_PANE = members(
    {"status": choice(Status), "station": nullable(ID)}, title="PaneAfterDecision"
)
_REMADE = members(
    {"kind": choice(RemakeKind), "pieces": COUNT, "station": nullable(ID)},
    title="PlannedRemake",
)
_OUTCOME = members(
    {
        "status": choice(ClaimStatus),
        "decision": nullable(choice(ClaimDecision)),
        "remake": nullable(BOOLEAN),
        "refusal": nullable(_REFUSAL),
        "pane": nullable(_PANE),
        "remade": nullable(_REMADE),
        "order": _FIGURES,
        "lostPrice": described(
            nullable(TEXT),
            "What was agreed for a pane that nothing replaces, and is not charged any more: "
            "in baht before VAT.",
        ),
    },
    title="OutcomeOfDecision",
    description="What one decision would do; parts that the caller may not see are null.",
)
OUTCOMES = members(
    {
        "order": described(_FIGURES, "The figures of the order as they are now."),
        "outcomes": array(_OUTCOME),
    },
    title="OutcomesOfClaim",
)
