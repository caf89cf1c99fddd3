"""The wall board: one read of what it shows."""

from flask import Blueprint, Response, request

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
    state = board.state()
    if request.if_none_match.contains(state.tag):
        response = Response(status=304)
    else:
        response = reply(board.read_board(state, may=current_identity().may), "Board")
    response.set_etag(state.tag)
    return etags.let_caller_keep(response)
