"""Shared devices: who works there identifies with a badge or a PIN."""

from flask import Blueprint, Response

from glassflow.domain import error_codes
from glassflow.schemas.answers.accounts import DEVICE_LOGIN, DEVICE_PEOPLE
from glassflow.schemas.auth import BadgeSchema, DevicePinSchema
from glassflow.services.auth import device_logins
from glassflow.services.auth.device_logins import DeviceLogin
from glassflow.services.auth.login import own_record
from glassflow.web import refused_logins
from glassflow.web.auth import any_worker, current_identity
from glassflow.web.body import read_body
from glassflow.web.client_info import current_client
from glassflow.web.envelope import reply
from glassflow.web.gate import unlimited
from glassflow.web.idempotency import takes_no_key
from glassflow.web.operation import describe
from glassflow.web.throttle import count_identification

BADGE, PIN = BadgeSchema(), DevicePinSchema()
CODES = tuple(error_codes.DEVICES)

blueprint = Blueprint("devices", __name__, url_prefix="/api/auth")


@blueprint.get("/people")
@any_worker
@describe("list_device_people", answer=DEVICE_PEOPLE, errors=(403,))
def people() -> Response:
    """List the workers who can identify on this shared device with a PIN."""
    found = device_logins.list_people(current_identity())
    rows = [{"_id": str(row["_id"]), "name": row["name"]} for row in found]
    return reply(rows, "People")


@blueprint.post("/badge")
@any_worker
@unlimited
@takes_no_key
@describe(
    "identify_by_badge", body=BADGE, answer=DEVICE_LOGIN, errors=(403, 429), codes=CODES
)
def identify_by_badge() -> Response:
    """Return the token of the worker whose badge was scanned on this shared device."""
    device = current_identity()
    device_logins.require_device(device)
    body = read_body(BADGE)
    with refused_logins.logged("badge", str(device.worker_id)):
        count_identification(device.worker_id)
        login = device_logins.identify_by_badge(
            code=body["code"], device=device, client=current_client()
        )
    return _login(login)


@blueprint.post("/pin")
@any_worker
@unlimited
@takes_no_key
@describe(
    "identify_by_pin", body=PIN, answer=DEVICE_LOGIN, errors=(403, 429), codes=CODES
)
def identify_by_pin() -> Response:
    """Return the token of the worker whose PIN was typed on this shared device."""
    device = current_identity()
    device_logins.require_device(device)
    body = read_body(PIN)
    with refused_logins.logged("PIN", str(body["worker"])):
        count_identification(device.worker_id, body["worker"])
        login = device_logins.identify_by_pin(
            worker_id=body["worker"],
            pin=body["pin"],
            device=device,
            client=current_client(),
        )
    return _login(login)


def _login(login: DeviceLogin) -> Response:
    data = {
        "token": login.token,
        "expiresIn": login.lifetime_s,
        "worker": own_record(login.worker),
        "permissions": sorted(login.keys),
    }
    return reply(data, "Identified")
