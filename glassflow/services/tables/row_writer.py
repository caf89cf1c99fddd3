"""Carries out the rows of an import; each row that is refused becomes a fault.

The rows behind a refused one are tried too, so that one dry run finds every faulty row.
That is fair to them as long as the refused row has written nothing, because a transaction
has no savepoints: where it has, a dry run begins again without the rows that were refused.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NoReturn

from bson import ObjectId
from pymongo.errors import DuplicateKeyError

from glassflow.core.identity import Identity
from glassflow.core.process.cooperative import yielding
from glassflow.core.process.errors import RolledBack
from glassflow.core.store import outbox
from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.errors import Invalid, Refusal
from glassflow.models.base import Record
from glassflow.services.tables.change import Change, Result
from glassflow.services.tables.parts import Parts
from glassflow.services.tables.table import Fault
from glassflow.services.tables.values import CellKind

MAX_REFUSED_ROWS = 100  # what comes after them is not tried

Values = dict[str, Any]
FaultOf = tuple[Change, Fault]
Refused = Mapping[int, Sequence[Fault]]  # the faults of refused rows, by their numbers


@dataclass(frozen=True, slots=True)
class Target:
    """What rows become: the model, and how a single request would be carried out.

    `kinds` are the fields that clients write, `new_only` those of them that a change does
    not take; `titles` are names for some of them that a file may have instead. `parts` is
    the list of a new record whose members have rows. `read_new` and
    `read_change` validate a body and return its values. `create_all` creates many records
    at once, where the model has a function for it. `may_create` and `may_change` are the
    rights of the caller.
    """

    model: type[Record]
    kinds: Mapping[str, CellKind]
    read_new: Callable[..., Values]
    read_change: Callable[..., Values]
    create: Callable[..., Any]
    update: Callable[..., Any]
    may_create: bool
    may_change: bool
    create_all: Callable[..., Sequence[Any]] | None = None
    new_only: Collection[str] = ()
    parts: Parts | None = None
    titles: Mapping[str, Bilingual] = field(default_factory=dict)


class BeginAgain(RolledBack):
    """A row was refused after it had written something.

    The transaction has to begin again without the rows of `refused`.
    """

    def __init__(self, refused: Refused) -> None:
        super().__init__()
        self.refused = refused


class _Stopped(Exception):
    """The rest of the rows is not tried."""


class RowWriter:
    """Writes the changed and the new rows of `result`, and adds the faults to it.

    `refused` are the faults of rows that earlier attempts have found; these rows are not
    tried again.
    """

    def __init__(
        self, target: Target, actor: Identity, result: Result, refused: Refused
    ) -> None:
        self._target, self._actor, self._result = target, actor, result
        self._refused = {row: list(faults) for row, faults in refused.items()}
        self._may_begin_again = False

    def write(self, *, may_begin_again: bool) -> None:
        """Write the rows; nothing may be committed if there are faults afterwards.

        Raises `BeginAgain` where the rows behind a refused one cannot be tried, if the
        caller can begin again.
        """
        self._may_begin_again = may_begin_again
        try:
            self._change_all()
            self._create_all()
        except _Stopped:
            pass
        self._result.faults += chain.from_iterable(self._refused.values())

    def _change_all(self) -> None:
        may, message = self._target.may_change, texts.IMPORT_MAY_NOT_CHANGE
        readable = self._readable(self._result.updated, may, message, self._read_change)
        for change, values in readable:
            self._try([change], _fault_of_row, self._update, change, values)

    def _create_all(self) -> None:
        may, message = self._target.may_create, texts.IMPORT_MAY_NOT_CREATE
        read = self._target.read_new
        readable = list(self._readable(self._result.created, may, message, read))
        if self._target.create_all is not None:
            self._create_together(readable)
            return
        for change, values in readable:
            made = self._try([change], _fault_of_row, self._create, values)
            if made is not None:
                change.record_id = _id_of(made)

    def _create_together(self, items: list[tuple[Change, Values]]) -> None:
        """Create the records at once, without those that are refused.

        Most refusals name the first item that is refused: those before it wait until
        those behind it have been tried, so that no item is checked again and again.
        """
        waiting: list[tuple[Change, Values]] = []
        while items or waiting:
            if not items:
                items, waiting = waiting, []
            changes = [change for change, _ in items]
            values = [one for _, one in items]
            made = self._try(changes, _faults_of_items, self._create_items, values)
            if made is None:
                known = [change.row in self._refused for change in changes]
                first = known.index(True)
                waiting += items[:first]
                items = [
                    one
                    for one, is_refused in zip(items, known, strict=True)
                    if not is_refused
                ][first:]
                continue
            for change, one in zip(changes, made, strict=True):
                change.record_id = _id_of(one)
            items = []

    def _readable(
        self,
        changes: Sequence[Change],
        may: bool,
        forbidden: Bilingual,
        read: Callable[[Values], Values],
    ) -> Iterator[tuple[Change, Values]]:
        """Yield the rows whose bodies are valid with their values; others are faults."""
        for change in yielding(changes):
            if change.row in self._refused:
                continue
            if not may:
                self._result.faults.append(Fault(change.row, "", forbidden))
                continue
            try:
                yield change, read(change.body)
            except Invalid as refusal:
                self._result.faults += _faults(refusal, change)

    def _read_change(self, body: Values) -> Values:
        return self._target.read_change(body, partial=True)

    def _update(self, change: Change, values: Values) -> Any:
        return self._target.update(
            model=self._target.model,
            record_id=change.record_id,
            values=values,
            actor=self._actor,
        )

    def _create(self, values: Values) -> Any:
        model, actor = self._target.model, self._actor
        return self._target.create(model=model, values=values, actor=actor)

    def _create_items(self, items: Sequence[Values]) -> Sequence[Any]:
        assert self._target.create_all is not None
        model, actor = self._target.model, self._actor
        return self._target.create_all(model=model, items=items, actor=actor)

    def _try(
        self,
        changes: Sequence[Change],
        faults_of: Callable[[Refusal, Sequence[Change]], Iterator[FaultOf]],
        act: Callable[..., Any],
        *args: Any,
    ) -> Any:
        """Return what was made of rows; None if one of them is refused."""
        before = outbox.additions()
        try:
            return act(*args)
        except Refusal as refusal:
            found = list(faults_of(refusal, changes))
            self._refuse(changes, found, refusal.message)
        except DuplicateKeyError:
            self._refuse(changes, [], texts.IMPORT_DUPLICATE)
            self._begin_again()  # it has ended the transaction
        if outbox.additions() > before:
            self._begin_again()
        return None

    def _refuse(
        self, changes: Sequence[Change], found: Sequence[FaultOf], message: Bilingual
    ) -> None:
        """Keep the faults of refused rows; if none is found, it is one of all rows."""
        first = changes[0]
        for change, fault in found or [(first, Fault(first.row, "", message))]:
            self._refused.setdefault(change.row, []).append(fault)
        is_certain = bool(found) or len(changes) == 1
        if not is_certain or len(self._refused) >= MAX_REFUSED_ROWS:
            raise _Stopped

    def _begin_again(self) -> NoReturn:
        raise BeginAgain(self._refused) if self._may_begin_again else _Stopped


def _id_of(made: Any) -> ObjectId:
    """Return the id of what was made: a record, or a list that begins with it."""
    found: ObjectId = (made[0] if isinstance(made, list) else made).pk
    return found


def _faults(refusal: Refusal, change: Change) -> list[Fault]:
    if isinstance(refusal, Invalid):
        return [change.fault(one["field"], one["message"]) for one in refusal.faults]
    return [Fault(change.row, "", refusal.message)]


def _fault_of_row(refusal: Refusal, changes: Sequence[Change]) -> Iterator[FaultOf]:
    """Yield the faults of the only row."""
    yield from ((changes[0], fault) for fault in _faults(refusal, changes[0]))


def _faults_of_items(refusal: Refusal, changes: Sequence[Change]) -> Iterator[FaultOf]:
    """Yield the faults of a bulk create by row, instead of by the index of an item.

    None where the refusal does not name an item.
    """
    if (index := refusal.details.get("index")) is not None:
        change = changes[index]
        yield from ((change, fault) for fault in _faults(refusal, change))
        return
    for one in refusal.faults if isinstance(refusal, Invalid) else ():
        _, item, name = one["field"].split(".", 2)
        change = changes[int(item)]
        yield change, change.fault(name, one["message"])
