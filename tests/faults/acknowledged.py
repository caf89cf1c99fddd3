"""Records which changes the service acknowledged: a killed service must lose none."""

import threading
from collections import Counter

from demo.client import HttpClient
from waiting import START_TIMEOUT_S, WAIT_TIMEOUT_S, wait_until


class RecordingClient(HttpClient):
    """Records acknowledged changes; can block new requests while the store is read."""

    def __init__(self, url):
        super().__init__(url, patience_s=START_TIMEOUT_S)
        self.open = threading.Event()
        self.open.set()
        self.in_flight = 0
        self.acknowledged = AcknowledgedRecords()

    def send(self, method, path, body=None, **options):
        self.open.wait()
        self.in_flight += 1
        kind = path.removeprefix("/api/")
        try:
            answer = super().send(method, path, body, **options)
            if answer.ok and method != "GET":
                self.acknowledged.add(method, kind, answer.data)
            elif method == "DELETE" and answer.was_lost:
                self.acknowledged.forget(kind)
            return answer
        finally:
            self.in_flight -= 1

    def drain(self, timeout_s=WAIT_TIMEOUT_S):
        """Block new requests and wait until none is in flight."""
        self.open.clear()
        wait_until(
            lambda: not self.in_flight,
            timeout_s,
            lambda: f"{self.in_flight} requests have no answer",
        )


#: The resources whose records are created by POST only, and named in the answer to it.
#: A lot is created by its receipt or by a move.
CREATED_BY_POST = (
    "inventories",
    "requests",
    "orders",
    "pane-logs",
    "claims",
    "withdrawals",
    "production-logs",
)
#: Members of the answer to an action that are records, and the resource of each.
RECORD_MEMBERS = {
    "pane": "panes",
    "panes": "panes",
    "remadePane": "panes",
    "log": "pane-logs",
    "logs": "pane-logs",
    "source": "inventories",
    "target": "inventories",
}


class AcknowledgedRecords:
    """The newest state of each record that an answer contained, and the deleted ids.

    `named` are the ids of all records that an answer contained, `moves` how often each
    quantity was moved from each lot.
    """

    def __init__(self):
        self.records = {}
        self.named = set()
        self.moves = Counter()
        self.deleted = set()
        self.changes = 0

    def add(self, method, path, data):
        """Record an acknowledged change; a login is not a change."""
        kind, _, rest = path.partition("/")
        if kind == "auth":
            return
        self.changes += 1
        if kind == "inventories" and rest.endswith("/move"):
            self.moves[data["source"]["_id"], data["quantity"]] += 1
        if method == "DELETE":
            self.deleted.add((kind, data["_id"]))
            self.records.pop((kind, data["_id"]), None)
        elif "_id" in data:
            kind = "claims" if rest.endswith("claims") else kind
            record = dict(data)
            if kind == "requests":  # the answer to a creation lists its panes besides
                for pane in record.pop("panes", ()):
                    self._add_record("panes", pane)
            self._add_record(kind, record)
        else:
            for name, member in data.items():
                for record in member if isinstance(member, list) else [member]:
                    if name in RECORD_MEMBERS and isinstance(record, dict):
                        self._add_record(RECORD_MEMBERS[name], record)

    def forget(self, path):
        """Forget a record whose deletion was carried out, but not answered."""
        kind, _, record_id = path.partition("/")
        self.records.pop((kind, record_id), None)

    def _add_record(self, kind, record):
        self.named.add(record["_id"])
        known = self.records.get((kind, record["_id"]))
        if known is None or known["version"] <= record["version"]:
            self.records[kind, record["_id"]] = record

    def missing_from(self, state):
        """Describe each acknowledged record that is older, different or absent."""
        faults = []
        for (kind, record_id), record in self.records.items():
            stored = state[kind].get(record_id)
            if stored is None:
                faults.append(f"{kind} {record_id} is missing: {record}")
            elif stored["version"] < record["version"]:
                faults.append(f"{kind} {record_id} is back at v{stored['version']}")
            elif stored["version"] == record["version"] and not _shows(stored, record):
                faults.append(f"{kind} {record_id} differs: {stored} was {record}")
        restored = [key for key in self.deleted if key[1] in state[key[0]]]
        return faults + [f"{kind} {key} is not deleted" for kind, key in restored]

    def created_twice(self, state, before):
        """Describe what was created and is in no answer, though each POST has got one.

        `before` is the state before the first of them. A scan may create several logs (a
        scan-in that is implied, merged sheets), all at one time, of which one is in the
        answer; a decision about a claim corrects its pane. No answer names the entries of
        the stock ledger: they are counted.
        """
        logs = state["pane-logs"].values()
        scans = {one["createdAt"] for one in logs if one["_id"] in self.named}
        return [
            f"{kind} {record_id} was created besides: {record}"
            for kind in CREATED_BY_POST
            for record_id, record in state[kind].items()
            if record_id not in self.named
            and record_id not in before[kind]
            and not (kind == "pane-logs" and _is_beside(record, scans))
        ] + self._entered_twice(state, before)

    def _entered_twice(self, state, before):
        """Describe moves and receipts that the stock ledger has more often than answers."""
        new = [
            one
            for entry_id, one in state["material-logs"].items()
            if entry_id not in before["material-logs"]
        ]
        moves = Counter(
            (one["referenceId"], -one["quantityChanged"])
            for one in new
            if one["actionType"] == "move" and one["quantityChanged"] < 0
        )
        receipts = Counter(
            one["inventory"] for one in new if one["actionType"] == "import"
        )
        return [
            *(
                f"{quantity} of lot {lot} was moved {count} times besides"
                for (lot, quantity), count in (moves - self.moves).items()
            ),
            *(
                f"lot {lot} was received {count} times"
                for lot, count in receipts.items()
                if count > 1
            ),
        ]


def _shows(stored, record):
    """Whether a record has all that an answer had; an older release has fewer fields."""
    return stored | record == stored


def _is_beside(log, scans):
    """Whether a log was made by a scan whose answer has another, or by a claim."""
    return log["action"] == "correction" or log["createdAt"] in scans
