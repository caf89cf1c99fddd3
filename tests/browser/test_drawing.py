"""The drawing of a pane in a real browser: what it says, and that it fits every screen."""

import pytest

from browser.pages import ENGLISH, FULL_HD, PHONE, THAI
from browser.parts import show_part

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

CONTENT = """
    render(html`<h1>Test</h1>${given.panes.map(
      (pane) => html`<${part.Drawing} pane=${pane} />`)}`, place);
"""


def stored_panes(admin):
    """Panes as clients read them: with everything, with too many holes, not measured."""
    work = {"side": "left", "edgeProfile": "flat_polish", "machineType": "เจียรตรง"}
    bodies = [
        {
            "dimensions": {"width": 900, "height": 1950.5},
            "holes": [
                {"id": "h1", "x": 840, "y": 80, "diameter": 12},
                {
                    "id": "h2",
                    "type": "slot",
                    "x": 60,
                    "y": 200,
                    "length": 80,
                    "width": 20,
                },
            ],
            "notches": [
                {
                    "id": "n1",
                    "type": "rectangle",
                    "x": 0,
                    "y": 0,
                    "width": 50,
                    "height": 160,
                }
            ],
            "edgeTasks": [work, work | {"side": "top"}, work | {"side": "curve"}],
        },
        {
            "dimensions": {"width": 5000, "height": 40},
            "holes": [
                {"id": str(i), "x": i + 1 if i < 199 else 9000, "y": 20}
                for i in range(200)
            ],
            "edgeTasks": [
                {"side": side, "edgeProfile": "polished"}
                for side in ("top", "right", "bottom", "left")
            ],
        },
        {},
    ]
    return [admin.post("/api/panes", body).data for body in bodies]


@pytest.mark.parametrize("options", [ENGLISH, THAI], ids=["dark English", "light Thai"])
def test_drawing_says_what_it_shows_and_fits_every_screen(
    chromium, server, admin, options
):
    tab = chromium.profile(**options).tab(f"{server}/floor/")
    tab.wait("#username")
    panes = stored_panes(admin)
    show_part(tab, "ui/drawing.js", "ui/drawing.css", CONTENT, panes=panes)
    for size in (PHONE, FULL_HD):
        tab.size(*size)
        assert tab.overflow() <= 0, size
    assert tab.axe() == []
    text = tab.text("main")
    if options is ENGLISH:
        assert "Hole Ø12\nfrom left 840, from bottom 80" in text
        assert "Slot 80 × 20" in text
        assert "Notch 50 × 160" in text
        assert "Edges left, top, curve: flat polish · เจียรตรง" in text
        assert "All edges: polished" in text
        assert "not to scale" in text
        assert "and 187 more" in text  # twelve, and the one that is wrong
        assert "from left 9000, from bottom 20\noutside the pane" in text
        assert "Not measured yet" in text
        titles = "return [...document.querySelectorAll('main title')].map((e) => e.textContent);"
        assert tab.run(titles)[0] == "Drawing of the pane, 900 mm wide, 1950.5 mm high"
    else:
        assert "รู Ø12\nจากซ้าย 840 จากล่าง 80" in text
        assert "ขอบทุกด้าน: เจียรมัน" in text
