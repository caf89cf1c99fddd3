"""Amounts of baht in Thai and English words."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.documents import amount_in_words

WORDS = [
    ("0", "ศูนย์บาทถ้วน", "Zero baht only"),
    ("0.01", "หนึ่งสตางค์", "One satang"),
    ("0.11", "สิบเอ็ดสตางค์", "Eleven satang"),
    ("0.25", "ยี่สิบห้าสตางค์", "Twenty-five satang"),
    ("0.50", "ห้าสิบสตางค์", "Fifty satang"),
    ("0.91", "เก้าสิบเอ็ดสตางค์", "Ninety-one satang"),
    ("1", "หนึ่งบาทถ้วน", "One baht only"),
    ("1.01", "หนึ่งบาทหนึ่งสตางค์", "One baht and one satang"),
    ("2", "สองบาทถ้วน", "Two baht only"),
    ("3", "สามบาทถ้วน", "Three baht only"),
    ("9.99", "เก้าบาทเก้าสิบเก้าสตางค์", "Nine baht and ninety-nine satang"),
    ("10", "สิบบาทถ้วน", "Ten baht only"),
    ("11", "สิบเอ็ดบาทถ้วน", "Eleven baht only"),
    ("12", "สิบสองบาทถ้วน", "Twelve baht only"),
    ("15", "สิบห้าบาทถ้วน", "Fifteen baht only"),
    ("19", "สิบเก้าบาทถ้วน", "Nineteen baht only"),
    ("20", "ยี่สิบบาทถ้วน", "Twenty baht only"),
    ("21", "ยี่สิบเอ็ดบาทถ้วน", "Twenty-one baht only"),
    ("22", "ยี่สิบสองบาทถ้วน", "Twenty-two baht only"),
    ("31", "สามสิบเอ็ดบาทถ้วน", "Thirty-one baht only"),
    ("48", "สี่สิบแปดบาทถ้วน", "Forty-eight baht only"),
    ("67", "หกสิบเจ็ดบาทถ้วน", "Sixty-seven baht only"),
    ("100", "หนึ่งร้อยบาทถ้วน", "One hundred baht only"),
    ("101", "หนึ่งร้อยเอ็ดบาทถ้วน", "One hundred one baht only"),
    ("102", "หนึ่งร้อยสองบาทถ้วน", "One hundred two baht only"),
    ("110", "หนึ่งร้อยสิบบาทถ้วน", "One hundred ten baht only"),
    ("111", "หนึ่งร้อยสิบเอ็ดบาทถ้วน", "One hundred eleven baht only"),
    ("120", "หนึ่งร้อยยี่สิบบาทถ้วน", "One hundred twenty baht only"),
    ("201", "สองร้อยเอ็ดบาทถ้วน", "Two hundred one baht only"),
    ("221", "สองร้อยยี่สิบเอ็ดบาทถ้วน", "Two hundred twenty-one baht only"),
    ("1000", "หนึ่งพันบาทถ้วน", "One thousand baht only"),
    ("1001", "หนึ่งพันเอ็ดบาทถ้วน", "One thousand one baht only"),
    ("1010", "หนึ่งพันสิบบาทถ้วน", "One thousand ten baht only"),
    ("1100", "หนึ่งพันหนึ่งร้อยบาทถ้วน", "One thousand one hundred baht only"),
    ("10000", "หนึ่งหมื่นบาทถ้วน", "Ten thousand baht only"),
    ("11000", "หนึ่งหมื่นหนึ่งพันบาทถ้วน", "Eleven thousand baht only"),
    ("20000", "สองหมื่นบาทถ้วน", "Twenty thousand baht only"),
    ("100000", "หนึ่งแสนบาทถ้วน", "One hundred thousand baht only"),
    (
        "123456.78",
        "หนึ่งแสนสองหมื่นสามพันสี่ร้อยห้าสิบหกบาทเจ็ดสิบแปดสตางค์",
        "One hundred twenty-three thousand four hundred fifty-six baht and "
        "seventy-eight satang",
    ),
    ("1000000", "หนึ่งล้านบาทถ้วน", "One million baht only"),
    ("1000001", "หนึ่งล้านเอ็ดบาทถ้วน", "One million one baht only"),
    ("1000010", "หนึ่งล้านสิบบาทถ้วน", "One million ten baht only"),
    (
        "1200000.50",
        "หนึ่งล้านสองแสนบาทห้าสิบสตางค์",
        "One million two hundred thousand baht and fifty satang",
    ),
    ("10000000", "สิบล้านบาทถ้วน", "Ten million baht only"),
    ("11000011", "สิบเอ็ดล้านสิบเอ็ดบาทถ้วน", "Eleven million eleven baht only"),
    ("21000000", "ยี่สิบเอ็ดล้านบาทถ้วน", "Twenty-one million baht only"),
    (
        "101000001",
        "หนึ่งร้อยเอ็ดล้านเอ็ดบาทถ้วน",
        "One hundred one million one baht only",
    ),
    ("1000000000", "หนึ่งพันล้านบาทถ้วน", "One billion baht only"),
    ("1000000000000", "หนึ่งล้านล้านบาทถ้วน", "One trillion baht only"),
    (
        "1000001000000",
        "หนึ่งล้านเอ็ดล้านบาทถ้วน",
        "One trillion one million baht only",
    ),
    (
        "1000001000001.21",
        "หนึ่งล้านเอ็ดล้านเอ็ดบาทยี่สิบเอ็ดสตางค์",
        "One trillion one million one baht and twenty-one satang",
    ),
    ("10000000000000", "สิบล้านล้านบาทถ้วน", "Ten trillion baht only"),
]
AMOUNTS = st.decimals(0, amount_in_words.LIMIT, places=2)
IN_WORDS = [amount_in_words.thai, amount_in_words.english]


@pytest.mark.parametrize(("amount", "thai", "english"), WORDS)
def test_amount_is_written_in_words(amount, thai, english):
    assert amount_in_words.thai(Decimal(amount)) == thai
    assert amount_in_words.english(Decimal(amount)) == english


@pytest.mark.parametrize("in_words", IN_WORDS)
@given(one=AMOUNTS, other=AMOUNTS)
def test_different_amounts_have_different_words(in_words, one, other):
    assert (in_words(one) == in_words(other)) == (one == other)


@pytest.mark.parametrize("in_words", IN_WORDS)
def test_no_two_neighbours_have_the_same_words(in_words):
    near = [base + step for base in (0, 10**6, 10**12) for step in range(3000)]
    texts = {in_words(Decimal(one) / 100) for one in near}
    texts |= {in_words(Decimal(one)) for one in near}
    assert len(texts) == len({*near, *(one * 100 for one in near)})


@pytest.mark.parametrize("in_words", IN_WORDS)
def test_amounts_are_rounded_half_up_to_the_satang(in_words):
    assert in_words(Decimal("1.005")) == in_words(Decimal("1.01"))
    assert in_words(Decimal("0.995")) == in_words(Decimal(1))


@pytest.mark.parametrize("in_words", IN_WORDS)
@pytest.mark.parametrize("amount", ["-0.01", "10000000000000.01", "NaN"])
def test_amounts_beyond_the_limits_are_refused(in_words, amount):
    with pytest.raises((ValueError, ArithmeticError)):
        in_words(Decimal(amount))
