"""The set-up of an empty workshop: its steps, and ready-made records."""

from collections import Counter
from collections.abc import Iterable

from flask import Blueprint, Response

from glassflow.domain.errors import Forbidden
from glassflow.schemas.answers.setup import ADDED, STEPS
from glassflow.services import setup
from glassflow.services.seeding import Added
from glassflow.web.auth import any_worker, current_identity, require
from glassflow.web.envelope import reply
from glassflow.web.operation import describe

blueprint = Blueprint("setup", __name__, url_prefix="/api/setup")


@blueprint.get("")
@any_worker
@describe("get_setup", answer=STEPS)
def show() -> Response:
    """Return the steps of the set-up that the caller may carry out, with their state."""
    found = setup.steps(may=current_identity().may)
    steps = [
        {"name": name, "isDone": state.is_done, "count": state.count}
        for name, state in found.items()
    ]
    data = {"steps": steps, "isComplete": all(one["isDone"] for one in steps)}
    return reply(data, "Set-up")


@blueprint.post("/stations")
@require("stations:manage")
@describe("add_ready_made_stations", answer=ADDED, errors=(409,))
def add_stations() -> Response:
    """Add eight stations with templates, and job types with routes, if there are no stations."""
    may = current_identity().may
    if not (may("station_templates:manage") and may("job_types:manage")):
        raise Forbidden()
    return _added(setup.add_stations())


@blueprint.post("/labels")
@require("sticker_templates:manage")
@describe("add_ready_made_labels", answer=ADDED)
def add_labels() -> Response:
    """Add those of the three ready-made label templates that are missing."""
    return _added(setup.add_label_templates())


def _added(lines: Iterable[Added]) -> Response:
    counts = Counter[str]()
    for line in lines:
        counts[line.what] += line.added  # a kind may come from several files
    return reply({"added": counts}, "Ready-made records")
