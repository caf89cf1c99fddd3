"""A receiver of webhooks over real HTTP, which verifies signatures by itself."""

import base64
import hashlib
import hmac
import json
from typing import NamedTuple

import gevent
from bson import ObjectId
from gevent.event import Event
from gevent.pywsgi import WSGIServer

from glassflow.core.events import event_log, webhook_log
from glassflow.core.process import clock
from glassflow.domain.webhooks import DeliveryStatus
from waiting import wait_until


def parked_delivery(webhook):
    """Store a delivery that a receiver did not take; return its id."""
    event = event_log.Event("pane:updated", b"{}", (), clock.now(), id="0" * 24, seq=1)
    webhook_log.note_attempt(
        ObjectId(webhook),
        event,
        DeliveryStatus.PARKED,
        answered=500,
        fault="answered 500",
        payload=b"{}",
    )
    return webhook_log.delivery_id(ObjectId(webhook), event.id)


class Delivery(NamedTuple):
    """A request that a receiver got, and the status that it answered with."""

    headers: dict
    body: bytes
    status: int

    @property
    def id(self):
        return self.headers["webhook-id"]

    @property
    def event(self):
        return json.loads(self.body)

    @property
    def name(self):
        """The name of the record that the event is about, if it has one."""
        return self.event["data"]["data"].get("name")

    def signed_by(self, secret):
        """Whether one of the signatures was made with a secret."""
        key = base64.b64decode(secret.removeprefix("whsec_"))
        stamp = self.headers["webhook-timestamp"]
        signed = b".".join((self.id.encode(), stamp.encode(), self.body))
        made = hmac.new(key, signed, hashlib.sha256).digest()
        wanted = "v1," + base64.b64encode(made).decode()
        return wanted in self.headers["webhook-signature"].split(" ")


class Receiver:
    """Answers 200, or what `answers` has next: a status, or `HANG` until `release`."""

    HANG = "hang"

    def __init__(self):
        self.deliveries, self.answers = [], []
        self._released, self._late_status = Event(), 200
        self._server = self._port = None
        self.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._port}/hook?from=glassflow"

    @property
    def port(self):
        return self._port

    def start(self):
        """Listen; after `stop` on the same port as before."""
        address = ("127.0.0.1", self._port or 0)
        self._server = WSGIServer(address, self._serve, log=None, error_log=None)
        self._server.start()
        self._port = self._server.server_port

    def stop(self):
        """Refuse connections."""
        self._server.stop(0)

    def release(self, status=200):
        """Answer the requests that hang."""
        self._late_status = status
        self._released.set()

    def close(self):
        self.release()
        self.stop()

    @property
    def accepted(self):
        return [one for one in self.deliveries if one.status == 200]

    def names(self):
        """The names of the records of the accepted events, in their order."""
        return [one.name for one in self.accepted]

    def ids(self):
        """The ids of the accepted events."""
        return {one.id for one in self.accepted}

    def assert_in_order(self):
        """Each event came after those before it; one that came again was the same one.

        Only the event that was being delivered when a process died comes again, with
        the same id and the same content.
        """
        numbers = [one.event["seq"] for one in self.accepted]
        assert numbers == sorted(numbers)
        contents = {one.event["seq"]: one.body for one in self.accepted}
        assert len(contents) == len(self.ids())
        for one in self.accepted:
            assert one.body == contents[one.event["seq"]]

    def wait_for(self, *names):
        """Wait until these are all names of accepted events, in this order."""
        wait_until(lambda: self.names() == list(names), describe=self.describe)

    def describe(self):
        return [(one.status, one.body[:200]) for one in self.deliveries]

    def _serve(self, environ, start_response):
        body = environ["wsgi.input"].read()
        headers = {
            name[5:].replace("_", "-").lower(): value
            for name, value in environ.items()
            if name.startswith("HTTP_")
        }
        answer = self.answers.pop(0) if self.answers else 200
        self.deliveries.append(Delivery(headers, body, answer))
        status = answer
        if answer == self.HANG:
            self._released.wait()
            status = self._late_status
        start_response(f"{status} x", [("Location", self.url)])
        gevent.sleep(0)
        return [b"ok"]
