"""Programs that some tests need besides Python, and the packages that contain them.

A test without its program is skipped, and the summary of the run lists the packages.
With GLASSFLOW_REQUIRE_OPTIONAL_TOOLS set, the test fails instead.
"""

import os
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

NODE_DIRECTORY = Path(__file__).parent / "node"
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
NEEDS = "needs the package "


def require(available, what, package):
    """Skip the test unless `available`; `package` contains `what` is missing."""
    skip_unless(available, f"{what} is not installed: {NEEDS}{package}")


def skip_unless(available, reason):
    """Skip the test unless `available`, or fail where nothing may be skipped."""
    if available:
        return
    if os.environ.get("GLASSFLOW_REQUIRE_OPTIONAL_TOOLS"):
        pytest.fail(f"must not be skipped here: {reason}")
    pytest.skip(reason)


def require_redis():
    require(shutil.which("redis-server"), "redis-server", "redis-server")


def require_nginx():
    require(shutil.which("nginx"), "nginx", "nginx")
    require(shutil.which("openssl"), "openssl", "openssl")


def require_curl():
    require(shutil.which("curl"), "curl", "curl")


def require_systemd():
    require(shutil.which("systemd-analyze"), "systemd-analyze", "systemd")


def require_node(module="socket.io-client"):
    """Skip the test unless Node.js and a module of tests/node are installed."""
    require(shutil.which("node"), "node", "nodejs")
    installed = (NODE_DIRECTORY / "node_modules" / module).is_dir()
    require(installed, f"{module} (make setup-node)", "npm")


def require_chromium():
    """Return the path of Chromium; skip the test where there is none."""
    found = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    require(found, "chromium", "chromium")
    return found


def count_missing_packages(reasons):
    """Count how many of these reasons of skipped tests name each package."""
    found = (re.search(re.escape(NEEDS) + r"([\w.-]+)", reason) for reason in reasons)
    return Counter(match[1] for match in found if match)
