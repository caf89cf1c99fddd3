"""Events: which changes are announced, under which name, in which rooms, with what payload.

A resource declares the event of its records (`event_route`), `message_routes` has those
of live events. `event_builder` builds an event from an outbox entry.
"""
