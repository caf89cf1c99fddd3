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
        "token": {**TEXT, "description": "Sent as `Authorization: Bearer <token>`."},
        "worker": record("Worker"),
    },
    title="Login",
)
DEVICE_LOGIN = members(
    {
        "token": {**TEXT, "description": "The worker's, for this device only."},
        "expiresIn": {**NUMBER, "description": "Seconds."},
        "worker": record("Worker"),
        "permissions": array(TEXT, description="What both roles allow."),
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
        "agent": {**TEXT, "description": "What the program calls itself."},
        "device": nullable(members({"_id": ID, "name": TEXT}, title="SharedDevice")),
        "current": {**BOOLEAN, "description": "Whether this request belongs to it."},
    },
    title="Session",
)
SESSIONS = array(SESSION)
_API_KEY = {
    "_id": {**TEXT, "description": "The part of the key by which it is known."},
    "name": TEXT,
    "scopes": array(TEXT),
    "createdAt": TIME,
    "expiresAt": nullable(TIME),
    "lastUsedAt": described(nullable(TIME), "To the hour."),
    "isExpired": BOOLEAN,
}
API_KEYS = array(members(_API_KEY, title="ApiKey"))
NEW_API_KEY = members(
    {**_API_KEY, "key": {**TEXT, "description": "Shown this once."}},
    title="NewApiKey",
)
RESET_PASSWORD = members(
    {
        "worker": record("Worker"),
        "password": {**TEXT, "description": "One-time, shown this once."},
    },
    title="ResetPassword",
)
