"""Tax ids of customers and the branches of their companies, as Thailand numbers them.

A Thai tax id has 13 digits, of which the last is a check digit; a branch has five digits.
Other countries have their own rules, which are not checked.
"""

import re

from glassflow.domain import texts

DIGITS = 13  # of a Thai tax id
BRANCH_DIGITS = 5
HEAD_OFFICE = "0" * BRANCH_DIGITS
# What a customer's country may be called where it is Thailand, in lower case.
THAILAND = frozenset({"", "th", "thailand", "ไทย", "ประเทศไทย"})

_SEPARATORS = re.compile(r"[\s\-\u2010-\u2015]")  # spaces, hyphens and dashes
_NUMBER = re.compile(r"\d*", re.ASCII)


def is_thailand(country: str) -> bool:
    """Return whether a customer's country is Thailand, which no name stands for too."""
    return country.strip().casefold() in THAILAND


def check_digit(digits: str) -> int:
    """Return the last digit of a Thai tax id from its first twelve."""
    weights = range(DIGITS, 1, -1)
    total = sum(
        int(digit) * weight for digit, weight in zip(digits, weights, strict=True)
    )
    return (11 - total % 11) % 10


def stored_tax_id(text: str, country: str) -> str:
    """Return a tax id as it is stored: in Thailand its digits only.

    Raises `ValueError` with the message for a wrong one.
    """
    if not text or not is_thailand(country):
        return text
    digits = _SEPARATORS.sub("", text)
    if not _NUMBER.fullmatch(digits):
        raise ValueError(texts.TAX_ID_NOT_DIGITS)
    if len(digits) != DIGITS:
        raise ValueError(texts.TAX_ID_LENGTH.format(digits=DIGITS, count=len(digits)))
    if int(digits[-1]) != check_digit(digits[:-1]):
        raise ValueError(texts.TAX_ID_CHECK_DIGIT)
    return digits


def stored_branch(text: str, country: str) -> str:
    """Return a branch as it is stored: in Thailand five digits, with leading zeros.

    Raises `ValueError` with the message for a wrong one.
    """
    if not text or not is_thailand(country):
        return text
    if not _NUMBER.fullmatch(text) or len(text) > BRANCH_DIGITS:
        raise ValueError(
            texts.BRANCH_NOT_DIGITS.format(
                digits=BRANCH_DIGITS, head_office=HEAD_OFFICE
            )
        )
    return text.zfill(BRANCH_DIGITS)
