"""Which panes are tempered: heated and cooled in the oven, so that they cannot be cut afterwards."""

from collections.abc import Collection, Mapping
from typing import Any

WORDS = ("temper", "เทมเปอร์")  # in the name of a glass type, in any letter case


def is_tempered(pane: Mapping[str, Any], tempered_job_types: Collection[str]) -> bool:
    """Tell whether a pane in wire form is tempered.

    It is if its job type is one of those codes, in any letter case, or if the name of its
    glass type says so.
    """
    code = (pane.get("jobType") or "").strip().casefold()
    if code and code in {one.casefold() for one in tempered_job_types}:
        return True
    raw = pane.get("rawGlass") or {}
    names = (raw.get("glassType") or "", pane.get("glassType") or "")
    return any(is_name_of_tempered(name) for name in names)


def is_name_of_tempered(name: str) -> bool:
    """Tell whether a name is one of tempered glass or of the work of tempering."""
    return any(word in name.casefold() for word in WORDS)
