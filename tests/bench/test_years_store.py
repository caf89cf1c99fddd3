"""The store of `bench.years_store` is one that the service can have written."""

import os
import subprocess
import sys

import pytest

from bench import years_store
from bench.section import ROOT
from demo.service import NOT_INHERITED

pytestmark = [
    pytest.mark.long,
    pytest.mark.embedded_store,
    pytest.mark.timeout(900),
]

CHECKS = ("history verify", "stock check", "orders recount", "figures rebuild")


def test_store_of_two_days_passes_every_check_of_the_service(tmp_path):
    years_store.build(tmp_path / "store", 2)
    inherited = {k: v for k, v in os.environ.items() if k not in NOT_INHERITED}
    environment = inherited | {"DATA_DIR": str(tmp_path / "store" / "data")}
    said = ""
    for check in CHECKS:
        command = [sys.executable, "-m", "flask", "--app", "wsgi:app", *check.split()]
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        said += done.stdout
    assert "counted, 0 changed" in said  # the orders
    assert "days counted from" in said  # the figures
    assert "differed" not in said
