"""The daily figures are counted from the history that there is."""

from typing import Any

from glassflow.services import daily_figures


def up(db: Any) -> None:
    """Count all days; before this release nothing was counted."""
    daily_figures.ensure()
    daily_figures.rebuild()
