"""How one event is told from another: the facts of a payload that identify it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Heard(NamedTuple):
    """One event as it is counted.

    `subject` is the record that it is about (a foreign client's events are told from
    the day's own by it); `mark` sets apart events of the same kind on one subject.
    """

    event: str
    what: str
    subject: str
    mark: str = ""

    def __str__(self) -> str:
        return " ".join(part for part in self if part)


#: Events about a record: {action, data}. Orders and lots change as a by-product of what
#: several people do at once, so their versions are not known to a client.
RECORD_EVENTS = frozenset(
    {
        "request:updated",
        "order:updated",
        "pane:updated",
        "production-log:updated",
        "station:updated",
        "claim:updated",
        "withdrawal:updated",
        "inventory:updated",
        "material:updated",
    }
)
WITHOUT_VERSION = frozenset({"order:updated", "inventory:updated", "material:updated"})


def id_of(reference: Any) -> str:
    """The id of a reference, expanded or not; the empty text where there is none."""
    if isinstance(reference, dict):
        reference = reference.get("_id")
    return str(reference or "")


def identify(event: str, payload: Any) -> Heard:
    """Say which event this is; a payload of another shape is named as such."""
    try:
        return _KEYS.get(event, _record)(event, payload)
    except (KeyError, TypeError, AttributeError) as error:
        return Heard(event, f"unreadable ({error!r})", "")


def record_key(event: str, action: str, record: dict[str, Any]) -> Heard:
    """The event that says `action` of a record."""
    version = "" if event in WITHOUT_VERSION else f"v{record['version']}"
    return Heard(event, action, record["_id"], version)


def _record(event: str, payload: Any) -> Heard:
    if event not in RECORD_EVENTS:
        return Heard(event, str(payload.get("action", "")), id_of(payload.get("data")))
    return record_key(event, payload["action"], payload["data"])


def _lot(event: str, payload: Any) -> Heard:
    if payload["action"] != "moved":
        return record_key(event, payload["action"], payload["data"])
    return moved_key(payload["data"])


def moved_key(moved: dict[str, Any]) -> Heard:
    """The event that says that a part of a lot was moved."""
    mark = f"{moved['quantity']} > {id_of(moved['target'])}"
    return Heard("inventory:updated", "moved", id_of(moved["source"]), mark)


def _muster(event: str, payload: Any) -> Heard:
    count = f"{payload['sheetsPresent']}/{payload['sheetsTotal']}"
    return Heard(event, "", payload["parentPaneId"], count)


def _laminated(event: str, payload: Any) -> Heard:
    survivor, parent = payload["survivor"], payload["parent"]
    told = sorted(payload["retiredPaneNumbers"]), sorted(payload["sheets"])
    if parent != survivor or survivor["laminateRole"] != "single":
        return Heard(event, "is not as it should be", survivor["_id"])
    return laminated_key(survivor["_id"], *told)


def laminated_key(survivor: str, retired: list[str], sheets: list[str]) -> Heard:
    """The event that says that sheets have become one pane."""
    mark = f"{' '.join(sorted(sheets))} - {' '.join(sorted(retired))}"
    return Heard("pane:laminated", "", survivor, mark)


def _log(event: str, payload: Any) -> Heard:
    if payload["action"] != "pane_scanned":
        return Heard(event, payload["action"], id_of(payload["data"]))
    log = payload["data"]["paneLog"]
    return Heard(event, "pane_scanned", id_of(log["pane"]), log["_id"])


def _arrival(event: str, payload: Any) -> Heard:
    way = f"{payload['fromStation'] or ''} > {payload['toStation']}"
    what = "remake" if payload.get("isRemake") else ""
    return Heard(event, what, payload["paneId"], way)


def _check_in(event: str, payload: Any) -> Heard:
    return Heard(event, payload["action"], payload["orderId"], payload["stationId"])


def _notification(event: str, payload: Any) -> Heard:
    recipient = id_of(payload.get("recipient"))
    reference = id_of(payload.get("referenceId"))
    return Heard(event, payload["type"], reference, recipient and f"to {recipient}")


def _scan_confirmed(event: str, payload: Any) -> Heard:
    return Heard(event, "", payload["worker"])


def _alert(event: str, payload: Any) -> Heard:
    return Heard(event, "", payload["message"])


_KEYS: dict[str, Callable[[str, Any], Heard]] = {
    "log:updated": _log,
    "inventory:updated": _lot,
    "laminate:ready": _muster,
    "laminate:waiting": _muster,
    "pane:laminated": _laminated,
    "station:pane_arrived": _arrival,
    "station:check_in": _check_in,
    "notification": _notification,
    "scan-confirmed": _scan_confirmed,
    "system_alert": _alert,
}
