"""One ping in MongoDB's wire protocol, without the driver.

The parent process of `make run` needs no driver, and a `flask` command must not import
it before gevent has patched the process.
"""

import socket
import struct

_DOCUMENT = b"\x10ping\x00\x01\x00\x00\x00\x02$db\x00\x06\x00\x00\x00admin\x00\x00"
_BODY = b"\x00\x00\x00\x00\x00" + struct.pack("<i", len(_DOCUMENT) + 4) + _DOCUMENT
_OP_MSG = 2013
_PING = struct.pack("<iiii", len(_BODY) + 16, 1, 0, _OP_MSG) + _BODY
_OK = b"\x01ok\x00" + struct.pack("<d", 1.0)


def responds(port: int, *, timeout_s: float = 2.0) -> bool:
    """Return whether a MongoDB server on this machine's loopback answers a ping."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=timeout_s) as peer:
            peer.sendall(_PING)
            answer = b""
            while len(answer) < 4 or len(answer) < struct.unpack_from("<i", answer)[0]:
                piece = peer.recv(4096)
                if not piece:
                    return False
                answer += piece
    except OSError:
        return False
    return _OK in answer
