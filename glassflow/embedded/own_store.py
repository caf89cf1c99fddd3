"""The embedded store of one `flask` command, which may replace all its files."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from glassflow.embedded import fresh_files, hang_watch, store
from glassflow.embedded.process import StoreProcess

#: A store that ends writes what is in its cache, at most 2 GB.
STOP_TIMEOUT_S = 600.0


class OwnStore:
    """A store that this command has started, and stops at its end."""

    #: Of the store and of its parent process.
    databases = frozenset({"admin", "config", "local", hang_watch.DATABASE})

    def __init__(self, data_dir: str) -> None:
        self._store = store.start(data_dir)
        self._fresh: StoreProcess | None = None

    @property
    def uri(self) -> str:
        """Its address, also after `take_place`."""
        return self._store.uri

    def stop(self) -> None:
        """Stop it, and wait for that."""
        self._store.stop()

    def damage(self) -> str:
        """Return a sentence on the file that it has found damaged; "" if none."""
        return self._store.damage()

    def free_bytes(self) -> int:
        """Return how many bytes the disk of its files has left."""
        return shutil.disk_usage(self._store.folder).free

    @contextmanager
    def beside(self) -> Iterator[str]:
        """Yield the address of a second store, on new files beside those of this one.

        At the end of the block they are deleted, unless they have taken their place.
        """
        folder: Path = self._store.folder
        store.settle(folder)
        self._fresh = store.start(str(fresh_files.beside(folder)), is_fresh=True)
        try:
            yield self._fresh.uri
        finally:
            self._fresh.stop()
            self._fresh = None
            store.settle(folder)

    def take_place(self) -> None:
        """Go on with the files of the second store, at the same address.

        Raises `StoreError` where the second one does not stop in order, and then this
        one's files stay. A kill leaves the one or the other files whole.
        """
        assert self._fresh
        with store.locked(self._store.folder):
            self._fresh.stop_in_order(STOP_TIMEOUT_S)
            self._store.stop()
            fresh_files.swap(self._store.folder)
        self._store = store.start_again(self._store)
