"""For clients written against the service that this one replaces.

It may be combined with another profile: GLASSFLOW_CONFIG=production,compat.
"""

EXPAND_REFERENCES = True
DELETE_POLICY = "cascade"
SCAN_POLICY = "lenient"
MAX_PAGE_SIZE = 1000
DEFAULT_PAGE_SIZES = {"panes": 200, "pane-logs": 100}
MAX_ARRAY_LENGTH = 2000
MAX_BODY_BYTES = 10_485_760
CORS_ORIGINS = ["*"]
INLINE_PHOTOS = True
EVENT_ROOMS = {"order:updated": ["production"]}

# The keys that the role editor of those clients writes, and what they stand for.
READ_ALL = True
FREE_PERMISSION_KEYS = True
PERMISSION_SETS = {
    "orders:create": ["requests:manage", "panes:create"],
    "orders:manage": ["requests:manage", "customers:manage", "panes:manage"],
    "inventory:manage": [
        "materials:manage",
        "material_logs:manage",
        "withdrawals:manage",
        "claims:manage",
    ],
    "production:manage": ["panes:manage", "production_logs:manage"],
    "settings:manage": ["pricing:manage", "job_types:manage"],
    "stickers:manage": ["sticker_templates:manage"],
    "stations:manage": ["station_templates:manage"],
    "users:view": ["workers:view", "roles:view"],
    "users:manage": ["workers:manage", "roles:view"],
    "station:enter:*": [
        "panes:scan",
        "claims:create",
        "withdrawals:create",
        "inventory:move",
        "production_logs:create",
    ],
}
