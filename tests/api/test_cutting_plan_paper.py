"""A cutting plan as people take it along: on paper, as drawings of its sheets, as a table."""

from xml.etree import ElementTree

import pytest

from cutting_api import (
    PLANS,
    cut,
    job_to_cut,
    planned,
    released,
    sheets_of,
)
from documents.laid_out import squeezed
from pdf_text import text_of_pdf
from tables_api import CSV, rows_of

HALF = {"dimensions": {"width": 900, "height": 400, "thickness": 6}}


def path_of(plan, *parts):
    return "/".join([PLANS, plan["_id"], *map(str, parts)])


def text_of(api, plan, **how):
    return squeezed(text_of_pdf(api, path_of(plan, "pdf"), **how))


def load(api, plan, *parts, headers=None, **params):
    return api.session.get(
        api.url + path_of(plan, *parts), params=params, headers=headers, timeout=60
    )


def rows(api, plan, **params):
    answer = load(api, plan, "csv", **{"language": "en", **params})
    assert answer.status_code == 200, answer.text
    return rows_of(answer.content)


def texts_of_svg(content):
    root = ElementTree.fromstring(content)
    return [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]


def test_paper_of_a_proposed_plan_names_every_sheet_and_every_pane(admin, workshop):
    job = job_to_cut(admin, workshop, panes=5)
    admin.patch(f"/api/materials/{job.material}", {"name": "Float Clear"})
    plan = planned(admin, job, notes="ก่อนเที่ยง")
    text = text_of(admin, plan, language="en")
    for one in (
        plan["planNumber"], "proposed", "Float Clear", "ก่อนเที่ยง", "2000 × 1000",
        "900 × 900", job.lot["inventoryNumber"], "A-01", job.order["orderNumber"],
        *job.numbers, *(f"{plan['planNumber']}/{number}" for number in (1, 2, 3)),
    ):  # fmt: skip
        assert squeezed(one) in text, one
    stations = [admin.get(f"/api/stations/{one}").data["name"] for one in job.stations]
    assert squeezed(stations[1]) in text


def test_paper_names_why_panes_are_not_in_the_plan(admin, workshop):
    job = job_to_cut(admin, workshop, panes=5, sheets=1)
    text = text_of(admin, planned(admin, job), language="en")
    assert squeezed("no glass left for it (3)") in text
    size = {"width": 5000, "height": 900, "thickness": 6}
    admin.patch(f"/api/panes/{job.panes[0]['_id']}", {"dimensions": size})
    again = text_of(admin, planned(admin, job), language="en")
    assert squeezed("larger than any sheet in stock (1)") in again


def test_paper_of_a_plan_that_nothing_is_found_for_says_so(admin, workshop):
    job = job_to_cut(admin, workshop)
    plan = admin.post(PLANS, {"material": job.material}).data
    assert squeezed("The plan has no sheets yet") in text_of(admin, plan, language="en")


def test_paper_of_a_sheet_that_is_cut_says_when_and_what_broke(admin, workshop):
    job = job_to_cut(admin, workshop, sheets=5)
    plan = released(admin, job)
    first = sheets_of(admin, plan)[0]
    broken, whole = first["panes"]
    assert cut(admin, plan, 1, broken=[broken["_id"]]).status == 200
    text = text_of(admin, plan, language="en")
    assert squeezed("being cut") in text
    name = admin.get("/api/auth/me").data["name"]
    assert squeezed(f"by {name}") in text
    row = f"1 {broken['paneNumber']} 900 × 900 {job.order['orderNumber']} broken"
    assert squeezed(row) in text
    (kept,) = (one for one in rows(admin, plan) if one["Pane"] == whole["paneNumber"])
    assert (kept["Sheet"], kept["State"], kept["Reason"]) == ("1", "cut", "")


def test_pane_that_has_left_the_plan_is_printed_with_the_reason(admin, workshop):
    job = job_to_cut(admin, workshop)
    plan = released(admin, job)
    gone = sheets_of(admin, plan)[0]["panes"][0]
    admin.patch(f"/api/orders/{job.order['_id']}", {"status": "cancelled"})
    assert squeezed("not cut: cancelled") in text_of(admin, plan, language="en")
    row = next(one for one in rows(admin, plan) if one["Pane"] == gone["paneNumber"])
    assert (row["State"], row["Reason"]) == ("not cut", "cancelled")


