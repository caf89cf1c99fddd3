"""Programs for Node.js that open the pages of a service in Chromium, and print JSON."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.processes import Service
from demo.workshop import demo_passwords


def measure_in_chromium(
    program: Path, service: Service, options: Mapping[str, object], timeout_s: float
) -> Any:
    """Return what a program measures as the admin of a service.

    It gets the options as JSON in `MEASURE`. It needs Node.js, Chromium and the
    packages of `tests/node`; raises `RuntimeError` without.
    """
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None or shutil.which("node") is None:
        raise RuntimeError("it needs Chromium and Node.js")
    login = {
        "chromium": chromium,
        "url": service.url,
        "username": "admin",
        "password": demo_passwords()["admin"],
    }
    done = subprocess.run(
        ["node", program],
        env=os.environ | {"MEASURE": json.dumps({**login, **options})},
        stdout=subprocess.PIPE,
        timeout=timeout_s,
        check=True,
    )
    return json.loads(done.stdout)
