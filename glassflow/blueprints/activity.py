"""The activity of the workshop, from the history of all records."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from bson import ObjectId
from flask import Blueprint, Response, current_app, request
from marshmallow import ValidationError

from glassflow.core.events import history as chain
from glassflow.core.store.changesets import GENERIC, RESTORED
from glassflow.domain import texts
from glassflow.domain.calendar import Span
from glassflow.domain.errors import FieldFault, Invalid
from glassflow.schemas.answers.activity import ACTIVITY
from glassflow.schemas.base import first_message, read_span
from glassflow.schemas.shapes import ID, TEXT, TIME
from glassflow.services import history
from glassflow.services.deletion import restore
from glassflow.services.reports import activity
from glassflow.services.reports.activity import Kind
from glassflow.web.auth import any_worker, current_identity
from glassflow.web.body import warn_of_parameters
from glassflow.web.envelope import reply
from glassflow.web.operation import Parameter, describe
from glassflow.web.query import read_number
from glassflow.web.record_history import DEFAULT_LIMIT, MAX_LIMIT, PAGE
from glassflow.web.record_responses import populate_mode
from glassflow.web.resource import Resource

# Each entry of these logs is written with the change of a pane or a lot, which is listed.
LOGS = frozenset({"material-logs", "pane-logs"})
# A workshop makes thousands of them a day: they are listed where they are asked for.
SCANS = frozenset({"scanned", "qc_failed"})
QUERY = (
    Parameter(name="by", description="Only the changes of this worker.", shape=ID),
    Parameter(
        name="kind",
        description="Only of these resources; a comma list.",
        shape={**TEXT, "examples": ["customers,orders"]},
    ),
    Parameter(
        name="action",
        description="Only these actions; a comma list. Without it all but "
        f"{' and '.join(sorted(SCANS))}.",
        shape=TEXT,
    ),
    Parameter(
        name="at_gte", description="Not before this time, or this day.", shape=TIME
    ),
    Parameter(
        name="at_lte", description="Not after this time, or this day.", shape=TIME
    ),
    *PAGE,
)
blueprint = Blueprint("activity", __name__, url_prefix="/api/activity")


@blueprint.get("")
@any_worker
@describe("list_activity", answer=ACTIVITY, query=QUERY, warns=True)
def index() -> Response:
    """List what was done to the records that the caller may read, the newest first."""
    args, faults = request.args, list[FieldFault]()
    names = {one.name for one in QUERY}
    warn_of_parameters(name for name in args if name not in {*names, "populate"})
    listed = {one.name: one for one in resources()}
    known = list(dict.fromkeys(_actions(listed.values())))
    kinds = _choices(args, "kind", listed, faults)
    actions = _choices(args, "action", known, faults) or set(known) - SCANS
    since, until = (_span(args, name, faults) for name in ("at_gte", "at_lte"))
    by = args.get("by", "").strip()
    if by and not ObjectId.is_valid(by):
        faults.append({"field": "by", "message": texts.NOT_AN_ID})
    if faults:
        raise Invalid(faults)
    before = read_number(args, "before")
    limit = read_number(args, "limit", DEFAULT_LIMIT) or 1
    history.update()
    ends = [one for one in (before, until and chain.number_at(until.end)) if one]
    wanted = activity.Wanted(
        kinds=[_kind(listed[one]) for one in kinds or listed if _may_read(listed[one])],
        actions=actions,
        by=ObjectId(by) if by else None,
        first=chain.number_at(since.start) if since else 0,
        before=min([*ends, chain.head().seq + 1]),
        limit=min(limit, MAX_LIMIT),
    )
    found = activity.read(wanted, populate_mode(), current_identity().may)
    return reply(found, "Activity")


def resources() -> list[Resource]:
    """Return the resources whose changes are listed."""
    found: tuple[Resource, ...] = current_app.extensions["resources"]
    return [one for one in found if one.model.has_history and one.name not in LOGS]


def _actions(listed: Iterable[Resource]) -> Iterator[str]:
    yield from (*GENERIC, RESTORED)
    for resource in listed:
        if resource.events:
            yield from resource.events.actions


def _may_read(resource: Resource) -> bool:
    return current_identity().may(resource.keys.view)


def _kind(resource: Resource) -> Kind:
    manages = current_identity().may(resource.keys.manage)
    return Kind(
        model=resource.model,
        name=resource.name,
        names_hidden=manages,
        may_restore=manages and resource.model.__name__ in restore.KINDS,
    )


def _choices(
    args: Mapping[str, str],
    name: str,
    choices: Collection[str],
    faults: list[FieldFault],
) -> set[str]:
    """Parse a parameter with a comma list of these choices; empty is none."""
    given = {part.strip() for part in args.get(name, "").split(",")} - {""}
    if not given <= {*choices}:
        message = texts.ONE_OF.format(choices=", ".join(choices))
        faults.append({"field": name, "message": message})
    return given


def _span(args: Mapping[str, str], name: str, faults: list[FieldFault]) -> Span | None:
    """Parse a parameter with a time or a day."""
    text = args.get(name, "").strip()
    if not text:
        return None
    try:
        return read_span(text)
    except ValidationError as error:
        faults.append({"field": name, "message": first_message(error)})
        return None
