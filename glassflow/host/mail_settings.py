"""The settings of e-mail: what `SMTP_URL` and `MAIL_FROM` mean.

`settings.py` checks them, also in the parent process, which loads no domain.
"""

import re
from dataclasses import dataclass, field
from email.errors import HeaderParseError
from email.headerregistry import Address
from urllib.parse import parse_qsl, unquote, urlsplit

# Only what every address has: a mail server decides about the rest.
EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+")
# Without quotes and comments; "=?" would begin an encoded word, which readers decode.
_IN_HEADER = re.compile(
    r"(?!.*=\?)[\w.!#$%&'*+/=?^`{|}~-]+@([\w.-]+|\[[\d.]+\])", re.ASCII
)
# Not `email.utils.parseaddr`: it accepts more in older releases of each Python, such as the
# first of two addresses.
_NAME_AND_ADDRESS = re.compile(
    r'(?:"(?P<quoted>[^"\\]*)"|(?P<name>[^"(),:;<>@\[\]\\]*))\s*<(?P<address>[^<>]+)>'
)
# Controls but the tab, and what Unicode calls a line end.
_LINE_END_OR_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")
_ENCODED_WORD = re.compile(r"=\?.*\?=")
SMTP, SMTPS = "smtp", "smtps"
SMTP_PORTS = {SMTP: 25, SMTPS: 465}


@dataclass(frozen=True, slots=True)
class MailServer:
    """An SMTP server, as `SMTP_URL` names it.

    `is_tls` is TLS from the first byte. Without it STARTTLS is used if the server offers
    it, or refused without it if `requires_tls`. Without a `user` there is no login.
    """

    host: str
    port: int
    is_tls: bool = False
    requires_tls: bool = False
    user: str = ""
    password: str = field(default="", repr=False)


def read_server(url: str) -> MailServer:
    """Return the server of `smtp://user:password@host:587?tls=required` or `smtps://…`.

    User and password are percent-encoded. Raises `ValueError`, whose text may contain
    parts of the URL: do not show it.
    """
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=True))
    requires_tls = query.pop("tls", "") == "required"
    is_login = bool(parts.username) == bool(parts.password)
    if (
        parts.scheme not in SMTP_PORTS
        or not parts.hostname
        or parts.path.strip("/")
        or query
        or parts.fragment
        or bool(parts.query) != requires_tls
        or not is_login
        or re.search(r"[\s\x00-\x1f]", url)
    ):
        raise ValueError("not the address of an SMTP server")
    return MailServer(
        host=parts.hostname,
        port=parts.port or SMTP_PORTS[parts.scheme],
        is_tls=parts.scheme == SMTPS,
        requires_tls=requires_tls,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
    )


def is_address(text: str) -> bool:
    """Return whether a text is one e-mail address, without a name and without quotes."""
    if not (EMAIL.fullmatch(text) and _IN_HEADER.fullmatch(text)):
        return False
    try:
        return Address(addr_spec=text).addr_spec == text
    except (HeaderParseError, ValueError, IndexError):
        return False


def read_sender(text: str) -> Address:
    """Return the address of `name@example.com` or `Name <name@example.com>`.

    Raises `ValueError` for another text.
    """
    found = _NAME_AND_ADDRESS.fullmatch(text)
    address = found["address"] if found else text
    if not is_one_line(text) or not is_address(address):
        raise ValueError(text)
    name = (found["quoted"] or found["name"] or "") if found else ""
    return Address(display_name=re.sub("[ \t]+", " ", name).strip(), addr_spec=address)


def is_sender(text: str) -> bool:
    """Return whether `read_sender` can read a text."""
    try:
        read_sender(text)
    except ValueError:
        return False
    return True


def is_one_line(text: str) -> bool:
    """Return whether a text has no line end or control character, as headers must not."""
    return _LINE_END_OR_CONTROL.search(text) is None


def has_encoded_word(text: str) -> bool:
    """Return whether a mail program may decode a part of a text, as in `=?utf-8?q?a?=`."""
    return _ENCODED_WORD.search(text) is not None
