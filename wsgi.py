from gevent import config, monkey

config.track_greenlet_tree = False  # who began whom: 3 KB a greenlet, and time
monkey.patch_all()  # before anything else, or what it imports keeps the blocking kind

import sys  # noqa: E402

from glassflow.app import create_app  # noqa: E402
from glassflow.cli.store import open_for_command  # noqa: E402
from glassflow.core.embedded_store import StoreError  # noqa: E402
from glassflow.settings import SettingsError  # noqa: E402

WORKER_BOOT_ERROR = 3  # gunicorn ends at this code instead of trying again for ever

try:
    open_for_command()  # `flask` commands work without a running service, too
    app = create_app()
except (SettingsError, StoreError) as error:
    print(f"glassflow: {error}", file=sys.stderr)
    sys.exit(WORKER_BOOT_ERROR)
