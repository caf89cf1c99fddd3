"""A statement does not wait for the commit of another session's transaction.

SPDX-License-Identifier: GPL-2.0-only
"""

import threading

from secantus.transactions import TransactionRegistry
from store_run import end

is_committing, may_end = threading.Event(), threading.Event()


def commit(transaction: object) -> None:
    """Take long, as a write to a slow disk does."""
    is_committing.set()
    may_end.wait(10)


registry = TransactionRegistry(commit_func=commit)
registry.for_statement(b"1" * 16, None, 1, start=True)
committing = threading.Thread(target=registry.commit, args=[b"1" * 16, 1])
committing.start()
is_committing.wait()
begun = threading.Event()


def begin() -> None:
    registry.for_statement(b"2" * 16, None, 1, start=True)
    begun.set()


beginning = threading.Thread(target=begin)
beginning.start()
is_free = begun.wait(1)
may_end.set()
committing.join()
beginning.join()
end(is_free, f"another session {'began' if is_free else 'waited for the commit'}")
