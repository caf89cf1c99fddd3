"""A client that sends raw packets of the protocol, so that a test controls each one."""

import json

import requests
import websocket

from waiting import REQUEST_TIMEOUT_S

PATH = "/api/socket-entry/?EIO=4&transport=websocket"


def open_polling_session(server):
    """Open a polling session of Engine.IO and return its URL."""
    url = f"{server}/api/socket-entry/?EIO=4&transport=polling"
    return (
        url
        + "&sid="
        + json.loads(requests.get(url, timeout=REQUEST_TIMEOUT_S).text[1:])["sid"]
    )


class RawClient:
    """One websocket in one namespace; it reads and answers only when a test calls it."""

    def __init__(self, url, token, *, language=None, **options):
        address = url.replace("http", "ws") + PATH
        self.ws = websocket.create_connection(
            address, timeout=REQUEST_TIMEOUT_S, **options
        )
        assert self.ws.recv().startswith("0{")
        named = {} if language is None else {"language": language}
        self.send("40" + json.dumps({"token": token, **named}))
        assert self.ws.recv().startswith("40{")

    def send(self, packet):
        self.ws.send(packet)

    def packet(self):
        """Return the next packet other than a ping; answer pings."""
        while True:
            text = self.ws.recv()
            if text == "2":
                self.send("3")
            else:
                return text

    def event(self):
        """Return the next packet, which must be an event: name, payload and metadata."""
        text = self.packet()
        assert text.startswith("42"), text[:100]
        return json.loads(text[2:])

    def call(self, event, *payload):
        """Emit an event and return its acknowledgment; discard events before it."""
        self.send("427" + json.dumps([event, *payload]))
        while (text := self.packet()).startswith("42"):
            pass
        assert text.startswith("437"), text[:100]
        return json.loads(text[3:])[0]

    def rest(self):
        """Read until the connection ends, without answering; return the number of bytes."""
        size = 0
        while received := self.ws.sock.recv(1 << 16):
            size += len(received)
        return size
