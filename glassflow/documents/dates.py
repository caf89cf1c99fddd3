"""Dates as documents write them."""

from datetime import date

from glassflow.domain import texts
from glassflow.domain.bilingual import THAI
from glassflow.domain.calendar import BUDDHIST_ERA_AHEAD


def written(day: date, language: str) -> str:
    """Return a date in words, in Thai with the year of the Buddhist era."""
    year = day.year + (BUDDHIST_ERA_AHEAD if language == THAI else 0)
    return f"{day.day} {texts.PAPER_MONTHS[day.month].in_language(language)} {year}"
