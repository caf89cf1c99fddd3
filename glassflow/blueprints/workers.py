"""Workers, their badges, PINs and new passwords."""

from bson import ObjectId
from flask import Response

from glassflow.domain import error_codes
from glassflow.models.worker import Worker
from glassflow.schemas.answers.accounts import RESET_PASSWORD
from glassflow.schemas.auth import BadgeHoldersSchema, PinSchema
from glassflow.schemas.shapes import array, record
from glassflow.schemas.worker import WorkerRowSchema, WorkerSchema
from glassflow.services import records
from glassflow.services.auth import badges, pins, workers
from glassflow.services.events.event_route import EventRoute
from glassflow.web.auth import current_identity, require
from glassflow.web.body import read_body
from glassflow.web.envelope import reply
from glassflow.web.idempotency import takes_no_key
from glassflow.web.import_rows import ImportRows
from glassflow.web.operation import describe
from glassflow.web.record_responses import to_response
from glassflow.web.resource import Keys, Resource

PIN, HOLDERS = PinSchema(), BadgeHoldersSchema()

_ROW = WorkerRowSchema()

resource = Resource(
    name="workers",
    model=Worker,
    schema=WorkerSchema(),
    codes=tuple(error_codes.ACCOUNTS),
    keys=Keys.of("workers"),
    events=EventRoute("worker:updated", rooms=("dashboard",)),
    create_with=workers.create,
    update_with=workers.update,
    importing=ImportRows(new=_ROW, change=_ROW),
)
blueprint = resource.blueprint()

SHOWN = {
    "answer": record("Worker"),
    "populates": Worker,
    "tagged": True,
    "errors": (404,),
}


@blueprint.post("/badges")
@require("workers:manage")
@describe(
    "issue_badges",
    body=HOLDERS,
    answer=array(record("Worker")),
    populates=Worker,
    errors=(404,),
)
def issue_badges() -> Response:
    """Give badges to those of these workers who are active and have none."""
    ids = read_body(HOLDERS).get("ids")
    found = badges.issue_missing(worker_ids=ids, actor=current_identity())
    rows = to_response(Worker, [one.stored_form() for one in found])
    return reply(rows, "Badges issued")


@blueprint.post("/<oid:record_id>/badge")
@require("workers:manage")
@describe("replace_badge", **SHOWN)
def replace_badge(record_id: str) -> Response:
    """Give a worker a new badge; the old one stops working at once."""
    key = _id(record_id)
    with resource.expecting(key):
        worker = badges.replace(worker_id=key, actor=current_identity())
    return _answer(worker, "Badge issued")


@blueprint.delete("/<oid:record_id>/badge")
@require("workers:manage")
@describe("revoke_badge", **SHOWN)
def revoke_badge(record_id: str) -> Response:
    """Take a worker's badge away; it stops working at once."""
    key = _id(record_id)
    with resource.expecting(key):
        worker = badges.revoke(worker_id=key, actor=current_identity())
    return _answer(worker, "Badge revoked")


@blueprint.put("/<oid:record_id>/pin")
@require("workers:manage")
@describe("set_pin", body=PIN, **SHOWN)
def set_pin(record_id: str) -> Response:
    """Set a worker's PIN for shared devices, which ends a lock of the old one."""
    key = records.read_by_path(Worker, record_id)["_id"]
    pin = read_body(PIN)["pin"]
    with resource.expecting(key):
        worker = pins.set_pin(worker_id=key, pin=pin, actor=current_identity())
    return _answer(worker, "PIN set")


@blueprint.delete("/<oid:record_id>/pin")
@require("workers:manage")
@describe("clear_pin", **SHOWN)
def clear_pin(record_id: str) -> Response:
    """Remove a worker's PIN."""
    key = _id(record_id)
    with resource.expecting(key):
        worker = pins.clear_pin(worker_id=key, actor=current_identity())
    return _answer(worker, "PIN removed")


@blueprint.post("/<oid:record_id>/logout")
@require("workers:manage")
@describe("log_out_everywhere", **SHOWN)
def log_out_everywhere(record_id: str) -> Response:
    """End all tokens, sessions and sockets of a worker or a device."""
    key, actor = _id(record_id), current_identity()
    with resource.expecting(key):
        worker = workers.log_out_everywhere(worker_id=key, actor=actor)
    return _answer(worker, "Logged out")


@blueprint.post("/<oid:record_id>/reset-password")
@require("workers:manage")
@takes_no_key
@describe("reset_password", answer=RESET_PASSWORD, tagged=True)
def reset_password(record_id: str) -> Response:
    """Give another worker a one-time password, shown in this answer only."""
    key, actor = _id(record_id), current_identity()
    with resource.expecting(key):
        worker, password = workers.reset_password(worker_id=key, actor=actor)
    raw = worker.stored_form()
    shown = {"worker": to_response(Worker, [raw])[0], "password": password}
    return resource.tagged(reply(shown, "Password reset"), raw, is_plain=False)


def _id(record_id: str) -> ObjectId:
    return records.object_id(record_id, Worker.label)


def _answer(worker: Worker, message: str) -> Response:
    raw = worker.stored_form()
    return resource.tagged(reply(to_response(Worker, [raw])[0], message), raw)
