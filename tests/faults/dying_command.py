"""A `flask` command in a process that dies before a command to the store.

Its arguments: the database, the name and the collection of the command to the store, and
the words of the `flask` command. Instead of that command: "files", "before" and the number
of a rename of the embedded store's files.
"""

from gevent import monkey

monkey.patch_all()  # before anything else is imported

import os  # noqa: E402
import signal  # noqa: E402
import sys  # noqa: E402

from pymongo import monitoring  # noqa: E402

from glassflow.embedded import fresh_files  # noqa: E402

MOMENT, WORDS = sys.argv[1:4], sys.argv[4:]


class Death(monitoring.CommandListener):
    """Kills the process before the command."""

    def started(self, event):
        name = event.command_name
        if [event.database_name, name, event.command.get(name)] == MOMENT:
            os.kill(os.getpid(), signal.SIGKILL)

    def succeeded(self, event):
        pass

    def failed(self, event):
        pass


class Renames:
    """Kills the process before one of the renames."""

    def __init__(self, move):
        self._left, self._move = int(MOMENT[2]), move

    def __call__(self, *paths):
        if not self._left:
            os.kill(os.getpid(), signal.SIGKILL)
        self._left -= 1
        self._move(*paths)


if MOMENT[0] == "files":
    fresh_files._move = Renames(fresh_files._move)
monitoring.register(Death())  # before the application connects

from wsgi import app  # noqa: E402

done = app.test_cli_runner().invoke(args=WORDS)
sys.exit(done.output)
