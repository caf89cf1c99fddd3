"""The wall board: one read of what it shows."""

from flask import Blueprint, Response, request

from glassflow.core.events import event_log
from glassflow.schemas.answers.reports import BOARD
from glassflow.services.reports import board
from glassflow.web import etags
from glassflow.web.auth import current_identity, require
from glassflow.web.envelope import reply
from glassflow.web.operation import describe

blueprint = Blueprint("board", __name__, url_prefix="/api/board")


@blueprint.get("")
@require("stations:view", "panes:view", "orders:view")
@describe("get_board", answer=BOARD, tagged=True)
def show() -> Response:
    """Return what a wall board shows, as far as the caller holds the keys of its parts."""
    seq, keys = event_log.last(), current_identity().keys
    if request.if_none_match.contains(board.tag_at(seq, keys)):
        response = Response(status=304)
    else:
        found = board.read_board(seq, may=current_identity().may)
        seq = found["seq"]
        response = reply(found, "Board")
    response.set_etag(board.tag_at(seq, keys))
    return etags.let_caller_keep(response)
