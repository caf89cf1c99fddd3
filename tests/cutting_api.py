"""Cutting plans through the API: a job at a cutting station, its stock, and its plan."""

from glassflow.domain.cutting import heuristic
from glassflow.services.cutting import searches
from scenarios import order_with_panes
from stock_api import create_lot

PLANS = "/api/cutting-plans"
SHEET = {"width": 2000, "height": 1000}
PANE = {"dimensions": {"width": 900, "height": 900, "thickness": 6}}


def job_to_cut(admin, workshop, panes=4, sheets=3, steps=2, **pane):
    """An order of panes that wait at a cutting station, and a lot of whole sheets.

    Two of the usual panes fit on a sheet of the lot. The job has the `lot` besides.
    """
    job = order_with_panes(admin, workshop, steps, panes, pane={**PANE, **pane})
    admin.patch(f"/api/stations/{job.stations[0]}", {"isCuttingStation": True})
    admin.patch(f"/api/materials/{job.material}", {"sheetSizes": [SHEET]})
    job.lot = create_lot(admin, job.material, sheets) if sheets else None
    return job


def post_plan(api, job, **values):
    return api.post(PLANS, {"material": job.material, **values})


def read_plan(api, plan):
    return api.get(f"{PLANS}/{plan['_id']}").data


def sheets_of(api, plan):
    return api.get(f"{PLANS}/{plan['_id']}/sheets").data["sheets"]


def act(api, plan, name, **body):
    return api.post(f"{PLANS}/{plan['_id']}/{name}", body or None)


def search():
    """Search the plans that wait as the job does, each for a moment and without a child."""
    while (found := searches.begin()) is not None:
        task = found.task
        plans = heuristic.plans(task.pieces, task.stocks, task.measures, seed=task.seed)
        searches.store(found, next(plans), "search")
        searches.end(found, failed=False)


def planned(api, job, **values):
    """A proposed plan that has been found; its search has ended."""
    made = post_plan(api, job, **values)
    assert made.status == 201, made
    search()
    return read_plan(api, made.data)


def released(api, job, **values):
    """A released plan for a job."""
    answer = act(api, planned(api, job, **values), "release")
    assert answer.status == 200, answer
    return answer.data


def cut(api, plan, number, **body):
    return api.post(f"{PLANS}/{plan['_id']}/sheets/{number}/cut", body)


def undo_cut(api, plan, number, **body):
    return api.post(f"{PLANS}/{plan['_id']}/sheets/{number}/undo", body)
