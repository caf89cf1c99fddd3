"""Short names of customers: without the legal form, and with what tells two from each other."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain.short_names import MOST, short_name

NAMES = {
    "บริษัท กระจกใส จำกัด": "กระจกใส",
    "บริษัทกระจกใสจำกัด (มหาชน)": "กระจกใส",
    "บริษัท เอบีซี (ประเทศไทย) จำกัด": "เอบีซี",
    "บริษัท ไอเดียไม่จำกัด จำกัด": "ไอเดียไม่จำกัด",
    "ร้านไอเดียไม่จำกัด": "ร้านไอเดียไม่จำกัด",
    "หจก.กระจกดี": "กระจกดี",
    "บจก กระจก": "กระจก",
    "บจกระจก": "บจกระจก",
    "ห้างหุ้นส่วนจำกัด สมบูรณ์การกระจก": "สมบูรณ์การกระจก",
    "คุณวราภรณ์ ศรีสุข": "คุณวราภรณ์ ศรีสุข",
    "ABC Co., Ltd.": "ABC",
    "ABC Co.,Ltd": "ABC",
    "ABC company limited": "ABC",
    "ABC Ltd., Part.": "ABC",
    "Thai Glass Public Company Limited": "Thai Glass",
    "ABC Co., Ltd. (Bangna)": "ABC (Bangna)",
    "Glashaus GmbH": "Glashaus",
    "Limited Edition Glass": "Limited Edition Glass",
    # nothing but a legal form is a name
    "บริษัท": "บริษัท",
    "Limited": "Limited",
    # what differs stays
    "บริษัท ผู้เชี่ยวชาญกระจกและอลูมิเนียม จำกัด (สาขาบางนา)": "ผู้เชี่ยวชาญกระจก… สาขาบางนา",
    "บริษัท ผู้เชี่ยวชาญกระจกและอลูมิเนียม จำกัด สาขา 2": "ผู้เชี่ยวชาญกระจกและ… สาขา 2",
    "International Glass and Aluminium Trading Bangkok": "International… Bangkok",
    "International Glass Trading Co., Ltd. Bangna Branch": "Internati… Bangna Branch",
    # one word
    "ผู้เชี่ยวชาญการติดตั้งกระจกอลูมิเนียม": "ผู้เชี่ยวชาญการติดตั้งกระจกอลูมิ…",
    "W" * 60: "W" * 23 + "…",
}
PARTS = [
    "บริษัท ",
    "หจก.",
    "จำกัด",
    " (มหาชน)",
    "Co., Ltd.",
    " GmbH",
    "สาขา",
    "(",
    ")",
    " - ",
    "Branch",
]
texts = st.lists(
    st.sampled_from(PARTS) | st.text("ก้เำี่aB .,", max_size=9) | st.text(max_size=9)
).map("".join)


def is_mark(char):
    return char == "ำ" or unicodedata.category(char or " ")[0] == "M"


@pytest.mark.parametrize(("name", "short"), NAMES.items())
def test_short_name_has_what_people_say(name, short):
    assert short_name(name) == short


@given(texts)
def test_short_name_is_short_and_of_the_name(name):
    short = short_name(name)
    assert bool(short) == bool(name)
    whole = f" {' '.join(name.split())}"
    for piece in short.replace("…", " ").split():
        after = [text[:1] for text in whole.split(piece)[1:]]
        assert after, "it has no text that the name lacks"
        assert not all(map(is_mark, after)), "no mark is cut from its letter"
    if name.strip():
        assert sum(not is_mark(char) for char in short) <= MOST
