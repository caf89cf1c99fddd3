"""What documents say about panes: their glass and the work on them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual, Language, name_in
from glassflow.models.job_type import JobType

Raw = Mapping[str, Any]


def job_type_names(panes: Iterable[Raw]) -> dict[str, str]:
    """Return the names of the job types of panes in stored form, by code; one query."""
    codes = {one["jobType"] for one in panes if one.get("jobType")}
    found = JobType.find_many({"code": {"$in": [*codes]}}) if codes else []
    return {one.code: one.name for one in found}


def describe(row: Raw, names: Mapping[str, str], language: str) -> str:
    """Return the glass and the work of a pane in stored form.

    `names` are those of job types, by code; `language` is `th` or `en`. Of a name in two
    languages it has the half in that language, and what the job type says once only.
    """
    job = name_in(names.get(row.get("jobType") or "", ""), language)
    glass = _glass(row, language, job)
    is_said = f"{glass} ".casefold().startswith(f"{job} ".casefold())
    parts = ["" if is_said else job, glass, *_edge_work(row, language)]
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


def _edge_work(row: Raw, language: str) -> Iterator[str]:
    """Yield what is done to the edges: each profile with its sides, if they are known."""
    worked: dict[str, list[str]] = {}
    for task in row.get("edgeTasks") or ():
        if profile := task.get("edgeProfile"):
            worked.setdefault(profile, []).append(task.get("side") or "")
    for profile, found in worked.items():
        edge = _edge(profile, language)
        sides = [side for side in texts.PAPER_SIDES if side in found]
        if len(sides) == len(texts.PAPER_SIDES):
            yield _word(texts.PAPER_EDGE_ALL, language, edge=edge)
        elif sides and len(sides) == len({*found}):
            words = " + ".join(_word(texts.PAPER_SIDES[one], language) for one in sides)
            yield _word(texts.PAPER_EDGE_ON, language, sides=words, edge=edge)
        else:
            yield _word(texts.PAPER_EDGE, language, edge=edge)


def _glass(row: Raw, language: str, job: str) -> str:
    raw = row.get("rawGlass") or {}
    size = row.get("dimensions") or {}
    glass = raw.get("glassType") or row.get("glassType") or row.get("glassTypeLabel")
    thickness = raw.get("thickness") or size.get("thickness")
    words: list[str] = _glass_words(glass or "", raw.get("color") or "", language)
    if thickness:
        words.append(_word(texts.PAPER_THICKNESS, language, mm=f"{thickness:.10g}"))
    if (sheets := raw.get("sheetsPerPane") or 1) > 1:
        laminated = _word(texts.PAPER_SHEETS, language, count=sheets)
        if laminated not in job.casefold():
            words.append(laminated)
    return " ".join(filter(None, words))


def _glass_words(glass: str, color: str, language: str) -> list[str]:
    """Return the name of glass and its colour; not that colour which the name is of."""
    known = texts.PAPER_GLASS.get(" ".join(glass.casefold().split()))
    if known is None:
        return [glass, color]
    forms = " ".join(known.in_language(one) for one in Language).casefold()
    name = glass if language == Language.ENGLISH else known.in_language(language)
    return [name, "" if color.casefold() in forms else color]


def _edge(profile: str, language: str) -> str:
    name, _, size = profile.rpartition("_")
    if size.isdigit() and name in texts.PAPER_SIZED_EDGES:
        return _word(texts.PAPER_SIZED_EDGES[name], language, size=size)
    known = texts.PAPER_EDGES.get(profile)
    return known.in_language(language) if known else profile.replace("_", " ")


def _word(text: Bilingual, language: str, **values: object) -> str:
    return text.format(**values).in_language(language)
