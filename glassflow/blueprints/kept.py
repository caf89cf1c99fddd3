"""What is kept, and for how long."""

from pathlib import Path

from flask import Blueprint, Response, current_app

from glassflow.domain.permissions import EVERYTHING
from glassflow.schemas.answers.kept import KEPT
from glassflow.services.reports import kept
from glassflow.services.reports.kept import Chosen
from glassflow.web.auth import require
from glassflow.web.envelope import reply
from glassflow.web.operation import describe

blueprint = Blueprint("kept", __name__, url_prefix="/api/kept")


@blueprint.get("")
@require(EVERYTHING)
@describe("get_kept", answer=KEPT)
def show() -> Response:
    """Return how long each kind of data is kept, the last backup and the archives."""
    config = current_app.config
    chosen = Chosen(
        backup_every_s=config["BACKUP_EVERY"],
        backup_folder=Path(config["BACKUP_DIR"]),
        backup_keep=config["BACKUP_KEEP"],
        archive_after_s=config["ARCHIVE_AFTER"],
    )
    return reply(kept.read(chosen), "What is kept")
