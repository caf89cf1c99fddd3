"""Texts have one stored form, and searches find texts that were stored in another."""

import re
import unicodedata

import pytest

from glassflow.domain.unicode_text import (
    MAX_MARKS,
    has_control_characters,
    normalize,
    search_pattern,
)

AM, NIKHAHIT, AA, TONE, N = "\u0e33", "\u0e4d", "\u0e32", "\u0e49", "\u0e19"
# Two words, each in all the forms that look the same.
WATER = (N + TONE + AM, N + TONE + NIKHAHIT + AA, N + NIKHAHIT + TONE + AA)
DO = (N + AM, N + NIKHAHIT + AA)
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
