"""The launcher: what happens in gunicorn's master around the service itself.

It checks the settings, starts the embedded store when no MONGODB_URI is given, keeps it
running, and stops it at the end. It must not import the database driver: gevent patches
the workers only after the fork, and the driver must come after that.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any

from config.announce import refuse, refuse_busy_port, say
from glassflow.core import embedded_store
from glassflow.core.embedded_store import Store, StoreError
from glassflow.core.leash import on_leash
from glassflow.settings import ROOT, SettingsError, load_settings

LOOK_EVERY = 0.5  # seconds between looks at the store
REST_AFTER_FAILURE = 5.0


class Launcher:
    """One service with, if it needs one, a store of its own."""

    def __init__(self) -> None:
        self.settings: dict[str, Any] = {}
        self.store: Store | None = None
        self._stopping = threading.Event()
        self._keeper = threading.Thread(target=self._keep_store, daemon=True)

    def load(self) -> dict[str, Any]:
        """Read the settings; end the program with one sentence if they make no sense."""
        try:
            self.settings = load_settings()
        except SettingsError as error:
            refuse(str(error))
        return self.settings

    def begin(self, *, workers: int, addresses: Sequence[Any]) -> None:
        """Make everything ready that the workers need, or end with one sentence."""
        if workers > 1 and not self.settings["REDIS_URL"]:
            refuse(
                f"{workers} workers need REDIS_URL, or live events would reach only "
                "the clients of the worker that caused them: set it, or WORKERS=1."
            )
        if "GUNICORN_FD" not in os.environ:  # else an older master hands us its sockets
            refuse_busy_port(addresses)
        try:
            self._open_store()
            if self.settings["PREPARE"]:
                self._run("config.prepare", "The preparations failed; see above.")
        except StoreError as error:
            self.end()
            refuse(str(error))
        except KeyboardInterrupt:
            self.end()
            sys.exit(130)

    def end(self) -> None:
        """Stop the store, if this launcher started one."""
        self._stopping.set()
        if self._keeper.is_alive():
            self._keeper.join(REST_AFTER_FAILURE)
        if self.store:
            self.store.stop()

    def _open_store(self) -> None:
        if self.settings["MONGODB_URI"]:
            self._run("glassflow.core.store_check")
            return
        self.store = embedded_store.start(self.settings["DATA_DIR"])
        # the workers are forked from this process and read it as their setting
        os.environ["MONGODB_URI"] = self.store.uri
        self._keeper.start()

    def _run(self, module: str, sentence: str = "") -> None:
        """Run a module in its own process; its failure is the start's failure."""
        heard = subprocess.run(
            on_leash([sys.executable, "-m", module]),
            cwd=ROOT,
            stderr=None if sentence else subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C is for us, and we end it
        )
        if heard.returncode:
            raise StoreError(sentence or heard.stderr.strip())

    def _keep_store(self) -> None:
        """Start the store again, at the same address, whenever it ends by itself."""
        while not self._stopping.wait(LOOK_EVERY):
            if self.store is None or self.store.alive():
                continue
            say("the embedded store ended; starting it again")
            try:
                self.store = embedded_store.start(
                    self.settings["DATA_DIR"], port=self.store.port
                )
            except StoreError as error:
                say(str(error))
                self._stopping.wait(REST_AFTER_FAILURE)


# One for the process: gunicorn reads its configuration anew at every reload.
launcher = Launcher()
