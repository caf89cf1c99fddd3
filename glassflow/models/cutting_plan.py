"""Cutting plans: which sheets are cut into which panes, and what becomes of them."""

from typing import Any

from mongoengine import DateTimeField, IntField, ListField, StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.domain.cutting.stages import USUAL_SECONDS, PlanStatus, SearchStatus
from glassflow.models.base import Record, for_lists
from glassflow.models.fields import Choice, JSONField, ObjectField, Ref


def no_figures() -> dict[str, Any]:
    """Return the figures of a plan without sheets; areas are in m².

    The last one is what the best plan without remnants needs; None where there are none.
    """
    areas = ("sheetArea", "remnantAreaUsed", "paneArea", "remnantAreaMade")
    counts = ("panes", "sheets", "remnants")
    return {**dict.fromkeys((*counts, *areas), 0), "sheetAreaWithoutRemnants": None}


def unplanned_pane() -> dict[str, Any]:
    """Return a pane that a plan cannot have; see `domain.cutting.stages.LeftOut`."""
    return {"pane": None, "paneNumber": "", "reason": ""}


class CuttingPlan(Record):
    """A plan for panes of one material, and the search that makes it better.

    `panes` are those that were asked for. `layout` is what the last search has found, and
    what has been cut of it: see `services.cutting.layout`. It is not sent with the record,
    and the history does not keep it: it changes with each better plan. `search_run` counts
    the searches, so that a late answer of an earlier one is dropped. Of `figures`, the
    sheets are those that are new, and `remnants` the remnants that are used.
    """

    meta = {
        "collection": "cutting_plans",
        "indexes": [
            {"fields": ["plan_number"], "unique": True, "sparse": True},
            for_lists("material"),
            for_lists("status"),
            ("search_status", "search_asked_at"),
        ],
    }
    label = Bilingual("Cutting plan", th="แผนตัดกระจก")
    numbered = ("plan_number", "CUT")
    hidden = ("layout", "searchRun")
    secret = hidden  # a deleted plan is not restored, but made anew

    plan_number = StringField()
    material = Ref("Material", required=True)
    status = Choice(*PlanStatus, default=PlanStatus.PROPOSED.value)
    notes = StringField(default="")
    panes = ListField(Ref("Pane"))
    unplanned = ListField(ObjectField(shape=unplanned_pane))
    figures = ObjectField(shape=no_figures)
    maker = StringField(default="")
    search_status = Choice(*SearchStatus, default=SearchStatus.WAITING.value)
    search_seconds = IntField(default=USUAL_SECONDS)
    search_asked_at = DateTimeField()
    search_run = IntField(default=0)
    found_at = DateTimeField()
    released_by = Ref("Worker")
    released_at = DateTimeField()
    cancelled_by = Ref("Worker")
    cancelled_at = DateTimeField()
    done_at = DateTimeField()
    layout = JSONField()
