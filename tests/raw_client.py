"""A client that speaks the socket's protocol by hand, so that a test decides all of it."""

import json

import requests
import websocket

PATH = "/api/socket-entry/?EIO=4&transport=websocket"


def polling(server):
    """Begin to poll, and give the address at which that goes on."""
    url = f"{server}/api/socket-entry/?EIO=4&transport=polling"
    return url + "&sid=" + json.loads(requests.get(url, timeout=5).text[1:])["sid"]


class RawClient:
    """One websocket with one namespace; nothing is read or answered by itself."""

    def __init__(self, url, token, **options):
        address = url.replace("http", "ws") + PATH
        self.ws = websocket.create_connection(address, timeout=20, **options)
        assert self.ws.recv().startswith("0{")
        self.send("40" + json.dumps({"token": token}))
        assert self.ws.recv().startswith("40{")

    def send(self, packet):
        self.ws.send(packet)

    def packet(self):
        """Give the next packet that is no ping."""
        while True:
            text = self.ws.recv()
            if text == "2":
                self.send("3")
            else:
                return text

    def event(self):
        text = self.packet()
        assert text.startswith("42"), text[:100]
        return json.loads(text[2:])

    def call(self, event, *payload):
        """Emit an event and give its acknowledgment; events before it are dropped."""
        self.send("427" + json.dumps([event, *payload]))
        while (text := self.packet()).startswith("42"):
            pass
        assert text.startswith("437"), text[:100]
        return json.loads(text[3:])[0]

    def rest(self):
        """Read to the end of the connection without answering; give how much came."""
        size = 0
        while piece := self.ws.sock.recv(1 << 16):
            size += len(piece)
        return size
