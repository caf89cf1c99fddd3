"""The user whom the program of the store lets in, known to its process only.

SPDX-License-Identifier: GPL-2.0-only

SecantusDB reads its users from its files: an administrator creates them while the program
asks for no password. So the store would have to run open first, and each copy of its files
would keep a user. Here a start knows one user, with the password of this start.
"""

from typing import Any

from secantus.auth import derive_credentials
from secantus.storage import Storage

DATABASE, NAME = "admin", "glassflow"
#: The least that drivers accept. More rounds would slow down guesses, which are hopeless for
#: a password of 32 random bytes, and each connection.
ITERATIONS = 4096


def install(password: str) -> None:
    """Let in this user with this password, and no user of the files."""
    user = {
        "user": NAME,
        "db": DATABASE,
        "credentials": derive_credentials(password, iterations=ITERATIONS).to_doc(),
        "roles": [{"role": "root", "db": DATABASE}],
    }

    def get_user(self: Storage, db: str, username: str) -> dict[str, Any] | None:
        return user if (db, username) == (DATABASE, NAME) else None

    Storage.get_user = get_user
