"""What a quote shows on paper, as plain values; amounts are in baht, lengths in mm."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from glassflow.documents.document import Document
from glassflow.documents.pane_drawing import Cut
from glassflow.domain.money import part_of
from glassflow.domain.panes.cut_outs import CutOut


@dataclass(frozen=True, slots=True)
class PaneDrawing:
    """What the drawing of a worked pane shows besides its size.

    `edges` are the words of the worked sides, by `top`, `right`, `bottom` and `left`.
    """

    cuts: Sequence[Cut]
    edges: Mapping[str, str]
    corners: str = ""
    tolerance: str = ""
    notes: str = ""


@dataclass(frozen=True, slots=True)
class PaperLine:
    """A line of the table; `area` is that of each pane, in ft².

    `cut_outs` are holes and notches with the fields of the API. They are drawn where the
    pane is measured. `mark` is where the customer has the panes. A pane with a `drawing` has both sides, and a page of its own.
    """

    description: str
    quantity: int
    unit_price: Decimal
    amount: Decimal
    width: float | None = None
    height: float | None = None
    area: Decimal | None = None
    cut_outs: Sequence[CutOut] = ()
    remark: str = ""
    mark: str = ""
    drawing: PaneDrawing | None = None


@dataclass(frozen=True, slots=True)
class PaperChange:
    """A change of what was agreed: its lines in words with their differences in baht.

    One that `waits` is made once the customer has confirmed.
    """

    day: dt.date
    reason: str
    lines: Sequence[tuple[str, Decimal]]
    difference: Decimal
    waits: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteOnPaper(Document):
    """A quote; of the amounts, those that are 0 are left out, but not the sums.

    A confirmation of a request (`is_confirmation`) has its `changes`.

    `minimum` is what is added up to the minimum charge, `discount` what is taken off.
    """

    lines: Sequence[PaperLine]
    subtotal: Decimal
    net: Decimal
    gross: Decimal
    vat_percent: Decimal = Decimal(0)
    vat: Decimal = Decimal(0)
    rush_percent: Decimal = Decimal(0)
    rush: Decimal = Decimal(0)
    discount_percent: Decimal = Decimal(0)
    discount: Decimal = Decimal(0)
    minimum: Decimal = Decimal(0)
    deposit_percent: Decimal = Decimal(0)
    valid_until: dt.date | None = None
    delivery_address: str = ""
    project: str = ""
    lead_time: str = ""
    expected_delivery: dt.date | None = None
    remarks: str = ""
    conditions: str = ""
    bank_line: str = ""
    prepared_by: str = ""
    is_draft: bool = False
    is_confirmation: bool = False
    changes: Sequence[PaperChange] = ()

    @property
    def deposit(self) -> Decimal:
        """What the customer is to pay in advance, with VAT."""
        return part_of(self.gross, self.deposit_percent)
