"""Headers of mails: what was asked for is what is sent, and no text becomes a header."""

import re
import string
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.utils import parseaddr

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from glassflow.host.mail_settings import is_address, is_one_line, read_sender
from glassflow.jobs.mail.messages import compose

ASKED_AT = datetime(2033, 2, 1, 9, 30, tzinfo=UTC)
ADDRESS = "quotes@glass.example"
OF_MESSAGE = [
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "MIME-Version",
    "Content-Type",
]
OF_TEXT = ["Content-Type", "Content-Transfer-Encoding"]
OF_PDF = [*OF_TEXT, "Content-Disposition", "MIME-Version"]
FORGED = "=?utf-8?q?Quote=0d=0aBcc=3a_victim=40evil.example=0d=0a=0d=0ahello?="

# texts of everything that headers give a meaning to, and any text
PARTS = st.sampled_from(
    [
        *[
            "=?",
            "?=",
            "?q?",
            "?b?",
            "=0d=0a",
            "=0D=0A",
            "=00",
            "=?utf-8?q?",
            "=?utf-8?b?DQpCY2M6IHg=?=",
            "Bcc:",
        ],
        *" \t\r\n\x00\x0b\x85\u2028\"\\<>@,;:()[]'%_=?.-",
        *("กระจก", "ำ", "é", "\U0001f600", "a", "b" * 70),
    ]
)
ANY_TEXT = st.one_of(st.text(), st.lists(PARTS, max_size=12).map("".join))
ONE_LINE = ANY_TEXT.map(str.strip).filter(lambda text: text and is_one_line(text))
LOCAL = st.text(
    f"{string.ascii_letters}{string.digits}.+-=?_'\"", min_size=1, max_size=20
)


def made(subject="Quote", sender=ADDRESS, to=("ann@customer.example",), number="Q-1"):
    """Return the message as it is sent, in bytes."""
    mail = {"askedAt": ASKED_AT, "to": list(to), "subject": subject, "message": "Hi"}
    return bytes(compose(mail, sender=sender, quote_id="1", number=number, pdf=b"%PDF"))


def lines_of(head):
    """Return the header lines of a part, unfolded, as (name, value)."""
    unfolded = head.replace("\r\n ", " ").replace("\r\n\t", " ")
    return [tuple(line.split(": ", 1)) for line in unfolded.split("\r\n") if line]


def headers_of(sent):
    """Return the headers of a message; its parts have the usual ones, and these texts."""
    text = sent.decode("ascii")
    assert not set(text) - set(string.printable)
    assert text.count("\n") == text.count("\r") == text.count("\r\n")
    assert all(len(line) <= 998 for line in text.split("\r\n"))
    head, body = text.split("\r\n\r\n", 1)
    found = lines_of(head)
    assert [name for name, _ in found] == OF_MESSAGE
    boundary = message_from_bytes(sent).get_boundary()
    _, first, second, end = body.split(f"--{boundary}")
    assert end.strip() == "--"
    for part, names, content in (
        (first, OF_TEXT, "SGkNCg=="),
        (second, OF_PDF, "JVBERg=="),
    ):
        part_head, part_body = part.removeprefix("\r\n").split("\r\n\r\n", 1)
        assert [name for name, _ in lines_of(part_head)] == names
        assert part_body.strip() == content
    return dict(found)


def shown(raw):
    """Return a header as programs show it that decode its encoded words."""
    return str(make_header(decode_header(raw)))


@example(FORGED)
@example("Price =? 100")
@example("a =?utf-8?q?b?= c")
@given(ONE_LINE)
def test_subject_is_shown_as_it_was_typed(text):
    sent = made(subject=text)
    assert shown(headers_of(sent)["Subject"]) == text
    assert str(message_from_bytes(sent, policy=policy.default)["Subject"]) == text


@example(FORGED, "quotes")
@given(ONE_LINE, LOCAL)
def test_sender_is_shown_with_the_name_of_the_setting(name, local):
    text = f"{name} <{local}@glass.example>"
    try:
        address = read_sender(text)
    except ValueError:
        return
    sent = made(sender=text)
    headers = headers_of(sent)
    name_sent, address_sent = parseaddr(headers["From"])
    assert (shown(name_sent), address_sent) == (address.display_name, address.addr_spec)
    (parsed,) = message_from_bytes(sent, policy=policy.default)["From"].addresses
    assert parsed.addr_spec == address.addr_spec
    # this parser shows the separator of two encoded words in a name as a space
    assert "".join(parsed.display_name.split()) == "".join(address.display_name.split())
    assert headers["Message-ID"] == f"<1.{int(ASKED_AT.timestamp())}000@glass.example>"


@example("=?utf-8?q?a?=", "b.example")
@example('"a,b"', "c.example")
@example("a", "[127.0.0.1]")
@given(st.one_of(LOCAL, ANY_TEXT), st.one_of(LOCAL, st.just("customer.example")))
def test_recipients_are_the_addresses(local, domain):
    address = f"{local}@{domain}"
    to = [address, "ann@customer.example"]
    if is_address(address):
        sent = made(to=to)
        assert headers_of(sent)["To"] == ", ".join(to)
        parsed = message_from_bytes(sent, policy=policy.default)["To"].addresses
        assert [one.addr_spec for one in parsed] == to
    else:
        with pytest.raises(ValueError, match="not an e-mail address"):
            made(to=to)


@example(FORGED)
@example("QUO-0001-R2")
@given(ANY_TEXT)
def test_number_of_a_quote_names_the_file(number):
    sent = made(number=number)
    headers_of(sent)
    (_, pdf) = message_from_bytes(sent, policy=policy.default).iter_parts()
    name = pdf.get_filename()
    assert len(name) == len(f"{number}.pdf")
    assert set(name) <= set(f"{string.ascii_letters}{string.digits}_.-")


@given(ANY_TEXT)
def test_text_with_a_line_end_or_control_is_no_subject_or_sender(text):
    if is_one_line(text):
        return
    assert len(text.splitlines()) > 1 or not text.isprintable()
    with pytest.raises(ValueError, match="one line"):
        made(subject=text)
    with pytest.raises(ValueError, match=re.escape(ADDRESS)):
        made(sender=f"{text} <{ADDRESS}>")
