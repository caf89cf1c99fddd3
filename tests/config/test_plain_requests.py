"""What is read without gunicorn's parser is what that parser would read."""

import pytest
from gunicorn.config import Config
from gunicorn.http.errors import ParseException
from gunicorn.http.parser import RequestParser
from hypothesis import given
from hypothesis import strategies as st

from config import plain_requests

LINES = ["Host: a", "Accept-Language: th", "X-Request-ID:mine"]


def request(first="GET /api/panes?limit=5 HTTP/1.1", lines=(), body=b""):
    length = [f"Content-Length: {len(body)}"] if body else []
    head = "\r\n".join([first, *LINES, *lines, *length, "", ""])
    return head.encode("latin-1") + body


def read_by_gunicorn(data):
    """Return method, path, headers, and what is left; None for what it does not accept."""
    parser = RequestParser(Config(), iter([data]), ("127.0.0.1", 1))
    try:
        one = next(parser)
        one.body.read()
    except (ParseException, StopIteration, OSError):
        return None
    if one.should_close():
        return None
    return one.method, one.path, dict(one.headers), parser.unreader.take_buffered()


def test_usual_request_is_read():
    method, path, headers = plain_requests.read(
        request("POST /api/panes/PNE-1/scan?populate=true HTTP/1.1", body=b"{}")
    )
    assert (method, path) == ("POST", "/api/panes/PNE-1/scan")
    assert headers["ACCEPT-LANGUAGE"] == "th"
    assert headers["X-REQUEST-ID"] == "mine"


def test_kept_connection_that_says_so_is_read():
    assert plain_requests.read(request(lines=["Connection: Keep-Alive"]))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        request()[:-1],
        request(body=b"{}")[:-1],
        request(body=b"{}") + b"G",
        request() + request(),
        request("GET /api/panes HTTP/1.0"),
        request("CONNECT /api/panes HTTP/1.1"),
        request("GET http://a/api/panes HTTP/1.1"),
        request("GET //a/api/panes HTTP/1.1"),
        request("GET /api/panes#x HTTP/1.1"),
        request("GET /api/\xe0 HTTP/1.1"),
        request(lines=["Connection: close"]),
        request(lines=["Transfer-Encoding: chunked"]),
        request(lines=["Upgrade: h2c"]),
        request(lines=["Expect: 100-continue"]),
        request(lines=["Host: b"]),
        request(lines=["Note: a", " folded"]),
        request(lines=["Content-Length: 2"], body=b"{}"),
        request(lines=["Content-Length: " + "0" * 5000]),
        request(lines=["Content-Length: -1"]),
        request(lines=["Under_score: 1"]),
        request(lines=[f"N{n}: 1" for n in range(100)]),
    ],
)
def test_other_requests_are_left_to_gunicorn(data):
    assert plain_requests.read(data) is None


TARGETS = st.lists(
    st.sampled_from(["/", "/", "api", "a", "..", ".", "%2F", "?", "#", ":", "@", ";"])
    | st.characters(max_codepoint=255),
    max_size=6,
).map(lambda parts: "/" + "".join(parts))
NAMES = st.sampled_from(
    [
        *("Host", "Content-Length", "content-length", "Connection", "Upgrade"),
        *("Transfer-Encoding", "Expect", "X-Note", "Under_score", "Bad name", ""),
    ]
)
VALUES = st.sampled_from(
    ["0", "00", "2", "+2", " 2 ", "close", "Keep-Alive", "chunked", "a, b", "\ta"]
) | st.text(st.characters(max_codepoint=255), max_size=3)
HEADERS = st.lists(st.tuples(NAMES, st.sampled_from([":", ": ", " : "]), VALUES))
REQUESTS = st.builds(
    lambda method, target, version, headers, end, body: (
        (
            f"{method} {target} {version}\r\n"
            + "".join(f"{''.join(header)}\r\n" for header in headers)
            + end
        ).encode("latin-1")
        + body
    ),
    method=st.sampled_from(["GET", "POST", "HEAD", "CONNECT", "get", "DELETE"]),
    target=TARGETS,
    version=st.sampled_from(
        ["HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2", "HTTP/1.1 "]
    ),
    headers=HEADERS,
    end=st.sampled_from(["\r\n", "\r\n", "", "\n"]),
    body=st.sampled_from([b"", b"{}", b"GET /api HTTP/1.1\r\n\r\n"]),
)


@given(REQUESTS)
def test_what_is_read_is_what_gunicorn_reads(data):
    found = plain_requests.read(data)
    if found:
        assert read_by_gunicorn(data) == (*found, b"")
