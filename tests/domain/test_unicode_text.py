"""Texts have one stored form, and searches find texts that were stored in another."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from glassflow.domain.unicode_text import (
    INVISIBLE,
    MAX_MARKS,
    as_username,
    has_control_characters,
    has_visible_character,
    is_blank,
    normalize,
    search_form,
    search_pattern,
)

AM, NIKHAHIT, AA, TONE, N = "\u0e33", "\u0e4d", "\u0e32", "\u0e49", "\u0e19"
# Two words, each in all the forms that look the same.
WATER = (N + TONE + AM, N + TONE + NIKHAHIT + AA, N + NIKHAHIT + TONE + AA)
DO = (N + AM, N + NIKHAHIT + AA)
# Zero width space, word joiner, byte order mark, soft hyphen, marks of direction.
HIDDEN = "\u200b\u2060\ufeff\u00ad\u200e\u200f\u061c\u202a\u202c\u202e\u2066\u2069"
SPACES = " \t\n\u00a0\u2003\u3000"
BLANKS = "\u3164\uffa0\u115f\u2800"
LONE_MARKS = "\u0e48\u0e31\u0e34\u0301\u20e3\ufe0f\u093e"
# What is seen, from letters with marks to emoji of several characters.
SEEN = [
    "a",
    "°",
    "-",
    "ก",
    "ก็",
    "ๆ",
    "เ",
    WATER[0],
    "e\u0301",
    "한",
    "😀",
    "👩🏽‍🔧",
    "🇹🇭",
    "1\ufe0f\u20e3",
    "❤\ufe0f",
    "\U0001fadf",  # an emoji of Unicode 16, unassigned in older tables
]
FORMS = [(form, forms) for forms in (WATER, DO) for form in forms]


@pytest.mark.parametrize(("typed", "forms"), FORMS)
def test_sara_am_is_stored_as_one_character(typed, forms):
    assert normalize(f" {typed}ใส") == f"{forms[0]}ใส"


@pytest.mark.parametrize(("typed", "forms"), FORMS)
def test_search_finds_every_form_of_sara_am(typed, forms):
    pattern = search_pattern(f"ก{typed}.")
    assert all(re.search(pattern, f"ก{form}.") for form in forms)
    assert not re.search(pattern, f"ก{forms[0]}x")
    assert not re.search(pattern, f"ก{N}{AA}.")


def test_text_is_composed_and_trimmed():
    assert normalize("\tCafe\u0301 \n") == "Café"
    assert normalize("สระอา") == "สระอา"


@pytest.mark.parametrize("marks", ["\u0315\u0300", "\u0f73", "\u0f72\u0f71"])
def test_text_with_endless_marks_on_one_letter_is_only_trimmed(marks):
    """To compose it would take minutes, in which nobody else is served."""
    few, many = marks * (MAX_MARKS // len(marks)), marks * 250_000
    assert normalize(f"a{few} ") == unicodedata.normalize("NFC", f"a{few}") != f"a{few}"
    assert normalize(f" cafe\u0301{many} ") == f"cafe\u0301{many}"
    assert normalize(20 * f"a{few}" + "e\u0301").endswith("é")


@pytest.mark.parametrize("code", [0, 8, 11, 12, 14, 26, 27, 31, 127, 128, 133, 159])
def test_control_characters_are_found(code):
    assert has_control_characters(f"a{chr(code)}b")


@pytest.mark.parametrize("text", ["", "a\tb\nc\r\n", "ก็\u200b", "\u00a0", "😀"])
def test_tab_line_ends_and_other_characters_are_no_control_characters(text):
    assert not has_control_characters(text)


texts = st.text() | st.text(
    st.sampled_from([*HIDDEN, *LONE_MARKS, *"กe\u0301 ", AM, AA])
)


@given(texts)
@example("e\u200b\u0301")
@example(" \ufeff a")
@example(f"{N}{NIKHAHIT}\u200b{AA}")
def test_stored_text_has_nothing_invisible_and_is_its_own_stored_form(text):
    stored = normalize(text)
    assert not re.search(INVISIBLE, stored)
    assert not set(HIDDEN) & set(stored)
    assert normalize(stored) == stored
    assert is_blank(text) == (stored == "")


@given(texts, st.text(st.sampled_from(HIDDEN), min_size=1), st.data())
def test_invisible_characters_make_no_other_text(text, hidden, data):
    place = data.draw(st.integers(0, len(text)))
    pasted = text[:place] + hidden + text[place:]
    assert normalize(pasted) == normalize(text)
    assert as_username(pasted) == as_username(text)
    assert search_form(pasted) == search_form(text)
    assert has_visible_character(pasted) == has_visible_character(text)


def test_joiners_of_words_and_emoji_stay():
    for text in ("👩🏽‍🔧", "ക്‌ഷ", "می\u200cخواهم", "🏴\U000e0067\U000e0062\U000e007f"):
        assert normalize(text) == text


@given(
    st.sampled_from(SEEN),
    st.text(st.sampled_from(HIDDEN + SPACES + BLANKS + LONE_MARKS)),
)
def test_name_with_something_to_be_seen_is_visible(seen, around):
    assert has_visible_character(f"{around}{seen}{around}")
    assert has_visible_character(normalize(f"{around}{seen}{around}"))


@given(st.text(st.sampled_from(HIDDEN + SPACES + BLANKS + LONE_MARKS + "\u200c\u200d")))
def test_spaces_lone_marks_and_invisible_characters_are_no_name(text):
    assert not has_visible_character(text)
    assert not has_visible_character(normalize(text))
