"""Installs all parts of the extension.

SPDX-License-Identifier: GPL-2.0-only
"""

from glassflow.embedded.store_extension import (
    catalogue,
    expiry,
    index_builds,
    lookups,
    opening,
    projections,
    reads,
    sessions,
    statements,
    updates,
    validation,
    walks,
)


def install() -> None:
    """Replace the methods of SecantusDB; called once, before the program starts."""
    opening.install()
    statements.install()
    index_builds.install()
    catalogue.install()
    updates.install()
    lookups.install()
    projections.install()
    reads.install()
    walks.install()
    sessions.install()
    expiry.install()
    validation.install()
