"""Entity tags: what a client has is current (If-None-Match), or it is not (If-Match).

The tag of a record is its version, `"7"`. Where the body has more than the record itself
(expanded references, selected fields, signed links) it changes without the record, so
that the tag has a digest of the body besides: `"7.1f0c93ab"`. So has that of the one record
of a kind, such as the workshop. If-Match looks at the version of either form. A list has a weak tag, the digest of its body: it saves the
transfer of an unchanged list, and is right whatever changed in between.
"""

import hashlib
import re
from collections.abc import Collection

from flask import Response, request

PRIVATE = "private, no-cache"
VERSION = re.compile(r'"(\d{1,18})(?:\.[0-9a-f]+)?"')
DIGEST_LENGTH = 8  # hexadecimal digits, besides a version
LIST_DIGEST_LENGTH = 16


def expected_versions() -> Collection[int] | None:
    """Return the versions in the request's If-Match; None if it accepts any.

    A tag that the service has not given, or a weak one, is the version of no record.
    """
    header = request.headers.get("If-Match")
    if header is None or header.strip() == "*":
        return None
    tags = (VERSION.fullmatch(tag.strip()) for tag in header.split(","))
    return {int(tag[1]) for tag in tags if tag}


def tag_record(response: Response, version: int, *, is_plain: bool) -> Response:
    """Set the tag of a record; a GET of what the client has becomes 304.

    `is_plain`: the body depends on the record alone.
    """
    digest = "" if is_plain else f".{_digest(response, DIGEST_LENGTH)}"
    response.set_etag(f"{version}{digest}")
    return _conditional(response)


def tag_list(response: Response) -> Response:
    """Set the tag of a list, or of another body that has several records.

    A GET of what the client has becomes 304.
    """
    response.set_etag(_digest(response, LIST_DIGEST_LENGTH), weak=True)
    return _conditional(response)


def _digest(response: Response, length: int) -> str:
    return hashlib.sha256(response.get_data()).hexdigest()[:length]


def _conditional(response: Response) -> Response:
    if request.method not in ("GET", "HEAD"):
        return response
    let_caller_keep(response).make_conditional(request)
    return response


def let_caller_keep(response: Response) -> Response:
    """Let the caller's browser keep a body, and ask with its tag whether it is current."""
    response.headers["Cache-Control"] = PRIVATE
    response.vary.add("Authorization")
    return response
