"""The timeline of a material or a pane: rows of two kinds, populated on request."""

import pytest

from scenarios import order_with_panes

PATH = "/api/pane-logs/timeline"


@pytest.fixture
def job(admin, workshop):
    """An order whose pane has one pane log and one material log."""
    job = order_with_panes(admin, workshop, steps=1)
    admin.scan(job.numbers[0], "scan_in")
    note = {"material": job.material, "actionType": "cut", "quantityChanged": -1}
    panes = [job.panes[0]["_id"]]
    admin.post("/api/material-logs", {**note, "panes": panes, "worker": admin.id})
    return job


def timelines(api, job, **query):
    """Both rows of the job by their kind, from the material's and the pane's timeline."""
    for named in ({"materialId": job.material}, {"paneNumber": job.numbers[0]}):
        rows = api.get(PATH, **named, **query).data
        assert len(rows) == 2
        yield {row["logType"]: row for row in rows}


def test_rows_say_of_which_log_they_are(admin, job):
    for rows in timelines(admin, job):
        types = {log_type: row["type"] for log_type, row in rows.items()}
        assert types == {"pane_log": "pane", "material_log": "material"}
        assert rows["pane_log"]["action"] == "scan_in"
        assert rows["material_log"]["actionType"] == "cut"


def test_references_of_both_kinds_are_populated(admin, job):
    for rows in timelines(admin, job, populate="true"):
        pane_log, material_log = rows["pane_log"], rows["material_log"]
        assert set(pane_log["pane"]) == {"_id", "paneNumber", "glassTypeLabel"}
        assert pane_log["station"]["_id"] == job.stations[0]
        assert material_log["material"]["unit"] == "sheet"
        assert material_log["panes"][0]["paneNumber"] == job.numbers[0]
        assert material_log["worker"]["_id"] == admin.id
    for rows in timelines(admin, job, populate="pane.order,panes.order"):
        for pane in (rows["pane_log"]["pane"], rows["material_log"]["panes"][0]):
            assert pane["order"]["_id"] == job.order["_id"]


def test_references_stay_ids_unless_populated_and_without_the_view_key(
    admin, job, client_with_keys
):
    reader = client_with_keys("pane_logs:view")
    for api, query in ((admin, {}), (reader, {"populate": "true"})):
        for rows in timelines(api, job, **query):
            material_log = rows["material_log"]
            assert material_log["material"] == job.material
            assert material_log["panes"] == [job.panes[0]["_id"]]
            assert material_log["worker"] == admin.id


def test_pane_is_named_by_number_qr_payload_or_id_in_any_letter_case(admin, job):
    number = job.numbers[0]
    for named in (number.lower(), f"stdplus:{number}", job.panes[0]["_id"]):
        assert len(admin.get(PATH, paneNumber=named).data) == 2
