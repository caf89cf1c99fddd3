"""Every floor page in each of its states: accessible, and without horizontal overflow.

In both themes and both languages, at 320 CSS pixels and on full HD. A page of the floor
needs a row here; those of the office that need no record are found by their table.
"""

import re
from types import SimpleNamespace
from zlib import crc32

import pytest

from api.test_labels import TEMPLATE
from browser.floor_pages import (
    CORE,
    ENGLISH,
    FULL_HD,
    LIVE,
    PHONE,
    STALE,
    follow,
    log_in,
    set_look,
    unexpected,
)
from glassflow.core.process import clock
from glassflow.core.process.json import iso
from glassflow.pages import files
from scenarios import order_with_panes, pass_station
from sizes import size
from waiting import wait_until

pytestmark = [pytest.mark.sized, pytest.mark.slow, pytest.mark.timeout(900)]

WINDOWS = [PHONE, (390, 844), (820, 1180), FULL_HD]
THEMES = ["dark", "light"]
#: The languages, and the windows in the order that changes their size least often: each
#: change paints the page again.
ROUNDS = size(
    [("th", [PHONE, FULL_HD]), ("en", [PHONE])],
    long=[("th", WINDOWS), ("en", WINDOWS[::-1])],
)
#: The themes that axe checks in a language and window; one of these for each state, always
#: the same one. Its rules on colours and names do not depend on the size, and colours do
#: not depend on the language.
CHECKED_BY_AXE = size(
    [{("th", PHONE): ["dark"]}, {("en", PHONE): ["light"]}],
    long=[{("th", PHONE): THEMES, ("th", FULL_HD): ["dark"], ("en", PHONE): THEMES}],
)
#: How far the page is wider than the window, in CSS pixels: in its theme and, with no
#: painting in between, in the other one, which it keeps.
OVERFLOWS = f"""
    const {{ setTheme, theme }} = await import("{CORE}/preferences.js");
    const root = document.documentElement;
    const overflow = () => root.scrollWidth - root.clientWidth;
    const overflows = {{ [theme.value]: overflow() }};
    setTheme(theme.value === "dark" ? "light" : "dark");
    return {{ ...overflows, [theme.value]: overflow() }};
"""


def until_loaded(tab, _):
    """Wait for what a station loads after its first picture: its queue and its menus."""
    tab.wait(".queue:not([aria-busy])")


def click(*selectors):
    """Make a step that clicks on elements, each as soon as it is there."""

    def step(tab, _):
        for selector in selectors:
            tab.wait(selector)
            tab.click(selector)

    return step


def show_pane(name):
    """Make a step that types the number of one of the job's panes."""

    def step(tab, job):
        tab.wait(".queue li")
        tab.fill(".read input", getattr(job, name))
        tab.click(".read button")

    return step


def type_unfinished(tab, job):
    """Type the number of a pane that its delivery lacks."""
    tab.fill(".read input", job.ready)
    tab.click(".read button")


def name_recipient(tab, _):
    tab.fill(".hand-over input[type=text]", "คุณสมศรี")


submit = click("form .main-button")


