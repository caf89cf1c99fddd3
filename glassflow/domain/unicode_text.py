"""The form in which texts are stored and compared, and patterns that find both forms."""

import re
import unicodedata

# Cc of Unicode without tab, line feed and carriage return.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
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

    A text with more than `MAX_MARKS` marks on one letter is not brought into NFC: that
    takes minutes for one with a megabyte of them.
    """
    composed = text if _has_endless_marks(text) else unicodedata.normalize("NFC", text)
    return _SARA_AM_IN_TWO.sub("\\1\\2\u0e33", composed).strip()


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
