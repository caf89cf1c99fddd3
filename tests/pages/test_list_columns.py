"""The lists of the office: their columns can be chosen, and sort."""

import json
import re
import shutil
import subprocess
from pathlib import Path

from glassflow.domain.permissions import ALL_KEYS
from glassflow.pages import files
from optional_tools import require
from scenarios import one_of_each

OFFICE = files.ROOT / "js/pages/office"
#: These draw cards in place of a table (docs/decisions/0074).
CARDS = {"exports/list.js", "notifications/list.js", "stock/list.js"}
#: A list with its properties, to the end of its tag.
LIST = re.compile(r"<\$\{(?:ListPage|RecordList)\}(.*?)(?:/>|<//>)`", re.DOTALL)


def lists():
    """The tags of lists by their file below the pages of the office."""
    found = {}
    for path in sorted(OFFICE.rglob("*.js")):
        tags = LIST.findall(path.read_text(encoding="utf-8"))
        if tags and path.name != "list_page.js":  # which passes them on
            found[path.relative_to(OFFICE).as_posix()] = tags
    return found


def test_every_list_but_those_of_cards_has_columns_to_choose():
    found = lists()
    every = {path.relative_to(OFFICE).as_posix() for path in OFFICE.rglob("list.js")}
    assert every <= found.keys()
    without = {
        name for name, tags in found.items() if any("columns=" not in t for t in tags)
    }
    assert without == CARDS


def test_lists_without_columns_draw_what_they_show():
    assert all("draw=" in tag for name in CARDS for tag in lists()[name])


JS = Path(__file__).parent / "js"
#: The lists of the API by the modules of the office's lists.
RESOURCES = {
    "billing/list.js": "billing-entries",
    "calls/list.js": "calls",
    "claims/list.js": "claims",
    "customers/list.js": "customers",
    "cutting/plans.js": "cutting-plans",
    "deliveries/list.js": "deliveries",
    "job_types/list.js": "job-types",
    "labels/list.js": "sticker-templates",
    "materials/list.js": "materials",
    "orders.js": "orders",
    "panes/list.js": "panes",
    "payments/list.js": "payments",
    "people/list.js": "workers",
    "price_lists/list.js": "price-lists",
    "quotes/list.js": "quotes",
    "racks/list.js": "racks",
    "requests/list.js": "requests",
    "roles/list.js": "roles",
    "stations/list.js": "stations",
    "templates/list.js": "station-templates",
    "webhooks/list.js": "webhooks",
    "withdrawals/list.js": "withdrawals",
}
#: Columns that sort nothing: what they show is a list, or no field of the record.
UNSORTED = {
    "cutting/plans.js": ["Panes", "Sheets", "Used"],
    "deliveries/list.js": ["Panes"],
    "job_types/list.js": ["Route"],
    "labels/list.js": ["On the label"],
    "materials/list.js": ["Sizes of sheets"],
    "roles/list.js": ["Permissions"],
    "templates/list.js": ["Heading on the screen", "Steps at the station", "Settings"],
    "webhooks/list.js": ["Events", "Status"],
}
#: The columns of these modules, as {module: [[title, sort], ...]}, for a worker with all keys.
COLUMNS = """
    await import("%(js)s/document.mjs");
    await import("%(js)s/load_texts.mjs");
    const { session } = await import("%(core)s/session.js");
    session.value = { state: "open", permissions: %(keys)s };
    const found = {};
    for (const list of %(lists)s) {
        const { columns } = await import(`%(office)s/${list}`);
        found[list] = columns().map(({ title, sort }) => [title, sort]);
    }
    console.log(JSON.stringify(found));
"""


def test_each_column_of_a_list_sorts_it_in_both_orders(admin, workshop):
    require(shutil.which("node"), "node", "nodejs")
    one_of_each(admin, workshop)
    script = COLUMNS % {
        "js": JS,
        "core": files.ROOT / "js/core",
        "office": OFFICE,
        "keys": json.dumps(ALL_KEYS),
        "lists": json.dumps([*RESOURCES]),
    }
    found = json.loads(
        subprocess.check_output(["node", "--input-type=module", "-e", script])
    )
    for list_, columns in found.items():
        unsorted = [title for title, sort in columns if not sort]
        assert unsorted == UNSORTED.get(list_, []), list_
        for title, sort in columns:
            for order in (sort, f"-{sort}".replace("--", "")) if sort else ():
                answer = admin.get(f"/api/{RESOURCES[list_]}", sort=order)
                assert answer.status == 200, (list_, title, answer)
    without = {*CARDS, "activity/list.js", "materials/book.js"}
    assert lists().keys() - without == RESOURCES.keys()
