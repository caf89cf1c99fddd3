"""What a quote shows on paper, as plain values; amounts are in baht, lengths in mm.

Where a text is empty or a value None, its name is left out, too.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from glassflow.domain.panes.cut_outs import CutOut

Language = Literal["th", "en"]


@dataclass(frozen=True, slots=True)
class Party:
    """The workshop or the customer; `branch` is that of `domain.tax_ids`."""

    name: str
    address: str = ""
    tax_id: str = ""
    branch: str = ""
    phone: str = ""
    email: str = ""
    contact: str = ""


@dataclass(frozen=True, slots=True)
class PaperLine:
    """A line of the table; `area` is that of each pane, in ft².

    `cut_outs` are holes and notches with the fields of the API. They are drawn where the
    pane is measured.
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


@dataclass(frozen=True, slots=True)
class QuoteOnPaper:
    """A quote; of the amounts, those that are 0 are left out, but not the sums.

    `minimum` is what is added up to the minimum charge, `discount` what is taken off.
    `logo` is a picture file; one that cannot be read is left out.
    """

    number: str
    date: dt.date
    seller: Party
    buyer: Party
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
    valid_until: dt.date | None = None
    delivery_address: str = ""
    project: str = ""
    lead_time: str = ""
    remarks: str = ""
    conditions: str = ""
    bank_line: str = ""
    logo: bytes | None = None
    prepared_by: str = ""
    is_draft: bool = False
    language: Language = "th"
