"""Photos that were stored inside claims, as data URLs, become files."""

from typing import Any

from glassflow.services.claims import photos


def up(db: Any) -> None:
    """Move them, claim by claim; a claim without any is not written."""
    photos.move_all_to_files()
