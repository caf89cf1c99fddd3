"""The answer about what is kept."""

from glassflow.schemas.shapes import (
    BOOLEAN,
    COUNT,
    TEXT,
    TIME,
    array,
    choice,
    described,
    members,
    nullable,
)

# In the order of the table in docs/operations.md.
KINDS = (
    "master", "work", "materialLogs", "paneLogs", "pictures", "dailyFigures", "forecasts", "notices",
    "history", "eventLog", "deadLetters", "answers", "logins", "mails", "backups",
)  # fmt: skip
_KIND = members(
    {
        "name": choice(KINDS),
        "oldest": described(
            nullable(TIME),
            "When the oldest was stored; null if there is none, and for logins and mails.",
        ),
        "keptForS": described(
            nullable(COUNT),
            "After how many seconds it is removed; null if no time removes it.",
        ),
        "keptCount": described(
            nullable(COUNT), "How many are kept, the newest ones; null if that is free."
        ),
        "setting": described(nullable(TEXT), "The name of the setting that decides."),
    },
    title="KeptKind",
)
_BACKUP = members(
    {
        "at": TIME,
        "file": described(TEXT, "Its path."),
        "host": described(TEXT, "The machine that made it."),
        "bytes": COUNT,
    },
    title="LastBackup",
)
_ARCHIVE = members(
    {
        "name": TEXT,
        "at": described(TIME, "When it was written."),
        "until": described(TIME, "It has pane logs that are older."),
        "panes": COUNT,
        "logs": COUNT,
        "bytes": COUNT,
        "isThere": described(BOOLEAN, "Whether the machine that answers has the file."),
    },
    title="ArchiveOfPaneLogs",
)
KEPT = members(
    {
        "kinds": array(_KIND),
        "backupEveryS": described(
            nullable(COUNT),
            "Seconds between scheduled backups; null: none is scheduled.",
        ),
        "backup": nullable(_BACKUP),
        "archiveAfterS": described(
            nullable(COUNT),
            "How old in seconds the work is whose pane logs `flask archive` moves into a "
            "file; null: it moves none.",
        ),
        "archives": array(_ARCHIVE),
    },
    title="Kept",
    description="How long each kind of data is kept, the last backup, and the files into "
    "which old pane logs were moved.",
)
