"""Observes the commands that the test process sends to the store."""

from gevent import getcurrent
from mongoengine.connection import get_connection
from pymongo.monitoring import CommandListener

WRITES = {"insert", "update", "delete", "findAndModify"}


class Commands(CommandListener):
    """The commands that are sent in a test, in their order: `.sent`.

    Only those for which `wanted(command)` is true.
    """

    def __init__(self, wanted=lambda command: True):
        self.sent = []
        self._wanted = wanted

    def started(self, event):
        # the driver hides the content of those that log a new connection in
        if event.command and self._wanted(event.command):
            self.sent.append(event.command)

    def succeeded(self, event):
        pass

    def failed(self, event):
        pass

    def named(self, name):
        """Those of one kind, such as `find`."""
        return [command for command in self.sent if next(iter(command)) == name]

    @property
    def names(self):
        """Their kinds."""
        return [next(iter(command)) for command in self.sent]


def record_commands(monkeypatch, wanted=lambda command: True, *, of_all=False):
    """Record the wanted commands that the caller's greenlet sends; return the `Commands`.

    `of_all` greenlets, as those of the server. What runs in the background, such as the
    look into the outbox once a second, sends its commands whenever it likes.
    """
    own = getcurrent()
    recorder = Commands(
        lambda command: (of_all or getcurrent() is own) and wanted(command)
    )
    listeners = get_connection()._event_listeners
    name = "_EventListeners__command_listeners"  # private: the client exists already
    monkeypatch.setattr(listeners, name, [*getattr(listeners, name), recorder])
    return recorder


class WrittenCollections(CommandListener):
    """The collections that the test process writes to, whichever client it uses.

    Its tests empty only these: a delete costs as much where there is nothing to delete.
    """

    def __init__(self):
        self._written = set()
        self._in_work = {}  # collection, by the number of its command

    def started(self, event):
        if event.command_name in WRITES:
            self._in_work[event.request_id] = event.command[event.command_name]

    def succeeded(self, event):
        collection = self._in_work.pop(event.request_id, None)
        if collection:
            self._written.add(collection)

    failed = succeeded  # a part of it may be stored

    def take(self):
        """The names of those since the last call; also those that a command writes now."""
        written, self._written = self._written, set()
        return written | set(self._in_work.values())
