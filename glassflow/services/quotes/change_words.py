"""Changes of a request in words, as its confirmation has them on paper and by the link."""

from collections.abc import Iterator, Mapping
from typing import Any

from glassflow import runtime
from glassflow.documents import pane_numbers
from glassflow.documents.quote import PaperChange
from glassflow.domain import texts
from glassflow.domain.agreed_prices import ChangeKind
from glassflow.domain.aliases import Raw
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.calendar import in_zone
from glassflow.domain.money import as_decimal
from glassflow.domain.texts import FIELD_LABELS
from glassflow.models.quote import Quote
from glassflow.services.panes import wording

LISTS = ("holes", "notches", "edgeTasks", "processes")
# What its answer names only, because its value says nothing to people.
NAMED_ONLY = ("material",)


def changes_of(
    quote: Quote, job_types: Mapping[str, str], language: str
) -> list[PaperChange]:
    """Return the changes that a confirmation names, the oldest first.

    `job_types` are the names of job types, by code.
    """
    zone = runtime.current().policy.timezone
    last = len(quote.changes) - 1
    return [
        PaperChange(
            day=in_zone(one["at"], zone).date(),
            reason=one["reason"],
            lines=[
                (_line(each, job_types, language), as_decimal(each["difference"]))
                for each in one["lines"]
            ],
            difference=as_decimal(one["after"]) - as_decimal(one["before"]),
            waits=quote.waits and index == last,
        )
        for index, one in enumerate(quote.changes)
    ]


def _line(line: Raw, job_types: Mapping[str, str], language: str) -> str:
    numbers = pane_numbers.written(line["panes"], language)
    if line["kind"] == ChangeKind.ADDED:
        shape = {one["field"]: one["to"] for one in line["fields"]}
        glass = wording.describe(shape, job_types, language)
        what = " ".join(filter(None, (glass, _size(shape.get("dimensions")))))
        return _word(
            texts.PAPER_PANES_ADDED,
            language,
            count=len(line["panes"]),
            what=what or "–",
        )
    if line["kind"] == ChangeKind.CHANGED:
        what = ", ".join(_fields(line["fields"], language))
        return _word(texts.PAPER_PANES_CHANGED, language, panes=numbers, what=what)
    text = (
        texts.PAPER_PANES_CANCELLED
        if line["kind"] == ChangeKind.CANCELLED
        else texts.PAPER_PANES_RESTORED
    )
    return _word(text, language, panes=numbers)


def _fields(fields: Any, language: str) -> Iterator[str]:
    for one in fields:
        label = FIELD_LABELS.get(one["field"])
        name = label.in_language(language) if label else one["field"]
        if one["field"] in NAMED_ONLY:
            yield name
            continue
        before, after = (_value(one["field"], one[at]) for at in ("from", "to"))
        yield f"{name} {before} → {after}"


def _value(field: str, value: Any) -> str:
    if field == "dimensions":
        return _size(value) or "–"
    if field in LISTS:
        return str(len(value or ()))
    if isinstance(value, Mapping):
        parts = [value.get(name) for name in ("glassType", "color", "thickness")]
        return " ".join(str(one) for one in parts if one) or "–"
    return str(value or "–")


def _size(size: Mapping[str, Any] | None) -> str:
    sides = [(size or {}).get(name) for name in ("width", "height")]
    return " × ".join(f"{side:.10g}" for side in sides if side)


def _word(text: Bilingual, language: str, **facts: object) -> str:
    return text.format(**facts).in_language(language)
