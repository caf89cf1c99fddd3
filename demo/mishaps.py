"""What goes wrong with glass: checks that fail, and claims of those who work it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from demo.client import Record
from demo.heard import id_of
from demo.pieces import Piece
from demo.post import Post

if TYPE_CHECKING:
    from demo.floor import Floor

PHOTO = "data:image/png;base64,iVBORw0KGgo="


def is_due(piece: Piece, name: str) -> bool:
    """Whether what is to happen to a piece happens at this station, which it is at."""
    return bool(piece.mishap) and piece.mishap.at in ("", name)  # type: ignore[union-attr]


def befall(floor: Floor, post: Post, piece: Piece) -> None:
    """Let happen to a piece what is due."""
    assert piece.mishap
    kind = piece.mishap.kind
    if kind == "fails":
        _fail(floor, post, piece)
    elif kind == "customer":
        if post.finish(piece) and post.scan(piece, post.way_out):
            claim(floor, post, piece, source="customer")
    elif _take_in(floor, post, piece):
        claim(floor, post, piece)


def _take_in(floor: Floor, post: Post, piece: Piece) -> bool:
    if piece.unit and post.name == "lamination":
        return floor.bench.take_in(piece, piece.unit)
    return piece.status != "pending" or post.scan(piece, "scan_in")


def _fail(floor: Floor, post: Post, piece: Piece) -> None:
    """The check fails, and the piece is made again."""
    mishap = piece.mishap
    if not mishap or not _take_in(floor, post, piece) or not post.finish(piece):
        return
    wrong = post.scanner.send(post.api, piece.number, "qc_fail", post.station)
    post.tally.wrong("qc_fail without a reason", wrong, 400, "Validation failed")
    said = {"reason": mishap.reason, "description": "พบตอนตรวจ"}
    if mishap.again_at:
        said["remakeStationId"] = floor.station_ids[mishap.again_at]
    done = post.scanner.scan(post.api, piece, "qc_fail", post.station, **said)
    if done:
        failed(floor, piece, done["remadePane"], left=post.station)


def failed(floor: Floor, piece: Piece, remake: Record, *, left: str) -> None:
    """A piece has failed: its remake takes its place."""
    _leave_the_unit(piece)
    floor.tally.done["checks failed"] += 1
    floor.remade(piece, remake, left=left, notice="qc_remake")
    piece.mishap = None


def claim(floor: Floor, post: Post, piece: Piece, *, source: str = "worker") -> None:
    """Claim a piece, try what must not be done with it, and leave it to the office."""
    was = piece.station
    made = _file(post, piece, source)
    pane = post.api.get(f"/api/panes/{piece.id}")
    piece.follow(pane)
    floor.ledger.claimed(made, pane, was)
    if source == "worker":
        answer = post.scanner.send(post.api, piece.number, "complete", post.station)
        post.tally.wrong("claimed pane", answer, 400, "already claimed")
    answer = post.api.insist("POST", *_about(post, piece, source, pane))
    post.tally.wrong("second claim", answer, 409)
    path = f"/api/claims/{made['_id']}"
    answer = post.api.insist("PATCH", path, {"status": "approved"})
    post.tally.wrong("worker decides a claim", answer, 403)
    claimed(floor, piece, made)


def claimed(floor: Floor, piece: Piece, made: Record) -> None:
    """A piece is claimed: the office has the next word on it."""
    _leave_the_unit(piece)
    piece.held = True
    floor.tally.done["claims made"] += 1
    floor.office.hand_in(made, piece)


def pick_up(floor: Floor, post: Post, piece: Piece) -> bool:
    """Look what became of a piece in an interruption; True if a mishap had come to it."""
    if not piece.mishap or piece.held:
        return False
    if piece.status == "defected":
        made = post.api.all("/api/panes", remakeOf=piece.id, includeMerged="true")
        failed(floor, piece, made[0], left=post.station)
        return True
    if piece.status not in ("claimed", "completed"):
        return False
    found = post.api.all("/api/claims", pane=piece.id, status="pending")
    if found:
        claimed(floor, piece, found[0])
    else:  # it is finished, and the customer's claim still to be made
        claim(floor, post, piece, source="customer")
    return True


def _leave_the_unit(piece: Piece) -> None:
    if piece.unit:
        piece.unit.there.pop(piece.number, None)


def _file(post: Post, piece: Piece, source: str) -> Record:
    pane = post.api.get(f"/api/panes/{piece.id}")
    find: Callable[[], list[Record]] = lambda: post.api.all(  # noqa: E731
        "/api/claims", pane=piece.id
    )
    return post.api.make(*_about(post, piece, source, pane), find)


def _about(
    post: Post, piece: Piece, source: str, pane: Record
) -> tuple[str, dict[str, Any]]:
    """The path and body of a claim: from the pane, or under its order."""
    assert piece.mishap
    body = {
        "source": source,
        "description": f"{piece.number}: {piece.mishap.reason}",
        "reportedBy": post.api.id,
        "defectCode": piece.mishap.reason,
        "defectStation": post.station,
        "photos": [PHOTO],
    }
    if piece.n % 2:
        return "/api/claims/from-pane", {**body, "paneNumber": piece.qr}
    whose = {"pane": piece.id, "material": id_of(pane["material"])}
    return f"/api/orders/{piece.order}/claims", body | whose
