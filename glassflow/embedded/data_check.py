"""Whether this release may use the data of the embedded store, asked at the start.

With MongoDB gunicorn's master asks before it listens (`core.store.mongo_check`).
"""

import sys

from pymongo.errors import PyMongoError

from glassflow.core.store import migrations
from glassflow.core.store.migrations import UnusableStore

WORKER_BOOT_ERROR = 3  # gunicorn stops at it instead of starting workers for ever


def exit_if_unusable() -> None:
    """End gunicorn with one sentence if a newer release has migrated the store.

    For its first workers: one that is started again later goes on, as the others do.
    """
    try:
        migrations.refuse_unusable()
    except UnusableStore as error:
        print(f"glassflow: {error}", file=sys.stderr)
        sys.exit(WORKER_BOOT_ERROR)
    except PyMongoError:
        pass  # readiness says so
