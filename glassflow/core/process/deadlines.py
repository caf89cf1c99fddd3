"""All time limits on the store and on waiting for it, and how they add up.

A client gets its answer within `ANSWER_TIMEOUT_S`, whether the store works or not, unless
its request writes many records:

- `GATE_TIMEOUT_S` is how long a request waits for the gate (`web.gate`), before any work.
  After it the request is answered 503, as busy.
- `REQUEST_TIMEOUT_S` limits all calls to the store of one request together, from the gate
  on. After it the request is answered 503, with the store as not available. The limit is
  paused during work outside the store, such as hashing (`core.process.time_limit`).
  It is one limit for all calls, because limits of single calls bound no answer: a request
  with eight reads on a slow store would have the time of eight.
- `RECORD_TIMEOUT_S` is added to this limit, and to that of the unit of work, for each
  record beyond `time_limit.RECORDS_IN_TIME` that is written at once. The request has
  `LONG_WORK_TIMEOUT_S` at most. A pane takes 3 to 4 ms, and beside eight scanners 8 ms; a
  slow machine takes several times that. More records than `time_limit.MAX_RECORDS` are
  refused before one is written.
- `UNIT_OF_WORK_TIMEOUT_S` is how long a unit of work that keeps losing write conflicts
  begins another attempt; after it, the request is answered 409. Inside a request it ends
  `LAST_ATTEMPT_S` before the request's own limit, however late the unit begins, so that
  the request does not time out with a 503 instead.
- `ABORT_GRACE_S` is the extra time to abort a transaction that is given up after either
  limit.
  Where that is not enough, each further attempt takes at most `KILL_TIMEOUT_S`, in the
  background (`core.store.transactions`).
- `LOCK_RELEASE_TIMEOUT_S` is the extra time to mark the reference lock of a deletion that
  is given up as released. GATE_TIMEOUT_S + REQUEST_TIMEOUT_S + ABORT_GRACE_S +
  LOCK_RELEASE_TIMEOUT_S < ANSWER_TIMEOUT_S.
- `STORE_SELECTION_TIMEOUT_MS` is how long the driver looks for a usable server. It ends
  a call at the latest where no other limit does, so it equals the request's.
- `COUNTER_TIMEOUT_S` limits drawing numbers, which runs outside the caller's
  transaction. Inside a request it is what is left of the request's limit.

What depends on the client or on the processor comes on top: receiving a body, for
`SMALL_BODY_TIMEOUT_S` inside the gate or for `LARGE_BODY_TIMEOUT_S` outside of it, after
which the request waits for the gate once more, and hashing a password, which waits
at most `HASH_QUEUE_TIMEOUT_S` for its turn and is answered 429 after it. So do labels,
for `LABEL_QUEUE_TIMEOUT_S`, and a network printer has its own limits; both are answered
503. An export is written for as long as its list is long, and each of its parts has a
limit of its own; who has to wait for others longer than `EXPORT_QUEUE_TIMEOUT_S` is
answered 503. An import has `LONG_WORK_TIMEOUT_S` from its beginning, after
`IMPORT_QUEUE_TIMEOUT_S` for the import before it. That labels are printed is recorded
within `LONG_WORK_TIMEOUT_S`; then the answer is kept and the lease given back within
`AFTER_EFFECT_TIMEOUT_S` each, whatever is left of the request's limit.

`LOCK_TTL_S` has to exceed the longest deletion, with a margin for clocks that differ
between machines. The publisher and the log tail work in the background, where no client
waits: their limits only keep a silent store from blocking them forever. A group of outbox
batches is published within `PUBLISH_TIMEOUT_S`, by a process that holds the publisher
lease for longer: otherwise another process could take the lease over and abort the group
again and again. A handshake, an event of a socket, a check of an open socket's token, and
a page of a resume have the time of a request each.

Read these as `deadlines.NAME`, not with `from deadlines import NAME`: the tests
multiply them on slow machines.
"""

