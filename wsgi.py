from gevent import config, monkey

config.track_greenlet_tree = False  # parents of greenlets: 3 KB a greenlet, and time
monkey.patch_all()  # before anything else, or what it imports keeps blocking calls

import logging.config  # noqa: E402
import os  # noqa: E402
import sys  # noqa: E402

from config.logging import logging_config  # noqa: E402
from glassflow.app import create_app  # noqa: E402
from glassflow.cli.store import open_for_command  # noqa: E402
from glassflow.settings import StartError, load_settings  # noqa: E402

WORKER_BOOT_ERROR = (
    3  # gunicorn stops at this code instead of starting workers for ever
)

try:
    if os.environ.get("FLASK_RUN_FROM_CLI") == "true":  # gunicorn configures its own
        logging.config.dictConfig(logging_config(load_settings()))
        open_for_command()  # commands work without a running service, too
    app = create_app()
except StartError as error:
    print(f"glassflow: {error}", file=sys.stderr)
    sys.exit(WORKER_BOOT_ERROR)
