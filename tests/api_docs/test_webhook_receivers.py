"""The receivers of docs/webhooks.md take genuine requests, and no others."""

import os
import re
import subprocess
import sys
import time

import pytest
import requests

from glassflow.domain.webhooks import new_secret, signed_headers
from glassflow.host.data_files import REPOSITORY
from optional_tools import require_node
from ports import free_port
from waiting import START_TIMEOUT_S, wait_until

pytestmark = pytest.mark.slow
PAGE = (REPOSITORY / "docs" / "webhooks.md").read_text("utf-8")
PROGRAMS = dict(re.findall(r"```(python|js)\n(.*?)```", PAGE, re.DOTALL))
BODY = '{"event": "order:updated", "data": "กระจก"}'.encode()


@pytest.mark.parametrize("language", ["python", "js"])
def test_receiver_takes_genuine_requests_only(language):
    if language == "js":
        require_node()
        command = ["node", "--input-type=module", "-e", PROGRAMS["js"]]
    else:
        command = [sys.executable, "-c", PROGRAMS["python"]]
    secret, other, port = new_secret(), new_secret(), free_port()
    environment = {**os.environ, "SECRET": secret, "PORT": str(port)}
    program = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)

    def answer(headers, body=BODY):
        try:
            url = f"http://127.0.0.1:{port}/"
            return requests.post(url, body, headers=headers, timeout=20).status_code
        except requests.ConnectionError:
            return None  # it is starting

    now = int(time.time())
    good = signed_headers([secret], "a", now, BODY)
    try:
        wait_until(lambda: answer(good) == 204, START_TIMEOUT_S)
        assert answer(signed_headers([other, secret], "a", now, BODY)) == 204
        assert answer(signed_headers([other], "a", now, BODY)) == 401
        assert answer(good, BODY + b" ") == 401
        assert answer({**good, "webhook-id": "b"}) == 401
        assert answer(signed_headers([secret], "a", now - 3600, BODY)) == 401
        assert answer({}) == 401
    finally:
        program.kill()
        program.wait()
