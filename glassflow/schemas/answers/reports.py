"""Answers that summarise many records: dashboard, wall board, search, event log."""

from glassflow.domain.calls import OPEN_CALLS, CallKind
from glassflow.domain.daily_figures import BY_STATION
from glassflow.domain.deliveries import DeliveryStatus, LeftReason
from glassflow.domain.orders import OrderStatus, RequestStatus
from glassflow.domain.panes.status import Status
from glassflow.domain.stations import StationColor, StationStatus
from glassflow.schemas.shapes import (
    ANYTHING,
    BOOLEAN,
    COUNT,
    FREE_OBJECT,
    ID,
    INTEGER,
    NULL,
    NUMBER,
    TEXT,
    TIME,
    Shape,
    any_of,
    array,
    choice,
    described,
    mapping,
    members,
    nullable,
)

_BY_STATUS = members(
    {"total": COUNT, "byStatus": mapping(COUNT)}, title="CountsByStatus"
)
CHART_RANGES = ("1d", "7d", "30d")
_CHART_STEP = members(
    {
        "from": TIME,
        "requestsCreated": nullable(COUNT),
        "panesCreated": COUNT,
        "panesCompleted": COUNT,
    },
    title="ChartStep",
)
_STATION_FIGURES = members(
    dict.fromkeys(BY_STATION, COUNT),
    title="StationFigures",
    description="The panes that arrived at a station, left it, and passed and failed a "
    "check there, on the days of the chart; of the 24 hours of `1d`, today.",
)
_STATION_LOAD = members(
    {
        "station": ID,
        "name": TEXT,
        "status": nullable(TEXT),
        "panes": COUNT,
        "figures": nullable(_STATION_FIGURES),
    },
    title="StationLoad",
)
_SHORTAGE = members(
    {"material": ID, "name": TEXT, "quantity": NUMBER, "reorderPoint": NUMBER},
    title="Shortage",
)
_ARRIVED_REQUEST = members(
    {
        "_id": ID,
        "requestNumber": nullable(TEXT),
        "customerName": nullable(TEXT),
        "createdAt": TIME,
        "deadline": nullable(TIME),
        "status": choice(RequestStatus),
    },
    title="ArrivedRequest",
)
_ARRIVED = members(
    {
        "since": TIME,
        "count": COUNT,
        "newest": described(array(_ARRIVED_REQUEST), "At most five, the newest first."),
    },
    title="ArrivedRequests",
    description="The requests that were created today or yesterday.",
)
_REASON = members({"reason": choice(LeftReason), "count": COUNT}, title="ReasonCount")
_RETURNED_DELIVERY = members(
    {
        "_id": ID,
        "deliveryNumber": nullable(TEXT),
        "customerName": nullable(TEXT),
        "plannedFor": TIME,
        "status": choice(DeliveryStatus),
        "at": described(TIME, "When it was handed over last, or came back."),
        "panes": described(COUNT, "Those that wait."),
        "reasons": described(
            array(_REASON),
            "Why they came back, as it was said last; the most frequent first.",
        ),
    },
    title="ReturnedDelivery",
)
_CAME_BACK = members(
    {
        "deliveries": COUNT,
        "panes": COUNT,
        "newest": described(
            array(_RETURNED_DELIVERY), "At most five, the newest first."
        ),
    },
    title="ReturnedPanes",
    description="The deliveries from which panes came back that are not planned again, nor "
    "lost. Of more than 200 the newest count.",
)
_TO_DO = members(
    {
        "late": described(nullable(COUNT), "Open orders past their deadline."),
        "dueToday": described(
            nullable(COUNT), "Open orders due until the end of today."
        ),
        "openValue": described(
            nullable(NUMBER),
            "The estimated price of the requests of open orders, in baht.",
        ),
        "arrived": nullable(_ARRIVED),
        "cameBack": nullable(_CAME_BACK),
    },
    title="ToDo",
)
DASHBOARD = members(
    {
        "requests": nullable(_BY_STATUS),
        "orders": _BY_STATUS,
        "panes": _BY_STATUS,
        "claims": nullable(_BY_STATUS),
        "withdrawals": nullable(_BY_STATUS),
        "stations": array(_STATION_LOAD),
        "lowStock": nullable(array(_SHORTAGE)),
        "toDo": _TO_DO,
        "chartRange": choice(CHART_RANGES),
        "chart": array(_CHART_STEP),
    },
    title="DashboardStats",
    description="Parts whose key the caller does not hold are null. Of panes only the open "
    "ones are counted.",
)