#: Path of the page below /floor, query, what shows that it is there, and steps before.
WITHOUT_LOGIN = [
    ("secure", "", ".secure #other", []),
    ("offer", "", ".offer .gone", []),
    ("", "", "#username", []),
    ("", "", ".fault", [submit]),
]
WITHOUT_DATA = [
    ("", "", ".set-up-steps a", []),
    ("login", "", ".pages a", []),
    ("nothing", "", ".message", []),
    ("board", "", ".board .message", []),
    ("s", "?choose", ".choose .empty, .choose .message", []),
    ("deliveries", "", ".empty", []),
    ("deliveries/:deliveryId", "", ".message", []),
    ("labels", "", ".empty", []),
    ("office", "", ".to-do", []),
]
SETTINGS = '.signs [aria-label="This device"]'
FAIL = '.tiles button:has-text("Broken")'
WITH_DATA = [
    ("board", "?rotate=overview:600", ".lanes .rack", []),
    ("board", "?rotate=late:600", ".whole li", []),
    ("board", "?rotate=spotlight:600", ".spotlight li", []),
    ("s", "?choose", ".choose li", []),
    ("s/:stationId", "", ".queue li", []),
    ("s/:stationId", "", ".next", [show_pane("ready")]),
    ("s/:stationId", "", ".menu", [show_pane("ready"), click(".more")]),
    ("s/:stationId", "", ".tiles", [show_pane("ready"), click(".fail")]),
    ("s/:stationId", "", "textarea", [show_pane("ready"),
        click(".fail", FAIL, ".steps .main-button")]),
    ("s/:stationId", "", ".hold", [show_pane("ready"),
        click(".fail", FAIL, ".steps .main-button", ".steps .main-button")]),
    ("s/:stationId", "", '.verdict[data-kind="no"]', [show_pane("unknown")]),
    ("s/:stationId", "", ".station[data-glove] .switches", [
        until_loaded, click(SETTINGS, '.option input[type="checkbox"]')]),
    ("s/:stationId", "", '.verdict[data-kind="yes"]', [
        show_pane("waiting"), click(".next")]),
    ("deliveries", "", ".all li", []),
    ("deliveries/:deliveryId", "", ".missing", []),
    ("deliveries/:deliveryId", "", '.verdict[data-kind="no"]', [type_unfinished]),
    ("deliveries/:deliveryId", "", ".asking", [
        click(".bar-below .main-button", ".ticks input:enabled"), name_recipient, submit]),
    ("labels", "", ".hits a", []),
    ("labels", "?order={order}", ".paper img", []),
    ("labels", "?kind=commands", ".paper img", []),
    ("labels", "?order=gone", ".fault", []),
]  # fmt: skip
HISTORY = 'summary:has-text("History of changes")'
OF_RECORDS = [
    ("office/orders/:id", "", ".changes li", [click(HISTORY)]),
    ("office/panes/:number", "", ".changes li", [
        click('summary:has-text("As it was")', ".as-it-was", HISTORY)]),
    ("office/people/:worker", "", "section[aria-labelledby=sessions] p", []),
    ("office/import/customers", "", ".import-choose", []),
    ("office/activity", "?action=created", ".activity dl", [click(".activity summary")]),
]  # fmt: skip
HEADING = "h1[tabindex]"


def pages():
    """The paths of all pages, as the tables of main.js and of the office have them."""
    tables = [
        found[1]
        for module in (files.ROOT / "js").rglob("*.js")
        if (found := TABLE.search(module.read_text("utf-8")))
    ]
    return {path for table in tables for path in ROW.findall(table)}


#: A row has the module of the page, or the name of what loads it.
TABLE = re.compile(r"const PAGES = \[(.*?)\n\];", re.DOTALL)
ROW = re.compile(r'\["([^"]*)", (?:\(\) =>|page\(|\w+\])')


def test_each_page_outside_of_the_office_has_a_row():
    listed = {path for path, *_ in (*WITHOUT_LOGIN, *WITHOUT_DATA, *WITH_DATA)}
    assert {"board", "office/orders/:id"} <= pages()
    outside = {path for path in pages() if not path.startswith("office")}
    assert outside - listed == set()


