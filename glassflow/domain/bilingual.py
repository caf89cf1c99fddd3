"""Texts for users in both languages of the service, English and Thai."""

import re
from collections.abc import Iterable
from enum import StrEnum
from string import Formatter
from typing import Any, Self


class Language(StrEnum):
    """A language of the service, and of its paper."""

    THAI = "th"
    ENGLISH = "en"


THAI, ENGLISH = Language.THAI, Language.ENGLISH

_TWO_NAMES = re.compile(r"(.+?)\s*\(([^()]+)\)\s*")
_THAI_LETTER, _LATIN_LETTER = re.compile("[\u0e01-\u0e5b]"), re.compile("[A-Za-z]")


class Bilingual(str):
    """A text in English and Thai.

    As a `str` it is the message that clients compare: it never changes, and is in one of
    the two languages. The other one stands beside it, with the same names in braces:

        Bilingual("Pane not found", th="ไม่พบแผ่นกระจก")
        Bilingual("มีออเดอร์เข้า", en="An order has arrived")
    """

    _forms: dict[str, str]

    def __new__(
        cls, message: str, *, th: str | None = None, en: str | None = None
    ) -> Self:
        """Raise `TypeError` unless there is one other form, `ValueError` for other names."""
        other = en if th is None else th
        if other is None or (en is not None and th is not None):
            raise TypeError(f"{message!r} needs `th`, or `en` if it is in Thai")
        if _names(message) != _names(other):
            raise ValueError(f"{message!r} and {other!r} have other names in braces")
        languages = (ENGLISH, THAI) if en is None else (THAI, ENGLISH)
        return cls._of(message, dict(zip(languages, (message, other), strict=True)))

    @classmethod
    def _of(cls, message: str, forms: dict[str, str]) -> Self:
        made = super().__new__(cls, message)
        made._forms = forms
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, str]]:
        """Let texts be copied."""
        english, thai = self._forms[ENGLISH], self._forms[THAI]
        named = {"th": thai} if str(self) == english else {"en": english}
        return (str(self),), named

    def in_language(self, language: str) -> str:
        """Return the text in a `Language`."""
        return self._forms[language]

    def format(self, *args: Any, **facts: Any) -> "Bilingual":
        """Fill in facts, as `str.format`; facts with two languages in that of the text."""
        forms = {
            language: str.format(
                form,
                *(_in(language, one) for one in args),
                **{name: _in(language, one) for name, one in facts.items()},
            )
            for language, form in self._forms.items()
        }
        return Bilingual._of(str.format(self, *args, **facts), forms)


def listed(parts: Iterable[str]) -> Bilingual:
    """Return parts, separated by commas, as one text."""
    found = list(parts)
    forms: dict[str, str] = {
        language: ", ".join(_in(language, one) for one in found)
        for language in Language
    }
    return Bilingual._of(", ".join(found), forms)


def name_in(name: str, language: str) -> str:
    """Return the half of a name such as `กระจกเงา (Mirror)` that is in a `Language`.

    A name that is not in two languages is returned whole.
    """
    found = _TWO_NAMES.fullmatch(name)
    if not found:
        return name
    halves = {
        THAI if _THAI_LETTER.search(one) else ENGLISH: one for one in found.groups()
    }
    if len(halves) < 2 or not _LATIN_LETTER.search(halves[ENGLISH]):
        return name
    return halves[Language(language)]


def _in(language: str, fact: Any) -> Any:
    return fact.in_language(language) if isinstance(fact, Bilingual) else fact


def _names(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}
