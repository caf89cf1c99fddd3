"""What can be made: the limits of the workshop, one document, and panes judged by them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from glassflow.core.identity import Identity
from glassflow.core.process.cooperative import yielding
from glassflow.core.process.naming import camel
from glassflow.domain import texts
from glassflow.domain.aliases import Raw
from glassflow.domain.bilingual import listed
from glassflow.domain.errors import FieldFault, Refusal
from glassflow.domain.makeability import (
    JUDGED,
    Finding,
    Level,
    Limits,
    findings,
    message,
)
from glassflow.domain.panes.status import LaminateRole
from glassflow.models.job_type import JobType
from glassflow.models.makeability_limits import MakeabilityLimits
from glassflow.models.pane import Pane
from glassflow.services.records import singleton

MOST_NAMED = 3  # panes in the message of a refusal; its details have them all


class Judged(NamedTuple):
    """The values of a new pane with its findings, and the remarks about them."""

    values: dict[str, Any]
    remarks: list[FieldFault]


class NotMakeable(Refusal):
    """Panes of an order or a quote cannot be made: `refused` are their refusals by `name`.

    `name` is the member of the details that names a pane.
    """

    code = "NOT_MAKEABLE"

    def __init__(self, name: str, refused: Mapping[str, Sequence[Raw]]) -> None:
        faults = listed(
            listed([pane, *map(message, found)])
            for pane, found in list(refused.items())[:MOST_NAMED]
        )
        details = [{name: pane, "findings": found} for pane, found in refused.items()]
        super().__init__(
            texts.NOT_MAKEABLE.format(faults=faults), details={"panes": details}
        )


def settings() -> MakeabilityLimits:
    """Return the limits. A transaction is opened only to create them."""
    return singleton.read(MakeabilityLimits)


def update(*, values: Mapping[str, Any], actor: Identity) -> MakeabilityLimits:
    """Change the limits that are given; None stands for the default.

    Panes that exist keep their findings. Raises `Stale` if the caller expects another
    version.
    """
    return singleton.update(MakeabilityLimits, values, actor)


def check(panes: Sequence[Mapping[str, Any]]) -> list[list[Finding]]:
    """Return the findings of each pane in wire form.

    The limits and the job types are read once, and not for panes without any value that
    is judged.
    """
    rows = [{name: pane.get(name) for name in JUDGED} for pane in panes]
    if not any(any(row.values()) for row in rows):
        return [[] for _ in rows]
    stored = singleton.find(MakeabilityLimits)
    limits = _limits(stored) if stored else Limits()
    tempered = JobType.tempered_codes()
    return [list(findings(row, limits, tempered)) for row in yielding(rows)]


def _limits(stored: MakeabilityLimits) -> Limits:
    values = stored.limits
    return Limits(**{one.name: values[camel(one.name)] for one in fields(Limits)})


def judge_inputs(inputs: Sequence[Mapping[str, Any]], path: str) -> list[Judged]:
    """Judge new panes in wire form; `path` has their place in the body, as `panes.{}.`."""
    found = [[one._asdict() for one in each] for each in check(inputs)]
    return [
        Judged({**one, "makeability": each}, _remarks(each, path.format(index)))
        for index, (one, each) in enumerate(zip(inputs, found, strict=True))
    ]


def judge_again(pane: Pane) -> None:
    """Judge a pane again if a value has changed that its findings depend on."""
    judge_all_again([pane])


def judge_all_again(panes: Sequence[Pane]) -> None:
    """Judge panes again where a value has changed that their findings depend on."""
    changed = [one for one in panes if not one.changed_fields().isdisjoint(JUDGED)]
    found = check([one.stored_form() for one in changed])
    for one, findings_of_pane in zip(changed, found, strict=True):
        before = refusals(one.makeability)
        one.makeability = [finding._asdict() for finding in findings_of_pane]
        if refusals(one.makeability) != before:
            one.override_reason = ""  # which was given for another shape
        one.remarks = _remarks(one.makeability, "")


def _remarks(found: Sequence[Mapping[str, Any]], path: str) -> list[FieldFault]:
    return [{"field": f"{path}{one['at']}", "message": message(one)} for one in found]


def remarks_of_order(panes: Sequence[Pane], *, reason: str) -> list[FieldFault]:
    """Return the remarks about the panes of a new order, under their numbers.

    Panes that cannot be made get the `reason`, if there is one, to be made nevertheless;
    the caller stores them. Raises what `require_makeable` raises.
    """
    if reason:
        for pane in _refused(panes):
            pane.override_reason = reason
    require_makeable(panes)
    return [
        fault
        for pane in _judged(panes)
        for fault in _remarks(pane.makeability, f"panes.{pane.pane_number}.")
    ]


def require_makeable(panes: Iterable[Pane]) -> None:
    """Raise `NotMakeable` if panes of an order cannot be made and the workshop is strict.

    Not for panes that are made nevertheless.
    """
    refused = _refused(panes)
    if refused and settings().is_strict:
        raise NotMakeable(
            "paneNumber",
            {pane.pane_number: refusals(pane.makeability) for pane in refused},
        )


def _refused(panes: Iterable[Pane]) -> list[Pane]:
    """Return the panes that cannot be made, and have no reason to be made nevertheless."""
    return [
        pane
        for pane in _judged(panes)
        if refusals(pane.makeability) and not pane.override_reason
    ]


def _judged(panes: Iterable[Pane]) -> list[Pane]:
    """Return the panes with findings; those of a sheet are said of its unit."""
    return [
        pane
        for pane in panes
        if pane.makeability and pane.laminate_role != LaminateRole.SHEET
    ]


def refusals(found: Iterable[Raw]) -> list[Raw]:
    """Return the stored findings that say that a pane cannot be made."""
    return [one for one in found if one["level"] == Level.REFUSAL]
