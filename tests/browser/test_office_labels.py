"""The designer of labels in a real browser, from an empty template to a printed label."""

import base64

import pytest

from api.test_template_preview import OTHER
from browser.pages import follow, see, unexpected
from label_pictures import codes_in
from scenarios import order_with_panes
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

LABELS = "/floor/office/labels"
TEMPLATES = "/api/sticker-templates"
SAVE = ".form-buttons .main-button"
PICTURE = ".printed img"


def number(tab, name):
    read = "return Number(document.getElementById(`design-${given}`)?.value);"
    return tab.run(read, name)


def is_at(tab, **expected):
    """Wait until what is chosen has these numbers."""
    wait_until(
        lambda: {name: number(tab, name) for name in expected} == expected,
        describe=lambda: str({name: number(tab, name) for name in expected}),
    )


def printed_codes(tab):
    source = tab.attribute(PICTURE, "src").removeprefix("data:image/png;base64,")
    return codes_in(base64.b64decode(source))


def drag_onto_label(tab, kind, x, y):
    """Drag a tool, so that the middle of its element is at x and y mm on the label."""
    way = tab.run(
        """
        const [kind, x, y] = given;
        const tool = document.querySelector(`[data-add="${kind}"]`).getBoundingClientRect();
        const stage = document.querySelector(".stage");
        const { left, top } = stage.getBoundingClientRect();
        const scale = Number(stage.dataset.scale);
        return [left + x * scale - tool.left - tool.width / 2,
          top + y * scale - tool.top - tool.height / 2];
        """,
        [kind, x, y],
    )
    tab.drag(f'[data-add="{kind}"]', *way)


def undo_within_one_frame(tab, times):
    tab.run(
        """
        for (let time = 0; time < given; time++) {
          const key = { code: "KeyZ", key: "z", ctrlKey: true, bubbles: true };
          document.body.dispatchEvent(new KeyboardEvent("keydown", key));
          await Promise.resolve().then(() => {}); // what it changed is drawn
        }
        """,
        times,
    )


def names(tab):
    """The elements of the label, from the front to the back."""
    return [text.split("\n")[0] for text in tab.texts(".element-list li")]


def save(tab):
    tab.click(SAVE)
    wait_until(lambda: "Saved" in tab.text(".form-buttons [role=status]"))