@pytest.fixture
def make_job(admin, workshop):
    """Makes a late order; one of its panes may be handed on: the values of the rows."""

    def make():
        assert admin.post("/api/sticker-templates", TEMPLATE).status == 201
        job = order_with_panes(admin, workshop, steps=2, panes=4)
        late = {"deadline": iso(clock.now().replace(year=2025))}
        path = f"/api/requests/{job.request['_id']}"
        assert admin.patch(path, {**late, "deadlineChangeReason": "x"}).status == 200
        name = {"name": "บริษัท หาดใหญ่กลาสเซ็นเตอร์แอนด์อลูมิเนียม จำกัด (มหาชน)"}
        assert admin.patch(f"/api/customers/{job.customer}", name).status == 200
        waiting, ready, _, finished = job.numbers
        for station in job.stations:
            assert pass_station(admin, finished, station).status == 200
        notes = {"notes": "เจาะรู Ø12 2 รู ที่มุมซ้ายบน"}
        assert admin.patch(f"/api/panes/{ready}", notes).status == 200
        assert admin.scan(ready, "complete").status == 200
        return SimpleNamespace(
            order=job.order["_id"],
            planned={
                "customer": job.customer,
                "panes": [one["_id"] for one in job.panes],
            },
            ready=ready,
            waiting=waiting,
            unknown="999999",
            parameters={
                ":stationId": job.stations[0],
                ":id": job.order["_id"],
                ":number": ready,
                ":worker": str(workshop.worker().pk),
            },
        )

    return make


def test_every_page_is_accessible_and_fits_in_every_look(
    chromium, server, admin, workshop, make_job
):
    account = workshop.worker_with("admin")
    tab = chromium.profile(**ENGLISH).tab(f"{server}/floor/secure")
    for row in WITHOUT_LOGIN:
        check(tab, server, row)
    log_in(tab, account)
    tab.wait(LIVE)
    for row in WITHOUT_DATA:
        check(tab, server, row)
    job = make_job()
    delivery = admin.post("/api/deliveries", job.planned).data
    job.parameters[":deliveryId"] = delivery["_id"]
    for row in WITH_DATA:
        check(tab, server, row, job)
    offline = [(tab, WITH_DATA[0]), (chromium.tab(f"{server}/floor/"), WITH_DATA[4])]
    for one, row in offline:
        open_page(one, server, row, job)
        one.wait(LIVE)
    chromium.call("offline", True)
    for one, row in offline:
        one.wait(STALE)
        looks_good(one, ("offline", row[0]))
    chromium.call("offline", False)
    for one, _ in offline:
        one.wait(LIVE)
    assert unexpected(chromium) == []


def test_every_page_of_the_office_is_accessible_and_fits_in_every_look(
    chromium, server, workshop, make_job
):
    tab = chromium.profile(**ENGLISH).tab(f"{server}/floor/")
    log_in(tab, workshop.worker_with("admin"))
    tab.wait(LIVE)
    job = make_job()
    for path in sorted(pages()):
        if path.startswith("office") and not re.search("[:*]", path):
            set_look(tab, "en", THEMES[0])
            follow(tab, path)
            tab.wait(HEADING)
            wait_until(lambda: tab.count(".skeleton") == 0)
            looks_good(tab, (path, "", HEADING))
    for row in OF_RECORDS:
        check(tab, server, row, job)
    assert unexpected(chromium) == []


def check(tab, server, row, job=None):
    open_page(tab, server, row, job)
    looks_good(tab, row[:3])


def open_page(tab, server, row, job):
    path, query, ready, steps = row
    set_look(tab, "en", "dark")  # the steps are in English
    for name, value in job.parameters.items() if job else ():
        path = path.replace(name, value)
    query = query.format(**vars(job)) if job else query
    tab.goto(f"{server}/floor/{path}{query}")
    for step in steps:
        step(tab, job)
    tab.wait(ready)
    wait_until(lambda: tab.count(".skeleton") == 0)


def looks_good(tab, state):
    checked_by_axe = CHECKED_BY_AXE[crc32(repr(state).encode()) % len(CHECKED_BY_AXE)]
    for lang, windows in ROUNDS:
        set_look(tab, lang, THEMES[0])
        for window in windows:
            tab.size(*window)
            overflows = tab.run(OVERFLOWS)
            assert len(overflows) == len(THEMES)
            assert max(overflows.values()) <= 0, (state, lang, window, overflows)
            for theme in checked_by_axe.get((lang, window), ()):
                set_look(tab, lang, theme)
                assert tab.axe() == [], (state, lang, window, theme)
