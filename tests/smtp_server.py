"""A real mail server for tests, in a process of its own: its loop is not gevent's."""

import email
import json
import smtplib
import subprocess
import sys
from email import policy

from glassflow.host.data_files import REPOSITORY
from ports import free_port
from waiting import START_TIMEOUT_S, STOP_TIMEOUT_S, wait_until


class SmtpServer:
    """One `smtp_program` on a port of its own, which it keeps over restarts."""

    def __init__(self, folder, *login_and_tls):
        self.folder, self.port, self.process = folder, free_port(), None
        self._options = [str(one) for one in login_and_tls]

    def url(self, login="", query=""):
        return f"smtp://{login}127.0.0.1:{self.port}{query}"

    def start(self):
        program = REPOSITORY / "tests" / "smtp_program.py"
        arguments = [str(self.port), str(self.folder), *self._options]
        self.process = subprocess.Popen([sys.executable, str(program), *arguments])
        wait_until(self.responds, START_TIMEOUT_S)
        return self

    def responds(self):
        try:
            with smtplib.SMTP("127.0.0.1", self.port, "localhost", timeout=5) as client:
                return client.noop()[0] == 250
        except OSError:
            return False

    def messages(self):
        """Return the messages that were received, in order."""
        return [
            email.message_from_bytes(file.read_bytes(), policy=policy.default)
            for file in sorted(self.folder.glob("*.eml"))
        ]

    def recipients(self):
        """Return the recipients of each of the messages."""
        files = sorted(self.folder.glob("*.json"))
        return [json.loads(file.read_text()) for file in files]

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait(STOP_TIMEOUT_S)
