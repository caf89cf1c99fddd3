"""A job type says whether its panes are tempered."""

from typing import Any

from glassflow.domain.tempering import WORDS
from glassflow.models.job_type import JobType


def up(db: Any) -> None:
    """Mark the job types whose name or code says that their panes are tempered.

    They keep their version, and no event is sent: an office that sees it otherwise
    changes it on the page of the job type.
    """
    says_so = [
        {name: {"$regex": word, "$options": "i"}}
        for name in ("name", "code")
        for word in WORDS
    ]
    JobType.collection().update_many(
        {"isTempered": None, "$or": says_so}, {"$set": {"isTempered": True}}
    )
