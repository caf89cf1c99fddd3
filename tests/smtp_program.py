"""An SMTP server that stores what it receives, a file a message: a program of its own.

`smtp_program.py PORT FOLDER [USER PASSWORD] [CERTIFICATE KEY]`. A recipient whose address
begins with "gone" is refused for good, with "later" for now; the text of a message with
"unwanted" in its headers is refused, and the server answers to one with "slow" as soon as the
folder has the file "answer".
"""

import asyncio
import json
import ssl
import sys
from pathlib import Path

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword


class Handler:
    """Refuses by the recipient's address, and stores messages."""

    def __init__(self, folder):
        self.folder = Path(folder)

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("gone"):
            return "550 5.1.1 no such mailbox"
        if address.startswith("later"):
            return "450 4.2.0 greylisted"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        head = envelope.content.partition(b"\r\n\r\n")[0]
        if b"unwanted" in head:
            return "554 5.7.1 looks like spam"
        while b"slow" in head and not (self.folder / "answer").exists():
            await asyncio.sleep(0.02)
        name = f"{len(list(self.folder.glob('*.eml'))):03}"
        recipients = json.dumps(envelope.rcpt_tos)
        (self.folder / f"{name}.json").write_text(recipients)
        part = self.folder / f"{name}.part"
        part.write_bytes(envelope.content)
        part.rename(self.folder / f"{name}.eml")
        return "250 OK"


def tls_of(certificate, key):
    """Return the TLS context of STARTTLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


def main(port, folder, user="", password="", *tls):
    def authenticate(server, session, envelope, mechanism, data):
        given = LoginPassword(user.encode(), password.encode())
        # not handled: the server itself sends the answer
        return AuthResult(success=data == given, handled=False)

    options = {"tls_context": tls_of(*tls)} if tls else {}
    if user:
        options |= {
            "authenticator": authenticate,
            "auth_required": True,
            "auth_require_tls": bool(tls),
        }
    loop = asyncio.new_event_loop()
    loop.run_until_complete(
        loop.create_server(
            lambda: SMTP(Handler(folder), loop=loop, **options), "127.0.0.1", int(port)
        )
    )
    loop.run_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
