"""The pictures of docs/office.md can be taken of the demo workshop.

`make pictures` puts them into docs/images/office; else they are thrown away.
"""

import io
import os
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from PIL import Image, ImageDraw

from browser.floor_pages import LIVE, THAI, open_page, unexpected
from demo.orders import pane_body
from demo.plan import JOBS, STATIONS
from pictures import to_data_url
from service import DEMO_ADMIN, ROOT, Service

RECORDS = "GLASSFLOW_RECORD_PICTURES"  # set by `make pictures`
pytestmark = [
    pytest.mark.long,
    pytest.mark.slow,
    pytest.mark.embedded_store,
    pytest.mark.timeout(600),
]

ADMIN = SimpleNamespace(**DEMO_ADMIN)
PICTURES = ROOT / "docs/images/office"
SIZE = {"viewport": {"width": 1280, "height": 800}}
COLORS = 256
PANES = 3
#: Scrolls until an element is at the top.
SCROLL = """
    const { top } = document.querySelector(given).getBoundingClientRect();
    scrollBy(0, top - 24);
"""
STEPS = ("scan_in", "complete", "scan_out")
#: Of each order: the hours to its deadline, and how many steps its first pane has made.
ORDERS = ((-20, 10), (-3, 7), (30, 8), (41, 5), (70, 4), (90, 3), (120, 2), (200, 0))


@pytest.fixture
def service(tmp_path, demo_workshop):
    running = Service(tmp_path)
    demo_workshop.copy_files(running.data_dir)
    yield running.start()
    running.stop()


def stored(api, path):
    """The records of a list that has one page."""
    return api.get(f"/api/{path}{'&' if '?' in path else '?'}limit=100")[1]["data"]


def begin_orders(api):
    """Make orders that are late, in work and new; return the last one and the panes."""
    stations = {one["name"]: one["_id"] for one in stored(api, "stations")}
    stations = {short: stations[name] for short, name in STATIONS.items()}
    materials = {one["code"]: one["_id"] for one in stored(api, "materials")}
    customers = [one["_id"] for one in stored(api, "customers")]
    jobs = [job for job in JOBS if job.sheets == 1 and job.routes]
    panes, order = [], None
    for number, (hours, steps) in enumerate(ORDERS):
        job = jobs[number % len(jobs)]
        customer = customers[number % len(customers)]
        deadline = (datetime.now(UTC) + timedelta(hours=hours)).isoformat()
        request = create_request(api, job, stations, customer, deadline)
        order = create_order(api, job, stations, request, materials[job.material])
        made = stored(api, f"panes?request={request['_id']}&sort=paneNumber")
        work(api, made, steps)
        panes += made
    return order, panes


def create_request(api, job, stations, customer, deadline):
    price = 1450 * PANES
    body = {
        "customer": customer,
        "details": {"type": job.title, "quantity": PANES, "estimatedPrice": price},
        "deadline": deadline,
        "panes": [pane_body(job, n, PANES, stations) for n in range(PANES)],
    }
    return api.post("/api/requests", body)


def create_order(api, job, stations, request, material):
    body = {
        "request": request["_id"],
        "customer": request["customer"],
        "material": material,
        "quantity": PANES,
        "stations": [stations[name] for name in dict.fromkeys(job.routes[0])],
        "notes": job.notes,
    }
    return api.post("/api/orders", body)


def work(api, panes, steps):
    """Scan the first pane so many steps further, each other one a station less far."""
    for behind, pane in enumerate(panes):
        for step in range(max(0, steps - len(STEPS) * behind)):
            body = {"action": STEPS[step % 3], "station": pane["routing"][step // 3]}
            api.post(f"/api/panes/{pane['paneNumber']}/scan", body)


def photo():
    """A pane with a crack, as a camera would show it."""
    picture = Image.new("RGB", (640, 480), "#b9ccc6")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((60, 40, 580, 440), fill="#dcebe6", outline="#5f7f78", width=6)
    for way in (
        [(60, 120), (190, 180), (230, 260), (360, 300), (420, 440)],
        [(230, 260), (180, 350), (210, 440)],
        [(190, 180), (300, 130), (330, 40)],
    ):
        draw.line(way, fill="#31524b", width=3)
    written = io.BytesIO()
    picture.save(written, "PNG")
    return to_data_url(written.getvalue())


def raise_claim(api, pane):
    """Claim a pane, with a photo."""
    (worker, *_) = stored(api, "workers?role_ne=null")
    body = {
        "source": "worker",
        "paneNumber": pane["paneNumber"],
        "reportedBy": worker["_id"],
        "defectCode": "broken",
        "description": "ร้าวจากมุมซ้ายบน ระหว่างย้ายไปล้าง",
        "photos": [photo()],
    }
    return api.post("/api/claims/from-pane", body)


def withdraw(api, order):
    """Withdraw a sheet for an order, which somebody has to decide."""
    body = {"order": order["_id"], "material": order["material"], "quantity": 2}
    return api.post("/api/withdrawals", {**body, "stockType": "Raw"})


@pytest.fixture
def folder(tmp_path):
    """Where the pictures are put."""
    return PICTURES if RECORDS in os.environ else tmp_path


def take(tab, path):
    """Take a picture of the window, with few colours."""
    tab.screenshot(str(path))
    with Image.open(path) as taken:
        few = taken.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


def test_each_picture_of_the_office_can_be_taken(chromium, service, folder):
    api = service.connect(service.login())
    order, panes = begin_orders(api)
    claim = raise_claim(api, panes[3])
    withdraw(api, order)
    (template, *_) = stored(api, "sticker-templates")
    (role,) = stored(api, "roles?slug=worker")
    office = f"{service.url}/floor/office"
    profile = chromium.profile(**{**THAI, **SIZE})
    tab = open_page(profile, office, ADMIN, ADMIN.password)
    for name, path, selector, top in (
        ("dashboard", "dashboard", ".chart canvas", ""),
        ("orders", "orders?due=open", ".table-row", ""),
        (
            "request",
            f"requests/new?copy={panes[0]['request']}",
            ".sum strong",
            "#pane-rows",
        ),
        ("pane", f"panes/{panes[0]['paneNumber']}", ".timeline li", ""),
        ("claim", f"claims/{claim['_id']}", ".choice", ""),
        ("stock", "stock", ".lots li", ""),
        ("withdrawals", "withdrawals", ".to-decide a[href*=stock]", ""),
        ("prices", "prices", ".grid input", ""),
        ("label", f"labels/{template['_id']}", ".printed img", ".tools"),
        ("role", f"roles/{role['_id']}", ".matrix fieldset", ""),
    ):
        tab.goto(f"{office}/{path}")
        tab.wait(LIVE)
        tab.wait(selector)
        if top:
            tab.run(SCROLL, top)
        take(tab, folder / f"{name}.png")
    taken = {path.name for path in folder.glob("*.png")}
    assert taken == {path.name for path in PICTURES.glob("*.png")}
    assert unexpected(chromium) == []
