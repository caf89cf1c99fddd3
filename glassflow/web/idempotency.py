"""`Idempotency-Key`: a POST that is sent again is not carried out again.

The first answer to a worker's key is kept for 24 hours and sent again for the same
request, with `Idempotency-Replayed: true`; another request with this key is refused. So
a client that got no answer sends the same request until it gets one.

The view runs in one unit of work, which its own units join, and the answer is stored in
the same commit. Of two requests at once one gets a write conflict; it is repeated and
finds the answer of the other. A refusal has no effect, so its answer is stored alone.
Answers that depend on the moment are not kept: 401, 5xx, and all that ask to try again
later (429, and 409 while others change the same record). Nor are 412 and 428: the client
reads the record again, and sends the same request with another If-Match.

A view may therefore run several times, in a transaction: what it does outside of the
store must be repeatable. A view for which that is not so (it prints) is marked with
`has_outside_effect`: it runs once, its units of work are its own, and its answer is stored
when it has ended. Of two at once, in any processes, the second one is asked to come back.
Before its effect begins the view calls `effect_begins`: if its answer cannot be stored,
since the process or the store ended in between, a repetition is refused, not carried out.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from typing import Any, TypeVar

from flask import Response, current_app, g, make_response, request
from pymongo.errors import PyMongoError

from glassflow.core.access import idempotency_store
from glassflow.core.access.idempotency_store import KeptAnswer
from glassflow.core.identity import Identity
from glassflow.core.process import deadlines, time_limit
from glassflow.core.process.errors import RolledBack
from glassflow.core.store import lease
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.errors import (
    Conflict,
    InProgress,
    Invalid,
    OutcomeUnknown,
    Refusal,
)
from glassflow.web import fingerprints
from glassflow.web.envelope import failure

log = logging.getLogger(__name__)

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
MAX_LENGTH = 128
# Refusals that another If-Match avoids, which is no part of the fingerprint.
OF_A_VERSION = frozenset(
    (HTTPStatus.PRECONDITION_FAILED, HTTPStatus.PRECONDITION_REQUIRED)
)

View = TypeVar("View", bound=Callable[..., Any])


def has_outside_effect(view: View) -> View:
    """Mark a view that does more than a transaction can take back."""
    view.has_outside_effect = True  # type: ignore[attr-defined]
    return view


def takes_no_key(view: View) -> View:
    """Mark a view whose answers are never kept, because they hold a token, as login."""
    view.takes_no_key = True  # type: ignore[attr-defined]
    return view


def keep_no_answer() -> None:
    """Keep the answer to the current request for no key, because it contains a secret.

    For views with an outside effect: the request is carried out again with its key.
    """
    g.has_secret_answer = True


def effect_begins() -> None:
    """Keep for the key of the current request, if it has one, that its effect has begun.

    A repetition is refused with `OUTCOME_UNKNOWN` until the answer is kept in its place.
    """
    kept = g.get("kept_outside")
    if kept is None:
        return
    answer_id, fingerprint = kept
    unknown = OutcomeUnknown()
    refusal = failure(unknown.message, HTTPStatus.CONFLICT, errors=unknown.errors)
    begun = _kept(refusal, fingerprint)
    idempotency_store.keep(answer_id, replace(begun, may_change=True))


class _Refused(RolledBack):
    """Carries the answer to a refused request out of the unit of work, which it aborts."""

    def __init__(self, response: Response) -> None:
        super().__init__()
        self.response = response


def answer_once(
    identity: Identity, view: Callable[..., Any], arguments: Mapping[str, Any]
) -> Any:
    """Return the answer of a view to the current request, which may be a repetition.

    `arguments` are the view's, from the path.

    Call it when the caller is known to have the right to this request: a kept answer is
    for those only who may still send the request. Raises `Invalid` for a malformed key,
    `Conflict` for a key of another request, and the HTTP error 413.
    """
    if request.method != "POST" or HEADER not in request.headers:
        return view(**arguments)
    if getattr(view, "takes_no_key", False):
        return view(**arguments)
    answer_id = idempotency_store.answer_id(identity.worker_id, _key())
    fingerprint = (
        fingerprints.of_request()
    )  # receives the body, before the transaction begins
    run = _run_outside if getattr(view, "has_outside_effect", False) else _run
    try:
        answer = run(answer_id, fingerprint, partial(view, **arguments))
    except Exception as error:
        answer = _refusal(answer_id, fingerprint, error)
    return _replay(answer, fingerprint) if isinstance(answer, KeptAnswer) else answer


def _key() -> str:
    """Return the key of the request; in quotes it is the same key as without."""
    key = request.headers[HEADER].strip()
    if len(key) >= 2 and key[0] == key[-1] == '"':
        key = key[1:-1]
    if not (1 <= len(key) <= MAX_LENGTH and key.isascii() and key.isprintable()):
        raise Invalid([{"field": HEADER, "message": texts.IDEMPOTENCY_KEY_MALFORMED}])
    return key


@unit_of_work
def _run(
    answer_id: str, fingerprint: str, view: Callable[[], Any]
) -> Response | KeptAnswer:
    """Return the kept answer, or that of the view, stored with the effect of the view."""
    known = idempotency_store.find(answer_id)
    if known is not None:
        return known
    g.pop("warnings", None)  # of an attempt that is repeated
    response = make_response(view())
    if response.status_code >= 400:
        raise _Refused(response)
    try:
        idempotency_store.keep_with_effect(answer_id, _kept(response, fingerprint))
    except idempotency_store.TooLarge:
        raise Refusal(texts.ANSWER_TOO_LARGE_TO_KEEP) from None
    return response


def _run_outside(
    answer_id: str, fingerprint: str, view: Callable[[], Any]
) -> Response | KeptAnswer:
    """Return the kept answer, or that of the view, stored when it has ended.

    Raises `InProgress` while the view runs for this answer, in whichever process.
    """
    with lease.held(f"answer {answer_id}", on_wait=_refuse_second):
        known = idempotency_store.find(answer_id)
        if known is not None:
            return known
        g.kept_outside = answer_id, fingerprint
        response = make_response(view())
        if g.pop("has_secret_answer", False):
            return response
        answer = _kept(response, fingerprint)
        try:
            with time_limit.extended(deadlines.AFTER_EFFECT_TIMEOUT_S):
                kept = idempotency_store.keep(answer_id, answer)
        except idempotency_store.TooLarge:
            raise Refusal(texts.ANSWER_TOO_LARGE_TO_KEEP) from None
        except PyMongoError:
            log.exception("could not keep the answer to what was done")
            return response
    return response if kept is answer else kept


def _refuse_second(_owner: str) -> None:
    raise InProgress


def _refusal(
    answer_id: str, fingerprint: str, error: Exception
) -> Response | KeptAnswer:
    """Return the answer to a request that was refused or failed; keep it if it lasts.

    If the key has got another answer meanwhile, return that one.
    """
    if isinstance(error, _Refused):
        response = error.response
    else:
        response = make_response(current_app.handle_user_exception(error))
    status = response.status_code
    if status == 401 or status >= 500 or "Retry-After" in response.headers:
        return response
    if status in OF_A_VERSION:  # which the same request may have changed meanwhile
        return idempotency_store.find(answer_id) or response
    refusal = _kept(response, fingerprint)
    kept = idempotency_store.keep(answer_id, refusal)
    return response if kept is refusal else kept


def _kept(response: Response, fingerprint: str) -> KeptAnswer:
    return KeptAnswer(
        fingerprint=fingerprint,
        status=response.status_code,
        headers=tuple(response.headers),
        body=response.get_data(),
    )


def _replay(kept: KeptAnswer, fingerprint: str) -> Response:
    if fingerprints.differ(kept.fingerprint, fingerprint):
        raise Conflict(texts.IDEMPOTENCY_KEY_REUSED, code="IDEMPOTENCY_KEY_REUSED")
    response = Response(kept.body, status=kept.status, headers=list(kept.headers))
    response.headers[REPLAYED] = "true"
    return response
