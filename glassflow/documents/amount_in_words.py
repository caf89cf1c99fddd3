"""Amounts of baht in words, as quotes and receipts repeat them."""

from decimal import ROUND_HALF_UP, Decimal

LIMIT = Decimal(10) ** 13  # baht

_THAI_DIGITS = ("", "หนึ่ง", "สอง", "สาม", "สี่", "ห้า", "หก", "เจ็ด", "แปด", "เก้า")
_THAI_PLACES = ("", "สิบ", "ร้อย", "พัน", "หมื่น", "แสน")
_THAI_TENS = {"1": "สิบ", "2": "ยี่สิบ"}
_BELOW_TWENTY = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
    "eighteen", "nineteen",
)  # fmt: skip
_TENS = (
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
)  # fmt: skip
_SCALES = {
    10**12: "trillion",
    10**9: "billion",
    10**6: "million",
    10**3: "thousand",
    100: "hundred",
}


def thai(amount: Decimal) -> str:
    """Return an amount of baht in Thai words, rounded half up to the satang.

    Raises `ValueError` for a negative amount and for more than `LIMIT`.
    """
    baht, satang = _baht_and_satang(amount)
    if not satang:
        return f"{_in_thai(baht) or 'ศูนย์'}บาทถ้วน"
    return f"{_in_thai(baht)}{'บาท' if baht else ''}{_in_thai(satang)}สตางค์"


def english(amount: Decimal) -> str:
    """Return an amount of baht in English words. Rounds and raises as `thai`."""
    baht, satang = _baht_and_satang(amount)
    if not satang:
        text = f"{_in_english(baht)} baht only"
    elif not baht:
        text = f"{_in_english(satang)} satang"
    else:
        text = f"{_in_english(baht)} baht and {_in_english(satang)} satang"
    return text.capitalize()


def _baht_and_satang(amount: Decimal) -> tuple[int, int]:
    if not 0 <= amount <= LIMIT:
        raise ValueError(f"{amount} is not from 0 to {LIMIT}")
    return divmod(int((amount * 100).to_integral_value(ROUND_HALF_UP)), 100)


def _in_thai(number: int) -> str:
    """Return a number in words; nothing for 0."""
    millions, rest = divmod(number, 10**6)
    words = [f"{_in_thai(millions)}ล้าน"] if millions else []
    digits = str(rest)
    for place, digit in zip(reversed(range(len(digits))), digits, strict=True):
        if place == 0 and digit == "1" and number > 1:
            words.append("เอ็ด")
        elif place == 1 and digit in _THAI_TENS:
            words.append(_THAI_TENS[digit])
        elif digit != "0":
            words.append(_THAI_DIGITS[int(digit)] + _THAI_PLACES[place])
    return "".join(words)


def _in_english(number: int) -> str:
    for scale, name in _SCALES.items():
        if number >= scale:
            count, rest = divmod(number, scale)
            after = f" {_in_english(rest)}" if rest else ""
            return f"{_in_english(count)} {name}{after}"
    if number < len(_BELOW_TWENTY):
        return _BELOW_TWENTY[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_BELOW_TWENTY[ones]}" if ones else "")