def test_paper_is_in_the_language_that_is_asked_for(admin, workshop):
    plan = planned(admin, job_to_cut(admin, workshop))
    assert squeezed("แผ่นตามลำดับการตัด") in text_of(admin, plan)
    english = {"Accept-Language": "en"}
    assert "Sheetsintheorderofcutting" in text_of(admin, plan, headers=english)
    thai = text_of(admin, plan, headers=english, language="th")
    assert squeezed("แผ่นตามลำดับการตัด") in thai
    heads = [[*rows(admin, plan, language=one)[0]] for one in ("th", "en")]
    assert [one[3] for one in heads] == ["เลขแผ่น", "Pane"]
    assert "เศษกระจก" not in load(admin, plan, "sheets/1/svg", language="en").text
    for parts in (["pdf"], ["csv"], ["sheets", 1, "svg"]):
        assert load(admin, plan, *parts, language="de").status_code == 400


def test_drawing_of_a_sheet_has_the_number_of_each_pane(admin, workshop):
    job = job_to_cut(admin, workshop, panes=6, **HALF)
    plan = planned(admin, job)
    sheets = sheets_of(admin, plan)
    assert len(sheets) == 2
    for sheet in sheets:
        answer = load(admin, plan, "sheets", sheet["number"], "svg")
        assert answer.status_code == 200
        assert answer.headers["Content-Type"].startswith("image/svg+xml")
        name = f"{plan['planNumber']}-{sheet['number']}.svg"
        assert name in answer.headers["Content-Disposition"]
        words = texts_of_svg(answer.content)
        assert {one["paneNumber"] for one in sheet["panes"]} <= set(words)
    for number in (0, 3, 10**30):
        answer = load(admin, plan, "sheets", number, "svg")
        assert answer.status_code == 404
        assert answer.json()["message"] == "Sheet of the plan not found"


def test_table_has_a_row_for_each_pane_in_the_order_of_cutting(admin, workshop):
    job = job_to_cut(admin, workshop, panes=5)
    admin.patch(f"/api/panes/{job.panes[0]['_id']}", {"mark": "=1+1"})
    plan = planned(admin, job)
    answer = load(admin, plan, "csv")
    assert answer.headers["Content-Type"].startswith(CSV)
    assert f'filename="{plan["planNumber"]}-' in answer.headers["Content-Disposition"]
    assert answer.content.startswith("\ufeff".encode())
    places = [
        (sheet, number, pane)
        for sheet in sheets_of(admin, plan)
        for number, pane in enumerate(sheet["panes"], 1)
    ]
    found = rows(admin, plan)
    assert len(found) == len(places) == 5
    for row, (sheet, number, pane) in zip(found, places, strict=True):
        assert row["Sheet"] == str(sheet["number"])
        assert row["Lot"] == sheet["lot"]["inventoryNumber"]
        assert (row["Position"], row["Pane"]) == (str(number), pane["paneNumber"])
        assert [float(row[f"{one} (mm)"]) for one in ("x", "y", "Width", "Height")] == [
            pane[one] for one in ("x", "y", "width", "height")
        ]
        assert row["Turned"] == str(pane["isTurned"]).lower()
        assert (row["Order"], row["State"]) == (job.order["orderNumber"], "planned")
        assert row["Next station"] == pane["nextStation"] != ""
        assert row["Mark"] == ("'=1+1" if pane["mark"] else "")


def test_table_of_more_panes_than_an_export_may_have_is_refused(admin, workshop, app):
    plan = planned(admin, job_to_cut(admin, workshop))
    most = app.config["EXPORT_MAX_ROWS"]
    app.config["EXPORT_MAX_ROWS"] = 3
    try:
        assert load(admin, plan, "csv").status_code == 400
    finally:
        app.config["EXPORT_MAX_ROWS"] = most


@pytest.mark.parametrize("parts", [["pdf"], ["csv"], ["sheets", 1, "svg"]])
def test_who_sees_no_panes_or_no_stock_gets_no_paper(
    admin, workshop, client_with_keys, parts
):
    plan = planned(admin, job_to_cut(admin, workshop))
    for key in ("inventory:view", "panes:view"):
        assert load(client_with_keys(key), plan, *parts).status_code == 403
    both = client_with_keys("inventory:view", "panes:view")
    assert load(both, plan, *parts).status_code == 200
    unknown = {"_id": "0123456789abcdef01234567"}
    assert load(admin, unknown, *parts).status_code == 404
