"""Requests in their usual form, refused before gunicorn parses them.

With twice the requests that the service can process, most of what a refusal costs is
gunicorn's parser, and what refusals take of the processor is missing to the others.
"""

import re
from collections.abc import Callable
from typing import Any

from gunicorn.http.message import Request
from gunicorn.http.parser import RequestParser

# What gunicorn's parser decides stays with it: bodies without a length, other protocols.
OTHERS = frozenset({"TRANSFER-ENCODING", "UPGRADE", "EXPECT"})
HEAD = re.compile(
    rb"(GET|HEAD|POST|PUT|PATCH|DELETE) "
    rb"(/(?!/)[A-Za-z0-9/._~%@!$&'()*+,;=:-]*)(?:\?[!\"$-~]*)? HTTP/1\.1\r\n"
    rb"((?:[A-Za-z0-9-]+:[\t -~]*\r\n){1,100})\r\n"
)
Refusal = Callable[[bytes], bytes | None]


def read(data: bytes) -> tuple[str, str, dict[str, str]] | None:
    """Return method, path and headers if the data is one whole request in its usual form.

    As gunicorn's parser would: header names in upper case, the path still encoded. None
    for all that is incomplete, has more behind it, is rare or is wrong.
    """
    found = HEAD.match(data)
    if not found:
        return None
    lines = found[3].decode("ascii").split("\r\n")[:-1]
    pairs = (line.partition(":") for line in lines)
    headers = {name.upper(): value.strip(" \t") for name, _, value in pairs}
    if len(headers) < len(lines) or not OTHERS.isdisjoint(headers):
        return None
    if headers.get("CONNECTION", "keep-alive").lower() != "keep-alive":
        return None
    if headers.get("CONTENT-LENGTH", "0") != str(len(data) - found.end()):
        return None
    return found[1].decode("ascii"), found[2].decode("ascii"), headers


class RefusingParser(RequestParser):  # type: ignore[misc]
    """Sends what `refusal` answers to the bytes of a request, and waits for the next one.

    Those to which it answers None, and what does not arrive at once, are parsed.
    """

    def __init__(self, cfg: Any, source: Any, source_addr: Any, refusal: Refusal):
        super().__init__(cfg, source, source_addr)
        self._refusal = refusal

    def __next__(self) -> Request:
        """Return the next request that is not refused."""
        if self.mesg and self.mesg.should_close():
            raise StopIteration
        if not self.finish_body():  # where the next request begins is unknown
            raise StopIteration
        self.mesg = None
        while not self.unreader.buf.getvalue():
            data = self.unreader.chunk()
            answer = self._refusal(data)
            if answer is None:
                self.unreader.unread(data)
                break
            self.unreader.sock.sendall(answer)
        return super().__next__()
