"""The pictures of README.md and docs/office.md can be taken of the demo workshop.

It is as `make run` leaves it. `make pictures` puts them into docs/images; else they are
thrown away.
"""

import os
from types import SimpleNamespace

import pytest
from PIL import Image

from browser.pages import LIVE, THAI, open_page, unexpected
from service import DEMO_ADMIN, ROOT, Service

RECORDS = "GLASSFLOW_RECORD_PICTURES"  # set by `make pictures`
pytestmark = [
    pytest.mark.long,
    pytest.mark.slow,
    pytest.mark.embedded_store,
    pytest.mark.timeout(600),
]

ADMIN = SimpleNamespace(**DEMO_ADMIN)
PICTURES = ROOT / "docs/images"
OFFICE = {"viewport": {"width": 1280, "height": 800}}
FLOOR = {"viewport": {"width": 1280, "height": 720}, "colorScheme": "dark"}
COLORS = 256
#: Scrolls until an element is at the top.
SCROLL = """
    const { top } = document.querySelector(given).getBoundingClientRect();
    scrollBy(0, top - 24);
"""


@pytest.fixture
def service(tmp_path, demo_workshop):
    running = Service(tmp_path)
    demo_workshop.copy_files(running.data_dir)
    running.start()
    worked = running.flask("seed", "work")
    assert worked.returncode == 0, worked.stderr
    yield running
    running.stop()


@pytest.fixture
def folder(tmp_path):
    """Where the pictures are put."""
    if RECORDS in os.environ:
        return PICTURES
    (tmp_path / "office").mkdir()
    return tmp_path


def take(tab, path):
    """Take a picture of the window, with few colours."""
    tab.screenshot(str(path))
    with Image.open(path) as taken:
        few = taken.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


def names(folder):
    """The pictures that are taken here; the other folders are those of stories."""
    found = [*folder.glob("*.png"), *folder.glob("office/*.png")]
    return {str(path.relative_to(folder)) for path in found}


def test_each_picture_of_the_documents_can_be_taken(chromium, service, folder):
    api = service.connect(service.login())

    def first(path):
        """The first record of a list."""
        return api.get(f"/api/{path}&limit=1").data[0]

    claim = first("claims?status=pending")
    template = first("sticker-templates?sort=name")
    role = first("roles?slug=worker")
    quote = first("quotes?status=draft")
    remake = first("panes?remakeOf_ne=null&sort=paneNumber")
    waiting = first("panes?status=pending&station_ne=null&sort=arrivedAt")
    tab = open_page(
        chromium.profile(**{**THAI, **OFFICE}),
        f"{service.url}/floor/office",
        ADMIN,
        ADMIN.password,
    )
    for name, path, selector, top in (
        ("dashboard", "dashboard", ".chart canvas", ""),
        ("today", "today", ".today .money li", ""),
        ("weekly", "today", "[data-card=load] svg rect", ".weekly"),
        ("orders", "orders?due=open", ".table-row", ""),
        (
            "request",
            f"requests/new?copy={waiting['request']}",
            ".sum strong",
            "#pane-rows",
        ),
        ("quote", f"quotes/{quote['_id']}", ".sum strong", "#pane-rows"),
        ("pane", f"panes/{remake['paneNumber']}", ".timeline li", ""),
        ("claim", f"claims/{claim['_id']}", "main:has(.gallery img):has(.choice)", ""),
        ("stock", "stock", ".lots li", ""),
        ("withdrawals", "withdrawals", ".to-decide a[href*=stock]", ""),
        ("prices", "prices", ".grid input", ""),
        ("activity", "activity", ".activity li", ""),
        ("label", f"labels/{template['_id']}", ".printed img", ".tools"),
        ("role", f"roles/{role['_id']}", ".matrix fieldset", ""),
    ):
        tab.goto(f"{service.url}/floor/office/{path}")
        tab.wait(LIVE)
        tab.wait(selector)
        if top:
            tab.run(SCROLL, top)
        take(tab, folder / f"office/{name}.png")
    tab = open_page(
        chromium.profile(**{**THAI, **FLOOR}),
        f"{service.url}/floor/s/{waiting['currentStation']}",
        ADMIN,
        ADMIN.password,
    )
    tab.wait(".queue li")
    tab.fill(".read input", waiting["paneNumber"])
    tab.click(".read button")
    tab.wait(".pane h2")
    tab.wait(LIVE)
    take(tab, folder / "station.png")
    tab.goto(f"{service.url}/floor/board?rotate=overview:600")
    tab.wait(".lanes .rack")
    tab.wait(LIVE)
    take(tab, folder / "board.png")
    assert names(folder) == names(PICTURES)
    assert unexpected(chromium) == []