_STAY = members(
    {"p50": NUMBER, "p85": NUMBER, "p95": NUMBER, "count": COUNT},
    title="Stay",
    description="How long panes stay at a station: percentiles in seconds.",
)
_FINISHED = members(
    {
        "today": COUNT,
        "usual": described(
            nullable(array(COUNT)),
            "By the end of each hour of the day: the median over those of the last 30 days "
            "on which panes were finished, without today. Null for fewer than 5 days.",
        ),
    },
    title="FinishedPanes",
    description="The panes of the workshop that were finished on a day.",
)
_BOARD_STATION = members(
    {
        "_id": ID,
        "name": TEXT,
        "colorId": choice(StationColor),
        "position": nullable(INTEGER),
        "status": choice(StationStatus),
        "maintenance": BOOLEAN,
        "version": nullable(INTEGER),
        "outToday": nullable(COUNT),
        "stay": _STAY,
    },
    title="BoardStation",
)
_BOARD_CALL = members(
    {
        "_id": ID,
        "callNumber": nullable(TEXT),
        "station": ID,
        "kind": choice(CallKind),
        "machineStands": BOOLEAN,
        "refusesScanIn": BOOLEAN,
        "reason": TEXT,
        "pane": nullable(ID),
        "paneNumber": TEXT,
        "calledFrom": nullable(ID),
        "calledBy": nullable(ID),
        "calledByName": TEXT,
        "calledAt": TIME,
        "takenBy": nullable(ID),
        "takenByName": TEXT,
        "takenAt": nullable(TIME),
        "status": choice(sorted(OPEN_CALLS)),
        "version": nullable(INTEGER),
    },
    title="BoardCall",
)
_BOARD_ORDER = members(
    {
        "_id": ID,
        "orderNumber": nullable(TEXT),
        "request": nullable(ID),
        "customer": nullable(ID),
        "status": choice(OrderStatus),
        "priority": nullable(NUMBER),
        "paneCount": nullable(COUNT),
        "panesCompleted": nullable(COUNT),
        "version": nullable(INTEGER),
        "customerName": nullable(TEXT),
        "customerShortName": nullable(TEXT),
        "deadline": nullable(TIME),
    },
    title="BoardOrder",
)
BOARD_DELIVERY = members(
    {
        "_id": ID,
        "deliveryNumber": TEXT,
        "recipient": nullable(TEXT),
        "plannedFor": TIME,
        "status": choice(DeliveryStatus),
        "deliveredAt": nullable(TIME),
        "version": nullable(INTEGER),
        "paneCount": described(
            COUNT, "Those planned; once it was handed over, those that were given."
        ),
        "missing": described(COUNT, "The panes that came back, and wait."),
        "loaded": COUNT,
        "lacking": described(array(ID), "The panes that cannot be loaded yet."),
    },
    title="BoardDelivery",
)
_BOARD_PANES = members(
    {"fields": array(TEXT), "rows": array(array(ANYTHING))},
    title="BoardPanes",
    description="Open panes: the names of the columns, and a row for each pane.",
)


def _alert(kind: str, title: str, **further: Shape) -> Shape:
    return members({"kind": {"const": kind}, **further}, title=title)


_ALERTS = (
    _alert(
        "laminate_ready",
        "UnitReady",
        parentPane=nullable(ID),
        station=ID,
        paneNumbers=array(TEXT),
    ),
    _alert(
        "failed",
        "FailedPane",
        pane=ID,
        paneNumber=nullable(TEXT),
        station=nullable(ID),
        reason=TEXT,
        at=TIME,
    ),
    _alert(
        "low_stock", "LowMaterial", material=ID, name=TEXT, quantity=NUMBER, unit=TEXT
    ),
)
BOARD = members(
    {
        "seq": described(COUNT, "The number of the last event that is included."),
        "timezone": TEXT,
        "stations": nullable(array(_BOARD_STATION)),
        "finished": nullable(_FINISHED),
        "panes": nullable(_BOARD_PANES),
        "calls": described(
            nullable(array(_BOARD_CALL)), "Those that have not ended, the oldest first."
        ),
        "orders": nullable(array(_BOARD_ORDER)),
        "deliveries": described(
            nullable(array(BOARD_DELIVERY)),
            "Those planned until tonight, and those handed over today.",
        ),
        "deadlines": described(
            mapping(nullable(TIME)),
            "The deadlines of the requests of the panes and orders, by their ids.",
        ),
        "alerts": array(any_of(*_ALERTS)),
    },
    title="Board",
    description="Parts whose key the caller does not hold are null.",
)

