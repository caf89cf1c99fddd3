"""What every document for customers has, as plain values.

Where a text is empty or a value None, its name is left out, too.
"""

import datetime as dt
from dataclasses import dataclass

from glassflow.domain.bilingual import THAI, Language


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The head of a document; `logo` is a picture file, left out if it cannot be read."""

    number: str
    date: dt.date
    seller: Party
    buyer: Party
    logo: bytes | None = None
    language: Language = THAI
