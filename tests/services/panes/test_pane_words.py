"""What papers say about the glass of a pane, and the work on it."""

import pytest

from glassflow.services.panes.wording import describe

JOBS = {
    "MIRROR": "กระจกเงา (Mirror)",
    "TEMPERED": "กระจกเทมเปอร์ (Tempered)",
    "LAM2": "กระจกลามิเนต 2 ชั้น (Laminated, 2 sheets)",
    "OWN": "ฉากอาบน้ำ",
}


def glass(name, thickness=5, **more):
    return {"rawGlass": {"glassType": name, "thickness": thickness, **more}}


@pytest.mark.parametrize(
    ("job", "row", "thai", "english"),
    [
        ("MIRROR", glass("Mirror"), "กระจกเงา 5 มม.", "Mirror 5 mm"),
        ("TEMPERED", glass("clear", 10), "กระจกเทมเปอร์, กระจกใส 10 มม.", "Tempered, clear 10 mm"),
        # the colour that the name says, and another one
        ("OWN", glass("Green", color="เขียว"), "ฉากอาบน้ำ, กระจกสีเขียว 5 มม.", "ฉากอาบน้ำ, Green 5 mm"),
        ("", glass("Frosted", color="ขาว"), "กระจกฝ้า ขาว 5 มม.", "Frosted ขาว 5 mm"),
        # a workshop's own glass stays as it was typed
        ("", glass("Clear Vision"), "Clear Vision 5 มม.", "Clear Vision 5 mm"),
        ("LAM2", glass("Clear", sheetsPerPane=2), "กระจกลามิเนต 2 ชั้น, กระจกใส 5 มม.", "Laminated, 2 sheets, Clear 5 mm"),
        ("", glass("Clear", sheetsPerPane=2), "กระจกใส 5 มม. ลามิเนต 2 ชั้น", "Clear 5 mm laminated, 2 sheets"),
    ],
)  # fmt: skip
def test_glass_is_named_once_and_in_the_language_of_the_paper(job, row, thai, english):
    row = {**row, "jobType": job}
    assert describe(row, JOBS, "th") == thai
    assert describe(row, JOBS, "en") == english


@pytest.mark.parametrize(
    ("sides", "thai", "english"),
    [
        (("left", "top", "right", "bottom"), "ขอบเจียรมัน ทุกด้าน", "all edges: polished"),
        (("left", "top"), "ขอบเจียรมัน ด้านบน + ซ้าย", "edge top + left: polished"),
        (("curve", "top"), "ขอบเจียรมัน", "edge: polished"),
    ],
)
def test_edges_are_said_together(sides, thai, english):
    row = {"edgeTasks": [{"side": one, "edgeProfile": "polished"} for one in sides]}
    assert describe(row, {}, "th") == thai
    assert describe(row, {}, "en") == english
