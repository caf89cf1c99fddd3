"""For clients written against the service that this one replaces.

Settings only, so it may be laid over another: GLASSFLOW_CONFIG=production,compat.
"""

EXPAND_REFERENCES = True
DELETE_POLICY = "cascade"
SCAN_POLICY = "lenient"
MAX_PAGE_SIZE = 1000
DEFAULT_PAGE_SIZES = {"panes": 200, "pane-logs": 100}
FREE_PERMISSION_KEYS = True
CORS_ORIGINS = ["*"]
