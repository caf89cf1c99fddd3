"""The codes of refusals: what programs compare instead of messages.

One row for each `code` of a `Refusal`. Tests compare the table with the code, and with
every answer that they receive; docs/api.md has it as a table.
"""

from collections.abc import Mapping
from typing import NamedTuple


class ErrorCode(NamedTuple):
    """The statuses of answers with a code, and what the code means."""

    statuses: tuple[int, ...]
    meaning: str


Codes = Mapping[str, ErrorCode]

# What any request may be refused with.
COMMON: Codes = {
    "BUSY": ErrorCode((503,), "The service has more to do than it can do in time."),
    "STORE_UNAVAILABLE": ErrorCode(
        (503,), "The store does not answer, or its disk is full. Send it again later."
    ),
    "TOOK_TOO_LONG": ErrorCode(
        (503,),
        "The time limit of the request has ended before its work, which is undone. Without "
        "`Retry-After` another try would end in the same way.",
    ),
    "TOO_MANY": ErrorCode(
        (400,),
        "The request is about more than `maximum` records, which is the limit at once.",
    ),
    "STALE": ErrorCode(
        (409, 412),
        "The record has changed since it was read; `version` is the present one.",
    ),
    "IF_MATCH_REQUIRED": ErrorCode(
        (428,),
        "The change needs If-Match (`REQUIRE_IF_MATCH`); `version` is the present one.",
    ),
    "IDEMPOTENCY_KEY_REUSED": ErrorCode(
        (409,), "The Idempotency-Key belongs to another request."
    ),
    "IDEMPOTENCY_IN_PROGRESS": ErrorCode(
        (409,),
        "The request with this Idempotency-Key is being carried out; ask again for its "
        "answer.",
    ),
    "PASSWORD_CHANGE_REQUIRED": ErrorCode(
        (403,),
        "The password was reset: only `/api/auth/me` is open until it is changed.",
    ),
}
# Of the event log.
EVENTS: Codes = {
    "EVENT_LOG_STARTS_LATER": ErrorCode(
        (400,),
        "The events after this number have expired; `oldest` is the first that is kept.",
    ),
    "TOO_MANY_CONNECTIONS": ErrorCode(
        (429,), "The account has as many sockets and event streams as it may have."
    ),
}
# Of scans of panes.
SCANS: Codes = {
    "WRONG_STATION": ErrorCode(
        (400,), "The pane is at another station than the scan names."
    ),
    "STATION_UNKNOWN": ErrorCode(
        (400,), "The scan names no station, and the pane is at none."
    ),
    "STATION_IN_MAINTENANCE": ErrorCode(
        (400,), "No pane can be scanned in at a station in maintenance."
    ),
    "NOT_COMPLETED_YET": ErrorCode(
        (400,),
        "The work at this station is not completed, so the pane cannot leave it.",
    ),
    "AWAITING_SCAN_OUT": ErrorCode(
        (400,), "The work at this station is completed; it cannot be started again."
    ),
    "ALREADY_COMPLETED": ErrorCode((400,), "The pane has passed its route."),
    "ALREADY_CLAIMED": ErrorCode((400,), "The pane is held by an open claim."),
    "ALREADY_CANCELLED": ErrorCode((400,), "The pane is cancelled."),
    "ALREADY_DEFECTED": ErrorCode((400,), "The pane has failed its check."),
    "MERGED_INTO": ErrorCode((400,), "The pane has become a part of a laminated pane."),
    "LAMINATE_PARENT": ErrorCode(
        (400,), "The parent of a unit takes no scan but `laminate`."
    ),
    "UNMERGED_SHEET": ErrorCode(
        (400,),
        "A sheet leaves its lamination station only as part of a laminated pane.",
    ),
    "SHEETS_MISSING": ErrorCode(
        (400,), "Not all sheets of the unit are scanned in at the lamination station."
    ),
    "SURVIVOR_REQUIRED": ErrorCode(
        (400,), "A `laminate` scan of the parent has to name the sheet that survives."
    ),
    "NOT_A_SHEET": ErrorCode(
        (400,), "The named survivor is not one of the sheets that are merged."
    ),
    "NOT_LAMINATED": ErrorCode((400,), "The pane has no sheets to laminate."),
    "ALREADY_LAMINATED": ErrorCode((400,), "The pane has been laminated already."),
    "WORK_CANCELLED": ErrorCode(
        (400,), "The order or the request of the pane is cancelled."
    ),
    "REASON_REQUIRED": ErrorCode((400,), "A failed check needs a reason."),
    "SCAN_TOO_OLD": ErrorCode(
        (400,), "`occurredAt` is too long ago; `serverTime` is the time of the service."
    ),
    "SCAN_IN_FUTURE": ErrorCode(
        (400,),
        "`occurredAt` is in the future; `serverTime` is the time of the service.",
    ),
    "UNKNOWN_PANES": ErrorCode((400,), "Some of the panes of a batch do not exist."),
    "UNKNOWN_ATTACHMENT": ErrorCode(
        (400,), "The attachments do not exist (any more), or belong to another worker."
    ),
}
# Of undoing a scan.
UNDO: Codes = {
    "NOTHING_TO_UNDO": ErrorCode((400,), "The last change of the pane is no scan."),
    "LAMINATION_NOT_UNDOABLE": ErrorCode((400,), "A lamination cannot be undone."),
    "NOT_OWN_SCAN": ErrorCode(
        (403,), "Another worker has scanned the pane; `panes:manage` may undo that too."
    ),
    "CHANGED_SINCE_SCAN": ErrorCode(
        (400,), "The pane has changed since its last scan."
    ),
    "UNDO_TOO_LATE": ErrorCode(
        (400,), "The time in which the scan could be undone is over."
    ),
    "REMAKE_BEGUN": ErrorCode(
        (400,), "Work on the remake that replaced the failed pane has begun."
    ),
}
# Of creating and correcting panes.
PANES: Codes = {
    "STATION_NOT_ON_ROUTE": ErrorCode(
        (400,), "A pane with a route can only be at a station of the route."
    ),
    "STATION_GONE": ErrorCode(
        (400,),
        "`stations` of the route no longer exist, and without them it cannot be followed; "
        "another `routing` decides, for a remake with the approval of its claim.",
    ),
    "STATION_NEEDED": ErrorCode(
        (400,), "A pane that is in work or has a route needs a station."
    ),
    "CORRECTION_REFUSED": ErrorCode(
        (400,),
        "The correction contradicts the lamination, claim or remake of the pane.",
    ),
    "NO_LAMINATION_STATION": ErrorCode(
        (400,), "The route of a pane of several sheets has no lamination station."
    ),
    "ALREADY_STARTED": ErrorCode(
        (400,), "A pane that is in work cannot be divided into sheets."
    ),
    "SHEETS_FIXED": ErrorCode((400,), "The number of sheets of a unit cannot change."),
    "SHEET_OF_UNIT": ErrorCode(
        (400,), "A sheet goes with its unit: the parent is changed instead."
    ),
    "UNIT_BEGUN": ErrorCode(
        (400,),
        "A laminated pane is not cancelled with its sheets once work on one of the `panes` "
        "has begun.",
    ),
    "PANES_CLOSED": ErrorCode(
        (409,),
        "The `panes` are finished, lost or cancelled, so a change of their request does not "
        "concern them.",
    ),
}
# Of orders and requests.
WORK: Codes = {
    "ORDER_CANCELLED": ErrorCode(
        (400,), "The order is cancelled, so nothing can be added to it."
    ),
    "REQUEST_CANCELLED": ErrorCode(
        (400,), "The request is cancelled, so nothing can be added to it."
    ),
    "CUSTOMER_HAS_ORDERS": ErrorCode(
        (400,), "The customer of a request with orders cannot change."
    ),
    "CUSTOMER_FIXED": ErrorCode(
        (400,),
        "The customer of a quote, request or order cannot change: its panes are on "
        "`deliveries` or charged by `billingEntries`, or there are `payments` for it.",
    ),
    "OTHER_CUSTOMER": ErrorCode(
        (400, 409),
        "The customer of the order is not that of its request (400), or that of the "
        "request of one of its panes (409).",
    ),
    "INDEX_OUTSIDE_ROUTE": ErrorCode(
        (400,), "`currentStationIndex` is outside the route of the order."
    ),
    "NO_PANES_LEFT": ErrorCode(
        (400,),
        "All panes of the request are in orders, or cancelled: another order has none.",
    ),
    "STATUS_FOLLOWS_PANES": ErrorCode(
        (400,), "The panes of the order contradict the requested status."
    ),
    "NOT_MAKEABLE": ErrorCode(
        (400,),
        "Some `panes` of an order cannot be made, and the workshop is strict; or some of "
        "a quote, and no reason to offer them nevertheless is given.",
    ),
    "TOO_MANY_ATTACHMENTS": ErrorCode(
        (400,), "The request has as many attachments as it can have."
    ),
}
# Of quotes.
QUOTES: Codes = {
    "QUOTE_NOT_DRAFT": ErrorCode(
        (409,), "Only a draft changes; a quote that was sent is revised."
    ),
    "QUOTE_NOT_OPEN": ErrorCode(
        (409,),
        "The quote does not wait for an answer; `status` tells whether it is a draft, "
        "was answered, or was superseded.",
    ),
    "QUOTE_NOT_REVISABLE": ErrorCode(
        (409,), "The quote is a draft, accepted, or has a later revision."
    ),
    "REQUEST_CHANGED": ErrorCode(
        (409,), "The request is no longer as the confirmation shows it."
    ),
    "QUOTE_EXPIRED": ErrorCode(
        (409,),
        "The last day of the quote is over: accepting it needs `pricing:manage`.",
    ),
    "NOT_PRICED": ErrorCode(
        (400,),
        "The `rows` of the quote, from 1, have no price; `missing` is why, by row.",
    ),
}
# Of mails with quotes.
MAILS: Codes = {
    "NO_MAIL": ErrorCode(
        (409,),
        "The service sends no e-mail: `SMTP_URL` or the sender is not set, or the "
        "sender is no e-mail address.",
    ),
    "TOO_MANY_MAILS": ErrorCode(
        (429,), "The worker has asked for as many mails in this hour as are allowed."
    ),
}
# Of deliveries.
DELIVERIES: Codes = {
    "PANES_REFUSED": ErrorCode(
        (409,),
        "Some `panes` cannot be planned, loaded or handed over, each for its `reason`: "
        "`unfinished`, `claimed` (an open claim), `lost` (scrapped or cancelled), "
        "`delivered`, `sheet` (of a laminated pane), `other_customer`, `other_delivery` "
        "(`delivery` is its number) or `not_planned`.",
    ),
    "SEVERAL_PLACES": ErrorCode(
        (409,),
        "The panes go to several `places`, each with its `address` and `panes`, and no "
        "address was given for the delivery.",
    ),
    "ALREADY_DELIVERED": ErrorCode(
        (409,), "The panes of the delivery have been handed over."
    ),
    "NOT_DELIVERED": ErrorCode((409,), "There is no hand-over to undo."),
    "HAND_OVER_FINAL": ErrorCode(
        (409,),
        "The hand-over was recorded more than an hour ago: undoing it needs "
        "`orders:manage` and a reason.",
    ),
    "REMAKE_DELIVERED": ErrorCode(
        (409,),
        "`remake`, which replaces the pane `paneNumber`, was handed over since: undo that "
        "first.",
    ),
    "NOT_OWN_HAND_OVER": ErrorCode(
        (403,),
        "Another worker has recorded the hand-over; `orders:manage` may undo that too.",
    ),
}
# Of billing entries.
BILLING: Codes = {
    "ALREADY_BILLED": ErrorCode(
        (409,), "The entries are on an invoice already; `invoices` are the numbers."
    ),
    "ENTRY_VOID": ErrorCode(
        (409,), "The hand-over of the entry was undone: nothing is owed for it."
    ),
    "SEVERAL_CUSTOMERS": ErrorCode(
        (400,), "An invoice and a billing entry have one customer."
    ),
    "ENTRY_OF_DELIVERY": ErrorCode(
        (409,), "What a delivery is charged is void when its hand-over is undone."
    ),
    "PANE_CHARGED": ErrorCode(
        (409,), "A billing entry charges `panes`, so they stay in their work."
    ),
    "NOTHING_WAITS": ErrorCode(
        (409,), "The whole agreed price of the request belongs to panes."
    ),
    "NOT_BILLED": ErrorCode(
        (409,), "The entry is on no invoice: it is changed, and needs no credit."
    ),
    "CREDIT_OF_CREDIT": ErrorCode((409,), "A credit is taken back, and not credited."),
    "ENTRY_CREDITED": ErrorCode(
        (409,), "Entries with `credits` stay on their invoice until these are void."
    ),
    "INVOICE_OF_OTHER_CUSTOMER": ErrorCode(
        (409,),
        "The invoice number is on `entries` of another customer, whose id is `customer`.",
    ),
    "NOT_CHARGEABLE": ErrorCode(
        (409,),
        "Some `panes` cannot be charged without a delivery, each for a `reason`: `live`, "
        "`replaced`, `charged` or `no_price`.",
    ),
}
# Of payments.
PAYMENTS: Codes = {
    "PAYMENT_VOID": ErrorCode(
        (409,), "The payment is void: record the right one instead of changing it."
    ),
}
# Of calls.
CALLS: Codes = {
    "CALL_TAKEN": ErrorCode(
        (409,), "Another worker goes to the call, whose name is `takenByName`."
    ),
    "CALL_ENDED": ErrorCode((409,), "The call has ended: nobody needs to come."),
}
# Of racks.
RACKS: Codes = {
    "NOT_ON_FLOOR": ErrorCode(
        (409,),
        "Panes that are lost, cancelled, laminated or delivered stand on no rack; "
        "`paneNumbers` are theirs.",
    ),
    "RACK_CHANGED": ErrorCode(
        (409,), "The panes `paneNumbers` do not stand on the scanned rack any more."
    ),
}
# Of cutting plans.
CUTTING: Codes = {
    "NOT_IN_SHEETS": ErrorCode(
        (409,), "The stock of the material is counted by area, so it has no sheets."
    ),
    "NOTHING_TO_PLAN": ErrorCode(
        (409,), "No pane of the material waits for a cutting plan."
    ),
    "PANES_NOT_WAITING": ErrorCode(
        (409,),
        "The panes `paneNumbers` do not wait to be cut from the material of the plan.",
    ),
    "PLAN_STAGE": ErrorCode(
        (409,), "The plan is in another stage: `status` is its present one."
    ),
    "PLAN_EMPTY": ErrorCode((409,), "The plan has no sheets to release."),
    "PLAN_OUTDATED": ErrorCode(
        (409,),
        "The panes `paneNumbers` or the lots `inventoryNumbers` are not what the plan was "
        "made with: plan it again (`improve`).",
    ),
    "SHEET_CUT": ErrorCode(
        (409,), "The sheet `sheet` has been cut already, by `cutByName`."
    ),
    "SHEET_NOT_CUT": ErrorCode((409,), "The sheet has not been cut."),
    "NOTHING_TO_CUT": ErrorCode((409,), "All panes of the sheet have left the plan."),
    "PANES_NOT_ON_SHEET": ErrorCode(
        (409,), "The panes `paneNumbers` are not on the sheet, or have left the plan."
    ),
    "REMNANT_USED": ErrorCode(
        (409,), "The remnants `inventoryNumbers` of the sheet are used or reserved."
    ),
}
# Of whom orders and requests are assigned to.
ASSIGNMENTS: Codes = {
    "WORKER_INACTIVE": ErrorCode(
        (400,), "Nothing can be assigned to a worker who is not active."
    ),
}
# Of claims.
CLAIMS: Codes = {
    "CLAIM_DECIDED": ErrorCode((400,), "The claim is decided, which is final."),
    "CLAIM_APPROVED": ErrorCode((409,), "An approved claim cannot be deleted."),
    "REPORTER_FIXED": ErrorCode((400,), "The reporter of a claim does not change."),
    "OPEN_CLAIM": ErrorCode((409,), "The pane has an open claim already."),
    "CLAIMED_BEFORE": ErrorCode(
        (400,), "An earlier claim of the pane was approved, which happens once."
    ),
    "PANE_REPLACED": ErrorCode(
        (400,), "A remake has replaced the pane, so nothing is left to claim."
    ),
    "NO_ORDER": ErrorCode((400,), "The pane belongs to no order."),
    "OTHER_ORDER": ErrorCode((400,), "The pane belongs to another order or to none."),
    "OTHER_MATERIAL": ErrorCode(
        (400,), "The material is not that of the pane or its order."
    ),
    "SHEET_NEEDS_REMAKE": ErrorCode(
        (400,), "A claimed sheet has to be made again, or its claim rejected."
    ),
}
# Of pictures.
PICTURES: Codes = {
    "NOT_A_PICTURE": ErrorCode((400,), "The content cannot be read as a picture."),
    "PICTURE_TOO_LARGE": ErrorCode((400,), "The picture has too many bytes or pixels."),
    "ATTACHMENT_EXISTS": ErrorCode((409,), "The chosen id is that of another file."),
}
# Of imports.
TABLES: Codes = {
    "UNREADABLE_TABLE": ErrorCode(
        (400,), "The file cannot be read as a table of its media type."
    ),
}
# Of stock and withdrawals.
STOCK: Codes = {
    "INSUFFICIENT_STOCK": ErrorCode((400,), "The lots hold less than was requested."),
    "LOTS_TAKEN": ErrorCode(
        (409,), "Others have taken or reserved from the lots `inventoryNumbers`."
    ),
    "LOT_RESERVED": ErrorCode(
        (409,), "A cutting plan has reserved the lot as it is: cancel that plan first."
    ),
    "LOT_INACTIVE": ErrorCode(
        (400,), "A lot that is not in use neither gives nor receives stock."
    ),
    "LOT_UNFIT": ErrorCode((400,), "The lot is of another material or stock type."),
    "ONE_SHEET": ErrorCode(
        (400,),
        "The lot is one sheet, a remnant or a sheet with defects: its quantity, the `field`, "
        "is 0 or 1, and it is moved whole.",
    ),
    "SAME_PLACE": ErrorCode((400,), "The lot is at the destination already."),
    "WITHDRAWAL_DECIDED": ErrorCode(
        (400,), "The withdrawal is decided, which is final."
    ),
    "IMMUTABLE_LOG": ErrorCode(
        (409,),
        "An entry that goes with a change of stock cannot be changed or deleted.",
    ),
}
# Of deletions.
DELETION: Codes = {
    "IN_USE": ErrorCode(
        (400, 409),
        "Other records depend on the record; `counts` has how many of each kind.",
    ),
    "PANE_DELIVERED": ErrorCode(
        (409,),
        "Some `panes` were handed over, each with the `delivery` of this number (null if "
        "that was noted by hand). They do not change before that is undone.",
    ),
}
# Of restoring deleted records.
RESTORING: Codes = {
    "NOT_DELETED": ErrorCode((409,), "The record exists."),
    "WAS_MERGED": ErrorCode(
        (409,), "The customer was merged into another one, `replacedBy`."
    ),
    "NOT_RESTORABLE": ErrorCode(
        (409,),
        "The record was deleted with others that cannot be restored; `counts` has how "
        "many of each kind.",
    ),
    "REFERENCE_DELETED": ErrorCode(
        (409,),
        "The record needs another one, `record`, in its `field`, and that is deleted.",
    ),
    "VALUE_TAKEN": ErrorCode(
        (409,), "Another record has the value of the `field` by now, which is unique."
    ),
}
# Of workers and roles.
ACCOUNTS: Codes = {
    "LAST_ADMIN": ErrorCode(
        (400,), "The last active worker who may do everything has to stay."
    ),
    "SYSTEM_ROLE": ErrorCode(
        (400,), "A system role keeps its slug and cannot be deleted."
    ),
}
# Of API keys.
API_KEYS: Codes = {
    "TOO_MANY_API_KEYS": ErrorCode(
        (400,), "The worker has as many API keys as one may have."
    ),
}
# Of badges and PINs.
BADGES: Codes = {
    "BADGE_MISSING": ErrorCode(
        (400,), "A worker has no badge that could be printed; `workers` has their ids."
    ),
}
# Of labels.
LABELS: Codes = {
    "NO_LABEL_TEMPLATE": ErrorCode(
        (404,), "There is no label template yet, by which panes get their labels."
    ),
}
DEVICES: Codes = {
    "BADGE_REFUSED": ErrorCode(
        (400,), "The badge is unknown, replaced, or of a worker who is deactivated."
    ),
    "PIN_REFUSED": ErrorCode((400,), "The PIN is wrong, or the worker has none."),
    "PIN_LOCKED": ErrorCode(
        (400,), "Too many wrong PINs in a row: the worker needs a new one, or a badge."
    ),
    "PIN_LOCKED_FOR_THE_DAY": ErrorCode(
        (400,),
        "Too many wrong PINs in 24 hours: the worker waits, gets a new one or a badge.",
    ),
}
# Of webhooks.
WEBHOOKS: Codes = {
    "TOO_MANY_WEBHOOKS": ErrorCode(
        (400,), "There are as many webhooks as there may be."
    ),
    "DELIVERY_NOT_FINAL": ErrorCode(
        (409,), "A delivery that is still being tried cannot be sent again."
    ),
    "DELIVERY_EXPIRED": ErrorCode(
        (409,), "The event log no longer has the event, so it cannot be sent again."
    ),
}
# Of printing labels.
PRINTERS: Codes = {
    "PRINTER_AWAY": ErrorCode(
        (503,), "The printer cannot be reached; nothing is printed."
    ),
    "PRINT_BROKEN": ErrorCode(
        (409,),
        "The printer ended the connection, or read no more, before it had all labels; some "
        "may be printed.",
    ),
    "OUTCOME_UNKNOWN": ErrorCode(
        (409,),
        "A request with this Idempotency-Key has begun, and how it ended is not known.",
    ),
}

# Of a change of the panes of a request.
CHANGES_OF_REQUEST = (
    *WORK,
    *PANES,
    *SCANS,
    "PANE_DELIVERED",
    "NOT_CHARGEABLE",
    "OPEN_CLAIM",
)

ERROR_CODES: Codes = {
    **COMMON,
    **EVENTS,
    **SCANS,
    **UNDO,
    **PANES,
    **WORK,
    **QUOTES,
    **MAILS,
    **DELIVERIES,
    **BILLING,
    **PAYMENTS,
    **CALLS,
    **RACKS,
    **CUTTING,
    **ASSIGNMENTS,
    **CLAIMS,
    **PICTURES,
    **TABLES,
    **STOCK,
    **DELETION,
    **RESTORING,
    **ACCOUNTS,
    **API_KEYS,
    **BADGES,
    **LABELS,
    **DEVICES,
    **WEBHOOKS,
    **PRINTERS,
}
