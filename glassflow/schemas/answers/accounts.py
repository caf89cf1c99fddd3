"""Answers about accounts: login, shared devices, sessions, API keys, new passwords."""

from glassflow.core.access.logins import LoginKind
from glassflow.schemas.shapes import (
    BOOLEAN,
    ID,
    NUMBER,
    TEXT,
    TIME,
    array,
    choice,
    described,
    members,
    nullable,
    record,
)

LOGIN = members(
    {
        "token": described(TEXT, "Sent as `Authorization: Bearer <token>`."),
        "worker": record("Worker"),
    },
    title="Login",
)
DEVICE_LOGIN = members(
    {
        "token": described(TEXT, "The worker's, for this device only."),
        "expiresIn": described(NUMBER, "Seconds."),
        "worker": record("Worker"),
        "permissions": described(array(TEXT), "What both roles allow."),
    },
    title="DeviceLogin",
)
DEVICE_PEOPLE = array(members({"_id": ID, "name": TEXT}, title="DevicePerson"))
SESSION = members(
    {
        "_id": TEXT,
        "kind": choice(one for one in LoginKind if one is not LoginKind.API_KEY),
        "startedAt": TIME,
        "lastSeenAt": described(nullable(TIME), "To the hour."),
        "expiresAt": TIME,
        "address": TEXT,
        "agent": described(TEXT, "What the program calls itself."),
        "device": nullable(members({"_id": ID, "name": TEXT}, title="SharedDevice")),
        "current": described(BOOLEAN, "Whether this request belongs to it."),
    },
    title="Session",
)
SESSIONS = array(SESSION)
_API_KEY = {
    "_id": described(TEXT, "The part of the key by which it is known."),
    "name": TEXT,
    "scopes": array(TEXT),
    "createdAt": TIME,
    "expiresAt": nullable(TIME),
    "lastUsedAt": described(nullable(TIME), "To the hour."),
    "isExpired": BOOLEAN,
}
API_KEYS = array(members(_API_KEY, title="ApiKey"))
NEW_API_KEY = members(
    {**_API_KEY, "key": described(TEXT, "Shown this once.")},
    title="NewApiKey",
)
RESET_PASSWORD = members(
    {
        "worker": record("Worker"),
        "password": described(TEXT, "One-time, shown this once."),
    },
    title="ResetPassword",
)
