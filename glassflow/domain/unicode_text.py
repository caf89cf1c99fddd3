"""The form in which texts are stored and compared, and patterns that find both forms."""

import re
import unicodedata

# Cc of Unicode without tab, line feed and carriage return.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
# What copied texts bring along: soft hyphen, zero width space, word joiner, byte order
# mark, and the marks of writing direction. Joiners belong to words and emoji: they stay.
INVISIBLE = "[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]"
_INVISIBLE = re.compile(INVISIBLE)
# Letters and symbols of which nothing is seen: fillers of Hangul, the empty Braille cell.
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
MAX_MARKS = 100  # languages have a few; to sort them takes the square of their number
# Thai sara am is one character or two, nikhahit and sara aa; a tone mark stands before
# or between the two. They look the same, and NFC does not merge them.
_TONE = "[\u0e48-\u0e4b]"
_SARA_AM_IN_TWO = re.compile(f"({_TONE}?)\u0e4d({_TONE}?)\u0e32")
_SARA_AM = re.compile(f"({_TONE}?)\u0e33")


def has_control_characters(text: str) -> bool:
    """Return whether a text has control characters other than tab and line ends."""
    return _CONTROL.search(text) is not None


def normalize(text: str) -> str:
    """Return a text as it is stored: trimmed, in NFC, sara am as one character.

    It has no characters of `INVISIBLE`. A text with more than `MAX_MARKS` marks on one
    letter is not brought into NFC: that takes minutes for one with a megabyte of them.
    """
    shown = _without_invisible(text)
    if shown.isascii():
        return shown.strip()
    composed = (
        shown if _has_endless_marks(shown) else unicodedata.normalize("NFC", shown)
    )
    return _SARA_AM_IN_TWO.sub("\\1\\2\u0e33", composed).strip()


def is_blank(text: str) -> bool:
    """Return whether nothing is left of a text when it is stored."""
    return not _without_invisible(text).strip()


def _without_invisible(text: str) -> str:
    # a data URL has millions of characters
    return text if text.isascii() else _INVISIBLE.sub("", text)


def has_visible_character(text: str) -> bool:
    """Return whether a text has more than spaces, marks and invisible characters.

    A mark, as a tone mark, needs a letter on which it stands.
    """
    return any(map(_is_visible, text))


def _is_visible(character: str) -> bool:
    # Unassigned (Cn) to this Python may be an emoji of a later Unicode.
    category = unicodedata.category(character)
    is_hidden = category[0] in "MZ" or category in ("Cc", "Cf", "Cs")
    return not is_hidden and character not in _BLANK


def _has_endless_marks(text: str) -> bool:
    """Return whether more than `MAX_MARKS` combining marks follow each other."""
    if len(text) <= MAX_MARKS or text.isascii():
        return False
    count = 0
    for character in text:
        is_mark = unicodedata.category(character)[0] == "M"
        count = count + 1 if is_mark else 0
        if count > MAX_MARKS:
            return True
    return False


def as_username(text: str) -> str:
    """Return a username as it is stored: letter case is ignored."""
    return normalize(text).lower()


def search_form(text: str) -> str:
    """Return the form in which texts are compared by a search: letter case is ignored."""
    return normalize(text).lower()


def search_pattern(text: str) -> str:
    """Return a regular expression that finds a text, with sara am in either form.

    Texts that an earlier release stored may have sara am as two characters.
    """
    return _SARA_AM.sub(_either_form, re.escape(normalize(text)))


def _either_form(found: re.Match[str]) -> str:
    tone = found[1]
    forms = dict.fromkeys(
        (f"{tone}\u0e33", f"{tone}\u0e4d\u0e32", f"\u0e4d{tone}\u0e32")
    )
    return f"(?:{'|'.join(forms)})"