_STOP_SUMS: dict[str, Shape] = {
    "calls": COUNT,
    "stops": described(COUNT, "The calls at which a machine stood."),
    "stoppedSeconds": described(COUNT, "How long machines stood; of now, until now."),
    "openEnded": described(
        COUNT, "The stops that their shift ended: how long they were is not known."
    ),
    "waitedSeconds": described(
        nullable(COUNT), "The median until somebody said that they go."
    ),
}
STOPS = members(
    {
        "days": COUNT,
        "since": TIME,
        "rows": array(
            members(
                {
                    "station": ID,
                    "stationName": nullable(TEXT),
                    "kind": choice(CallKind),
                    **_STOP_SUMS,
                },
                title="StopsOfStation",
            )
        ),
        "totals": members(_STOP_SUMS, title="StopSums"),
    },
    title="Stops",
    description="Calls by station and kind, what stood longest first.",
)

# An id, or what is shown of the record that it names.
_NAMES = (
    "name", "paneNumber", "orderNumber", "requestNumber", "claimNumber", "rackNumber",
    "place",
)  # fmt: skip
_NAMED = any_of(
    ID,
    members({"_id": ID, **dict.fromkeys(_NAMES, TEXT)}, optional=_NAMES, title="Named"),
    NULL,
)
_FOUND_KINDS = (
    "pane", "order", "request", "quote", "delivery", "customer", "claim", "billingEntry",
    "payment", "rack",
)  # fmt: skip
_FOUND = members(
    {
        "kind": choice(_FOUND_KINDS),
        "_id": ID,
        "exact": BOOLEAN,
        "paneNumber": TEXT,
        "mark": TEXT,
        "glassTypeLabel": TEXT,
        "currentStatus": choice(Status),
        "currentStation": _NAMED,
        "orderNumber": nullable(TEXT),
        "requestNumber": nullable(TEXT),
        "quoteNumber": nullable(TEXT),
        "deliveryNumber": nullable(TEXT),
        "claimNumber": nullable(TEXT),
        "entryNumber": nullable(TEXT),
        "paymentNumber": nullable(TEXT),
        "rackNumber": nullable(TEXT),
        "invoiceNumber": TEXT,
        "status": TEXT,
        "customer": _NAMED,
        "order": _NAMED,
        "pane": _NAMED,
        "rack": _NAMED,
        "deadline": nullable(TIME),
        "name": TEXT,
        "phone": TEXT,
        "place": TEXT,
        "station": _NAMED,
    },
    title="Found",
    description="A record that a search found; the other members are those of its kind.",
)
FOUND = array({**_FOUND, "required": ["kind", "_id", "exact"]})

EVENTS = array(
    members(
        {
            "id": TEXT,
            "seq": COUNT,
            "at": TIME,
            "event": TEXT,
            "rooms": array(TEXT),
            "data": described(ANYTHING, "The payload; see the AsyncAPI document."),
        },
        title="LoggedEvent",
    )
)
HEALTH = members(
    {"status": {"const": "healthy"}, "uptime": NUMBER, "timestamp": TIME},
    title="Health",
)
READINESS = members(
    {
        "status": {"const": "ready"},
        "database": TEXT,
        "queue": TEXT,
        "disk": described(
            TEXT, "`has space`, or `read-only` or `nearly full` with what is on it."
        ),
        "migrations": described(TEXT, "`done`, or those that are pending."),
        "backup": described(TEXT, "`in time`, `late` or `not scheduled`."),
    },
    title="Readiness",
)
PERMISSION_KEYS = array(TEXT)
READ_COUNT = members({"updatedCount": COUNT}, title="ReadNotifications")
ATTACHMENT = members({"_id": ID, "type": TEXT, "size": COUNT}, title="Attachment")
DOCUMENT = FREE_OBJECT
