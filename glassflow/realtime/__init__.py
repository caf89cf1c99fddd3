"""The realtime side: Socket.IO, the event log over REST, and what publishes to both.

Models and services put entries into the outbox. The publisher numbers them and
stores them in the event log; the log tail delivers them to the sockets of this process,
in the rooms that they have joined. Nothing outside this package emits.
"""

from glassflow.realtime.realtime import PATH, Realtime
from glassflow.realtime.rooms import AnnouncedModel
from glassflow.realtime.service_process import ServiceProcess

__all__ = ["PATH", "AnnouncedModel", "Realtime", "ServiceProcess"]
