"""Who makes a request: a worker, their role and its permission keys."""

from dataclasses import dataclass

from bson import ObjectId

from glassflow.domain import permissions
from glassflow.domain.errors import Forbidden


@dataclass(frozen=True, slots=True)
class Identity:
    """An authenticated worker, and the permission keys of their role.

    `keys` includes implied keys. `scan_stations` are the ids of the stations at which the
    worker may scan, None for all stations. `token_digest` identifies the token without revealing
    it; `expires_at` is when it stops being accepted, in epoch seconds; `session_id` is
    the browser session that issued it, or the device session of a worker who has
    identified on a shared device, empty for a token of `POST /api/auth/login`.
    `login_start` is when the login of the token began, in epoch seconds. `is_device` tells that this
    is the account of a shared device; `device_id` and `device_role_id` are those of the
    device on which the worker has identified, and `device_station` the station that this
    device is bound to, if it is to one. `api_key` is the prefix of the API key that the
    caller uses instead of a token; `must_change_password` tells that nothing else is open
    to them until they have a new password.
    """

    worker_id: ObjectId
    name: str
    role_id: ObjectId
    keys: frozenset[str]
    token_digest: str = ""
    expires_at: float = 0.0
    session_id: str = ""
    login_start: float = 0.0
    is_device: bool = False
    device_id: ObjectId | None = None
    device_role_id: ObjectId | None = None
    device_station: ObjectId | None = None
    api_key: str = ""
    must_change_password: bool = False
    scan_stations: frozenset[str] | None = None

    @property
    def login(self) -> str:
        """What identifies the login: its API key or session, else the token."""
        return self.api_key or self.session_id or self.token_digest

    @property
    def is_own_login(self) -> bool:
        """Whether a person has logged in with a password, on a device of their own."""
        return not (self.api_key or self.is_device or self.device_id)

    def depends_on(self, kind: str, record_id: ObjectId) -> bool:
        """Return whether a changed `Worker` or `Role` may end or change the identity."""
        if kind == "Worker":
            return record_id in (self.worker_id, self.device_id)
        return record_id in (self.role_id, self.device_role_id)

    def may(self, key: str) -> bool:
        """Return whether the worker holds a key, directly or by implication."""
        return permissions.holds(self.keys, key)

    def require(self, key: str) -> None:
        """Raise `Forbidden` unless the worker holds the key."""
        if not self.may(key):
            raise Forbidden()
