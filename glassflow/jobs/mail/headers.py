"""Headers of a mail whose texts are shown as they are, whatever is in them.

`EmailMessage` decodes the encoded words of a text that it is given, and some releases of
Python write the line breaks inside them as line breaks. A `Header` is written unchanged.
"""

import re
from collections.abc import Sequence
from email.header import Header as EncodedText
from email.headerregistry import Address
from email.policy import Policy
from email.utils import formataddr

from glassflow.host.mail_settings import is_address, is_one_line

# ASCII words with single spaces, which fit into one line of 78 characters.
_PLAIN = re.compile(r"(?=.{1,60}\Z)[!-~]+(?: [!-~]+)*")
_ENCODED_WORD_BEGIN = "=?"
_SEPARATOR = ",\r\n "


class Header(str):
    """The value of a header in its written form, which the policy of a mail keeps.

    `EmailPolicy` keeps and writes every value that has a `name` and a `fold`.
    """

    name: str

    def __new__(cls, name: str, written: str) -> "Header":
        """Return the header `name`; `written` is ASCII, with CR LF and a space to fold."""
        header = super().__new__(cls, written)
        header.name = name
        return header

    def fold(self, *, policy: Policy) -> str:
        """Return the lines of the header, the last line end included."""
        return f"{self.name}: {self}\r\n"


def subject(text: str) -> Header:
    """Return the header with a subject. Raises `ValueError` for more than one line."""
    return Header("Subject", _written(text))


def sender(address: Address) -> Header:
    """Return the header with the sender; the name must be one line."""
    name = _written(address.display_name)
    if name == address.display_name:
        return Header("From", formataddr((name, address.addr_spec)))
    return Header("From", f"{name} <{address.addr_spec}>")


def recipients(addresses: Sequence[str]) -> Header:
    """Return the header with the recipients. Raises `ValueError` for what is no address."""
    return _addresses("To", addresses)


def reply_to(address: str) -> Header:
    """Return the header with the address for answers; raises as `recipients`."""
    return _addresses("Reply-To", [address])


def _addresses(name: str, addresses: Sequence[str]) -> Header:
    for one in addresses:
        if not is_address(one):
            raise ValueError(f"not an e-mail address: {one!r}")
    return Header(name, _SEPARATOR.join(addresses))


def _written(text: str) -> str:
    if not is_one_line(text):
        raise ValueError(f"a header is one line: {text!r}")
    if not text or (_PLAIN.fullmatch(text) and _ENCODED_WORD_BEGIN not in text):
        return text
    return EncodedText(text, "utf-8", header_name="Subject").encode(linesep="\r\n")
