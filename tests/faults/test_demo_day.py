"""`make demo` with fewer requests, over HTTP and sockets: alone, and beside large orders."""

import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
import requests

from bench.workload import Workload
from concurrency import run_concurrently
from demo.client import Api
from demo.workshop import demo_passwords
from metrics_samples import Metrics
from service import QUICK_HASHES, Service
from sizes import size

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
UNUSED_URL = "http://127.0.0.1:9"  # the discard port: the demo starts a service
ROUNDS = 5  # of six orders
REQUESTS, PANES = size(("8", "1"), long=("12", "2"))
EXPECTED_KINDS = (
    "checks failed",
    "claims approved",
    "claims rejected",
    "panes remade",
    "units laminated",
    "lots moved",
    "withdrawals approved",
    "withdrawals rejected",
    "withdrawals deleted",
    "dormant parent",
    "laminated too early",
    "merged sheet",
)


@pytest.mark.slow
@pytest.mark.embedded_store
@pytest.mark.timeout(600)
def test_demo_day_finishes_every_pane_and_counts_every_event():
    command = [sys.executable, "-m", "demo", "--url", UNUSED_URL]
    done = subprocess.run(
        [*command, "--requests", REQUESTS, "--panes", PANES],
        cwd=ROOT,
        env=os.environ | QUICK_HASHES,
        capture_output=True,
        text=True,
        timeout=590,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert re.search(
        r"on the board: http://\S+/floor/board$", done.stdout, re.MULTILINE
    )
    assert re.search(r"panes finished +(\d+) of \1$", done.stdout, re.MULTILINE)
    completed = rf"orders completed +{REQUESTS}$"
    assert re.search(completed, done.stdout, re.MULTILINE)
    assert re.search(r"^ +all( +\d+)+ +0 +0$", done.stdout, re.MULTILINE)
    assert re.search(r"^  refused +[1-9]", done.stdout, re.MULTILINE)
    assert "the stock equals its ledger" in done.stdout
    for kind in EXPECTED_KINDS:  # the day must contain each of them
        assert re.search(rf"^ +{kind} +[1-9]", done.stdout, re.MULTILINE), kind


@pytest.mark.embedded_store
@pytest.mark.timeout(600)
def test_six_orders_of_50_panes_at_once_are_taken_beside_the_demo_day(
    tmp_path, demo_workshop
):
    """The store answers both in time: no request of either is refused with 503."""
    service = Service(tmp_path, **QUICK_HASHES)
    demo_workshop.copy_files(service.data_dir)
    service.start()
    command = [sys.executable, "-m", "demo", "--url", service.url, "--panes", "3"]
    output = tmp_path / "day.log"
    with output.open("w") as log:
        day = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
    try:
        admin = Api.login(service.url, "admin", demo_passwords()["admin"])
        order_at_once(admin)
        assert day.poll() is None  # it takes many times as long as six orders
        for _ in range(ROUNDS - 1):
            order_at_once(admin)
        assert day.wait(300) == 0, output.read_text()[-4000:]
        measured = Metrics(requests.get(f"{service.url}/metrics", timeout=60).text)
        assert measured.sum("http_request_seconds_count", status="201") > 0
        assert measured.sum("http_request_seconds_count", status="503") == 0
    finally:
        day.kill()
        day.wait()
        service.stop()


def order_at_once(admin):
    """Order six requests of 50 panes each at the same time."""
    workload = Workload(admin)
    bodies = [workload.order_body(workload.request(50)) for _ in range(6)]
    orders = run_concurrently(
        [partial(admin.post, "/api/orders", **body) for body in bodies]
    )
    assert [order["paneCount"] for order in orders] == [50] * 6
