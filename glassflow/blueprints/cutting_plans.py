"""Cutting plans: for now, what waits to be cut."""

from flask import Blueprint, Response

from glassflow.schemas.answers.cutting import WAITING
from glassflow.services.cutting import waiting
from glassflow.web.auth import current_identity, require
from glassflow.web.envelope import reply
from glassflow.web.operation import describe

blueprint = Blueprint("cutting_plans", __name__, url_prefix="/api/cutting-plans")


@blueprint.get("/waiting")
@require("inventory:view")
@describe("list_waiting_for_cutting", answer=WAITING)
def list_waiting() -> Response:
    """Return what waits for cutting, by material, with the stock of it."""
    current_identity().require("panes:view")
    return reply(waiting.read(), "What waits for cutting")