# What clients rely on. Nothing enforces it; the limits below add up to less.
ANSWER_TIMEOUT_S = 5.0

GATE_TIMEOUT_S = 1.0
REQUEST_TIMEOUT_S = 3.2
RECORD_TIMEOUT_S = 0.03
LONG_WORK_TIMEOUT_S = 45.0  # less than the 60 s that a store keeps a transaction open
UNIT_OF_WORK_TIMEOUT_S = 2.8
LAST_ATTEMPT_S = 0.4
ABORT_GRACE_S = 0.4
KILL_TIMEOUT_S = 2.0
LOCK_RELEASE_TIMEOUT_S = 0.3
STORE_SELECTION_TIMEOUT_MS = 3200
COUNTER_TIMEOUT_S = 3.2
SMALL_BODY_TIMEOUT_S = 5.0  # a client that sends more slowly is answered 408
LARGE_BODY_TIMEOUT_S = 120.0
HASH_QUEUE_TIMEOUT_S = 10.0
LABEL_QUEUE_TIMEOUT_S = 10.0  # labels wait until those requested before are made
PRINTER_CONNECT_TIMEOUT_S = 3.0
PRINTER_SEND_TIMEOUT_S = 10.0  # for each part that a printer takes
PRINTER_END_TIMEOUT_S = 5.0  # until it has read all and ends the connection
AFTER_EFFECT_TIMEOUT_S = 1.0  # keeping the answer to a print, giving a lease back
EXPORT_PART_TIMEOUT_S = 20.0  # reading one part of an export or of a backup
EXPORT_QUEUE_TIMEOUT_S = 2.0  # an export waits until one of the others has ended
IMPORT_QUEUE_TIMEOUT_S = 5.0  # an import waits until the one before has ended
LOCK_TTL_S = 60.0

# How long a process may use a cached worker, role, station or material
# (`core.process.record_cache`).
RECORD_CACHE_S = 2.0

PUBLISH_TIMEOUT_S = 5.0  # one group of outbox batches, or one look at the outbox
RENDER_TIMEOUT_S = 2.0  # one event of such a group
PUBLISHER_LEASE_S = 8.0  # longer than PUBLISH_TIMEOUT_S + 1: renewed after a second
PUBLISHER_STOP_S = 2.0  # for the group that is being published when a process ends
LOG_TAIL_TIMEOUT_S = 10.0  # reading the event log up to its end once

WEBHOOK_CONNECT_TIMEOUT_S = 5.0  # for each address of a receiver
WEBHOOK_TIMEOUT_S = 15.0  # one delivery, from the name's look-up to the answer
WEBHOOK_STORE_TIMEOUT_S = 10.0  # what a delivery reads or writes
# The pause after the first failure, and the longest one; the settings WEBHOOK_… say when
# to give up.
WEBHOOK_FIRST_RETRY_S, WEBHOOK_LONGEST_RETRY_S = 5.0, 3600.0

MAIL_STEP_TIMEOUT_S = 30.0  # connecting to an SMTP server, and each of its answers
# Instead of that, the text of a message and the answer to it: a server may look for viruses
# before it answers (RFC 5321, 4.5.3.2.6).
MAIL_TEXT_TIMEOUT_S = 600.0
MAIL_TIMEOUT_S = 720.0  # one message, from the connection to the server's last answer
# For how long a message is claimed by the process that sends it: more than its PDF, which
# waits for LABEL_QUEUE_TIMEOUT_S, MAIL_TIMEOUT_S and the store take.
MAIL_CLAIM_S = 900.0

NOTIFY_TIMEOUT_S = 2.0  # one command to Redis
READINESS_TIMEOUT_S = 2.0
READINESS_KEPT_S = 0.5  # how old an answer about readiness may be
PRUNE_TIMEOUT_S = 60.0  # removing the old rows of the history, once a day
METRICS_TIMEOUT_S = 2.0  # what a scrape reads from the store, and waits for another
DOCTOR_TIMEOUT_S = 3.0
