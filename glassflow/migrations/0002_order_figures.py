"""Orders count their panes by the rules of remakes and laminated units.

An earlier release counted other panes, and did not mark those that were made again. It
reads every order and pane, so it is not repeated at each start.
"""

from typing import Any

from glassflow.services.orders import recount


def up(db: Any) -> None:
    """Count every order again; one whose figures are right is not written."""
    recount.recount_stored()
