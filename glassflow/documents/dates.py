"""Dates and times as documents write them."""

from datetime import date, datetime

from glassflow.domain import texts
from glassflow.domain.bilingual import THAI
from glassflow.domain.calendar import BUDDHIST_ERA_AHEAD


def written(day: date, language: str) -> str:
    """Return a date in words, in Thai with the year of the Buddhist era."""
    year = day.year + (BUDDHIST_ERA_AHEAD if language == THAI else 0)
    return f"{day.day} {texts.PAPER_MONTHS[day.month].in_language(language)} {year}"


def moment_written(moment: datetime, language: str) -> str:
    """Return the date in words and the time of a moment, as its own clock shows it."""
    day = written(moment.date(), language)
    text = texts.PAPER_MOMENT.format(day=day, time=f"{moment:%H:%M}")
    return text.in_language(language)
