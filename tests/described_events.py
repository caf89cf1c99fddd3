"""Holds events and acks to their descriptions in the AsyncAPI document.

Every event that the tests' application publishes is compared with the payloads of its
message, and every ack that a screen of the tests receives with those of its event. Shapes
are closed, as in `api_description`.
"""

import jsonschema_rs
import orjson

from api_description import MAX_SHOWN, closed
from glassflow.api_docs import asyncapi
from glassflow.core.process.clock import now
from glassflow.services.events.event_builder import EventBuilder

_current = []  # the comparison of this test process, if it has an application


def check_ack(event, ack):
    """Compare what a screen received as the ack of an event."""
    for one in _current:
        one.check_ack(event, ack)


def expect_foreign(event):
    """Do not compare the events of this name with the document in this test.

    The test publishes payloads of its own, which the service would not.
    """
    for one in _current:
        one.foreign.add(event)


class DescribedEvents:
    """Compares events with the document; `faults` are those since the last `take`.

    Changes that were stored before it are left out: the test before may have made foreign
    ones, which the service publishes a moment later.
    """

    def __init__(self, app):
        self.faults = []
        self.foreign = set()
        self._since = now()
        self._app = app
        self._validators = None
        self._watch()
        _current.append(self)

    def take(self):
        """Return the faults that were found, and forget them."""
        faults, self.faults = self.faults, []
        self.foreign.clear()
        self._since = now()
        return faults

    def check(self, name, payload):
        """Compare the payload of an event, or the ack `<event> ack`."""
        if name in self.foreign:
            return
        validator = self._described().get(name)
        if validator is None:
            self.faults.append(f"{name} is not described")
        elif not validator.is_valid(payload):
            for error in list(validator.iter_errors(payload))[:MAX_SHOWN]:
                self.faults.append(f"{name}: {error.message[:600]}")

    def check_ack(self, event, ack):
        """Compare an ack; that of an unknown event is a refusal."""
        known = f"{event} ack"
        self.check(known if known in self._described() else "join_me ack", ack)

    def _described(self):
        if self._validators is None:
            document = asyncapi.build(self._app)
            components = {"components": closed(document["components"])}
            self._validators = {
                f"{one['name']} ack" if key.endswith("_ack") else one["name"]: (
                    jsonschema_rs.validator_for(
                        {**closed(one["payload"]), **components}
                    )
                )
                for key, one in document["components"]["messages"].items()
                # what clients send may have the name of an event
                if key.endswith("_ack") or not key.startswith("client_")
            }
        return self._validators

    def _watch(self):
        build = EventBuilder.build

        def build_checked(builder, entry, at):
            events = build(builder, entry, at)
            for event in events if at >= self._since else ():
                self.check(event.name, orjson.loads(event.payload))
            return events

        EventBuilder.build = build_checked
