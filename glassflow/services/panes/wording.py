"""What documents say about panes: their glass and the work on them."""

from collections.abc import Iterable, Mapping
from typing import Any

from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.models.job_type import JobType

Raw = Mapping[str, Any]


def job_type_names(panes: Iterable[Raw]) -> dict[str, str]:
    """Return the names of the job types of panes in stored form, by code; one query."""
    codes = {one["jobType"] for one in panes if one.get("jobType")}
    found = JobType.find_many({"code": {"$in": [*codes]}}) if codes else []
    return {one.code: one.name for one in found}


def describe(row: Raw, names: Mapping[str, str], language: str) -> str:
    """Return the glass and the work of a pane in stored form.

    `names` are those of job types, by code; `language` is `th` or `en`.
    """
    parts = [names.get(row.get("jobType") or "", ""), _glass(row, language)]
    parts += [
        _word(texts.PAPER_EDGE, language, edge=_edge(profile, language))
        for profile in dict.fromkeys(
            task.get("edgeProfile") or "" for task in row.get("edgeTasks") or ()
        )
        if profile
    ]
    for name, text in (("holes", texts.PAPER_HOLES), ("notches", texts.PAPER_NOTCHES)):
        if count := len(row.get(name) or ()):
            parts.append(_word(text, language, count=count))
    return ", ".join(filter(None, [*parts, *(row.get("processes") or ())]))


def edges(row: Raw, language: str) -> dict[str, str]:
    """Return the work on the edges of a pane in words, by side."""
    worked: dict[str, list[str]] = {}
    for task in row.get("edgeTasks") or ():
        if profile := task.get("edgeProfile"):
            words = worked.setdefault(task.get("side") or "", [])
            words.append(_edge(profile, language))
    return {side: ", ".join(words) for side, words in worked.items()}


def _glass(row: Raw, language: str) -> str:
    raw = row.get("rawGlass") or {}
    size = row.get("dimensions") or {}
    glass = raw.get("glassType") or row.get("glassType") or row.get("glassTypeLabel")
    thickness = raw.get("thickness") or size.get("thickness")
    words: list[str] = [glass or "", raw.get("color") or ""]
    if thickness:
        words.append(_word(texts.PAPER_THICKNESS, language, mm=f"{thickness:.10g}"))
    if (sheets := raw.get("sheetsPerPane") or 1) > 1:
        words.append(_word(texts.PAPER_SHEETS, language, count=sheets))
    return " ".join(filter(None, words))


def _edge(profile: str, language: str) -> str:
    name, _, size = profile.rpartition("_")
    if size.isdigit() and name in texts.PAPER_SIZED_EDGES:
        return _word(texts.PAPER_SIZED_EDGES[name], language, size=size)
    known = texts.PAPER_EDGES.get(profile)
    return known.in_language(language) if known else profile.replace("_", " ")


def _word(text: Bilingual, language: str, **values: object) -> str:
    return text.format(**values).in_language(language)
