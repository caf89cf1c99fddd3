"""The realtime side: Socket.IO, and the event log over REST.

Models and services put entries into the outbox. `jobs.publisher` numbers them and stores
them in the event log; the log tail delivers them to the sockets of this process, in the
rooms that they have joined. Nothing outside this package emits.
"""

from glassflow.realtime.realtime import PATH, Realtime

__all__ = ["PATH", "Realtime"]