def test_label_is_designed_by_hand_and_by_keys_previewed_saved_and_printed(
    open_office, chromium, admin, workshop
):
    job = order_with_panes(admin, workshop, panes=2)
    account = workshop.worker_with("manager")
    tab = open_office(account, "labels")
    tab.wait(".empty")
    tab.press("n")
    tab.wait('[data-add="text"]:enabled')
    for field, text in (("name", "door"), ("width", "50"), ("height", "30")):
        tab.fill(f"#field-{field}", text)

    tab.click('[data-add="text"]')
    tab.fill("#design-content", "ระวังแตก ที่ผู้ซื้อ ปู่ ฟ้า")
    is_at(tab, x=10, y=12, width=30)
    scale = float(tab.attribute(".stage", "data-scale"))
    tab.drag(".outline", -7.2 * scale, -9 * scale)
    is_at(tab, x=3, y=3)  # on the grid
    tab.drag('[data-handle="1,0"]', 13.8 * scale, 0)
    is_at(tab, x=3, width=44)
    tab.select("#design-add-field", "paneNumber")
    tab.fill("#design-x", "2.25")
    tab.fill("#design-y", "20")
    tab.fill("#design-fontSize", "12")
    tab.click('[data-add="qr"]')
    is_at(tab, x=15, y=5, width=20)
    tab.drag(".outline", 11 * scale, 4 * scale)
    is_at(tab, x=26, y=9)
    tab.press("Shift+ArrowDown")
    tab.press("ArrowUp")
    is_at(tab, x=26, y=13.5)
    assert "Beyond the edge" in tab.text(".element-list li")
    assert names(tab) == ["‹QR code›", "‹Pane number›", "ระวังแตก ที่ผู้ซื้อ ปู่ ฟ้า"]

    undo_within_one_frame(tab, times=3)
    is_at(tab, x=15, y=5)
    tab.press("Control+z")
    wait_until(lambda: len(names(tab)) == 2)
    assert tab.count(".properties") == 0
    tab.press("Control+Shift+z")
    tab.press("Control+Shift+z")
    tab.click(".element-list button")
    is_at(tab, x=26, y=9)
    tab.press("Control+d")
    wait_until(lambda: len(names(tab)) == 4)
    tab.press("Delete")
    wait_until(lambda: len(names(tab)) == 3)
    drag_onto_label(tab, "rect", 12.2, 6.8)
    is_at(tab, x=2, y=2, width=20, height=10)  # on the grid
    assert len(names(tab)) == 4
    tab.press("Control+z")
    wait_until(lambda: len(names(tab)) == 3)
    drag_onto_label(tab, "rect", 12, -4)  # beside the label
    tab.click(".element-list button")
    is_at(tab, x=26, y=9)
    assert len(names(tab)) == 3

    wait_until(
        lambda: tab.count(PICTURE) and printed_codes(tab) == ["STDPLUS:PNE-0107"]
    )
    tab.fill("#design-pane", job.numbers[1])
    tab.click(f'.reference [role=option]:has-text("{job.numbers[1]}")')
    code = f"STDPLUS:{job.numbers[1]}"
    wait_until(lambda: printed_codes(tab) == [code])
    tab.reload()  # the draft is kept
    tab.wait(".element-list li")
    assert len(names(tab)) == 3
    tab.click(SAVE)
    wait_until(lambda: tab.address().rsplit("/", 1)[1] not in ("new", "labels"))
    template = tab.address().rsplit("/", 1)[1]
    stored = admin.get(f"{TEMPLATES}/{template}").data
    assert (stored["name"], stored["width"], stored["height"]) == ("door", 50, 30)
    places = [(one["type"], one["x"], one["y"]) for one in stored["elements"]]
    assert places == [("text", 3, 3), ("text", 2.25, 20), ("qr", 26, 9)]
    # what the designers of other programs fail without
    texts = [one.get("text", one.get("value")) for one in stored["elements"]]
    assert texts == [one["content"] for one in stored["elements"]]

    tab.wait(".element-list li")
    tab.click(".element-list li:last-child button")
    tab.click('[data-act="remove"]')
    wait_until(lambda: len(names(tab)) == 2)
    theirs = {"elements": stored["elements"][:1]}
    assert admin.patch(f"{TEMPLATES}/{template}", theirs).status == 200
    tab.wait(".conflict")  # before it is overwritten
    assert "1 element" in tab.text(".conflict dd")
    tab.click('.conflict button:has-text("Overwrite")')
    wait_until(lambda: "Saved" in tab.text(".form-buttons [role=status]"))
    assert len(admin.get(f"{TEMPLATES}/{template}").data["elements"]) == 2

    follow(tab, f"labels?order={job.order['_id']}")
    tab.wait("#label-template")
    tab.select("#label-template", template)
    tab.wait(".paper img")
    tab.stubPrint()
    tab.click(".print .main-button")
    tab.wait(".asks")
    wait_until(lambda: tab.prints() == 1)

    other = {"name": "other", "width": 60, "height": 40, "elements": [OTHER]}
    foreign = admin.post(TEMPLATES, other).data["_id"]
    # a load, because the frame that was printed has entries in the history, too
    tab.goto(f"{admin.url}/floor/office/labels/{foreign}")
    tab.wait(".foreign")
    assert names(tab) == ["‹Order number›"]
    tab.click(".element-list button")
    is_at(tab, x=25.4, y=25.4)
    tab.press("ArrowRight")
    wait_until(lambda: "Saving overwrites it" in tab.text(".foreign"))
    assert admin.get(f"{TEMPLATES}/{foreign}").data["elements"] == [OTHER]
    save(tab)
    (element,) = admin.get(f"{TEMPLATES}/{foreign}").data["elements"]
    assert (element["x"], element["content"]) == (25.9, "{{orderCode}}")
    wait_until(lambda: tab.count(".foreign") == 0)
    # what another program changes then is shown: neither form is stale
    changed = {"elements": [{**element, "text": "ORD"}]}
    assert admin.patch(f"{TEMPLATES}/{foreign}", changed).status == 200
    tab.reload()
    see(tab, ".element-list li", "ORD")
    tab.click(".element-list button")
    tab.fill("#design-content", "ORDER")
    save(tab)
    (element,) = admin.get(f"{TEMPLATES}/{foreign}").data["elements"]
    assert (element["text"], element["content"]) == ("ORDER", "ORDER")

    seeded = workshop.worker_with("worker")
    tab = open_office(seeded, "labels")
    tab.wait(".table-row")
    assert tab.count("a.new") == 0
    tab.click('.table-row:has-text("door")')
    tab.wait(PICTURE)
    assert tab.count(".tools") == tab.count(SAVE) == tab.count(".delete") == 0
    tab.click(".element-list button")
    tab.press("Delete")
    assert len(names(tab)) == 2
    assert tab.count(".properties") == tab.count(".outline i") == 0
    assert unexpected(chromium) == []
