"""What a search of a list finds, as a condition of the store.

A search finds its text in any text field of a record, in any letter case, and a number
in its number fields. `models.derived` describes the fields that this reads. The telephone
number of a customer is found in whichever way it is written.
"""

import re
from typing import Any

from glassflow.domain.phone_numbers import phone_pattern
from glassflow.domain.unicode_text import has_control_characters, search_form
from glassflow.models.base import Record
from glassflow.models.customer import Customer
from glassflow.models.derived import GRAM, digit_grams, number_mark

# The numbers of JSON: with leading zeros it is (a part of) the number of a record.
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,15})?")
_DIGITS = re.compile(rf"[0-9]{{{GRAM},}}")

Condition = dict[str, Any]


def condition(text: str, model: type[Record], *, number: str = "") -> Condition:
    """Return the condition that the records of a model meet which contain a text.

    `number` is the field of their numbers if the text is looked for in that field only.

    A text with four digits in a row is looked up by the last four of them, which an index
    answers; what the index finds is compared with the whole text. For other texts the
    embedded store looks at the entries of the index on `searchText`. No index answers for
    the telephone numbers of customers: 3,000 customers take 50 ms.
    """
    form = search_form(text)
    if has_control_characters(form):
        return {"_id": None}  # no text has any
    if number:
        return {number: {"$regex": re.escape(text.strip().upper())}}
    patterns = [re.escape(form)]
    if _NUMBER.fullmatch(form):
        patterns.append(re.escape(number_mark(float(form))))
    found: Condition = {"searchText": {"$regex": "|".join(patterns)}}
    runs = _DIGITS.findall(form)
    if runs:
        found = {"searchDigits": digit_grams(runs[-1][-GRAM:])[0], **found}
    phone = phone_pattern(form) if model is Customer else ""
    return {"$or": [found, {"phone": {"$regex": phone}}]} if phone else found
