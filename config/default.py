"""Every setting with its default; profiles and the environment override them.

An environment variable of the same name wins over all files; it is parsed as the type of
the value here (lists: commas between; numbers by name: `panes=200,pane-logs=100`).
docs/settings.md explains each one, and a test compares the two.
"""

# The address to listen on, and the number of processes (REDIS_URL makes events between
# several quicker).
HOST = "127.0.0.1"
PORT = 8000
HTTPS_PORT = 0  # 0: no https
WORKERS = 1

# The stores. Without MONGODB_URI `make run` starts the embedded store under DATA_DIR.
MONGODB_URI = ""
MONGODB_DB = "glassflow"
DATA_DIR = "var"
REDIS_URL = ""
EVENT_RETENTION = "7d"
HISTORY_RETENTION = "1826d"  # five years
# From what age `flask archive` moves the logs of finished panes into a file (empty: never).
ARCHIVE_AFTER = ""

# Backups: how often the service makes one (empty: never), where (below DATA_DIR, unless it
# begins with a slash), and how many are kept.
BACKUP_EVERY = ""
BACKUP_DIR = "backups"
BACKUP_KEEP = 7

# Authentication. Without JWT_SECRET one is generated once and stored in DATA_DIR.
JWT_SECRET = ""
JWT_EXPIRES_IN = "7d"
LOGIN_ATTEMPTS_PER_MINUTE = 10
LOGIN_ATTEMPTS_PER_ADDRESS = 60
LOGIN_ATTEMPTS_PER_USERNAME = 30
# Who works on a shared device identifies with a badge or a PIN, and leaves it by that time.
DEVICE_ATTEMPTS_PER_MINUTE = 30
PIN_ATTEMPTS_PER_MINUTE = 5
PIN_FAILURES_PER_DAY = 20
DEVICE_IDLE_TIME = "10m"
# New passwords: how long at least, and whether common ones and the username are refused.
PASSWORD_MIN_LENGTH = 6
PASSWORD_REFUSE_COMMON = False
ARGON2_TIME_COST = 3
ARGON2_MEMORY_KIB = 65536
CORS_ORIGINS: list[str] = []
TRUSTED_PROXIES = 0
ALLOWED_HOSTS: list[str] = []
# The address under which customers open the service, for links; without it, that of a request.
PUBLIC_URL = ""
READ_ALL = False
PERMISSION_SETS: dict[str, list[str]] = {}
FREE_PERMISSION_KEYS = False

# The time zone (IANA) whose days are "today", the days of charts and
# dates without a time.
TIMEZONE = "Asia/Bangkok"

# API behaviour where the specification leaves a choice.
EXPAND_REFERENCES = False
DELETE_POLICY = "restrict"
SCAN_POLICY = "guided"
SCAN_REPEAT_SECONDS = 5
QR_PREFIX = "STDPLUS:"
DEFAULT_PAGE_SIZE = 20
DEFAULT_PAGE_SIZES: dict[str, int] = {}
MAX_PAGE_SIZE = 100
REQUIRE_IF_MATCH: list[str] = []
MAX_ARRAY_LENGTH = 500
MAX_BODY_BYTES = 1_048_576
MAX_CLAIM_BODY_BYTES = 10_485_760
EXPORT_MAX_ROWS = 200_000
MAX_IMPORT_ROWS = 1000
MAX_IMPORT_BYTES = 5_242_880

# Photos of claims: single reads carry them as data URLs instead of links; how long a link
# can be opened.
INLINE_PHOTOS = False
PHOTO_LINK_LIFETIME = "12h"

# Labels: network printers that take ZPL (name -> address and dpi), and sheets besides the
# usual ones (name -> columns x rows, cell, margin, pitch in mm).
PRINTERS: dict[str, list[str]] = {}
LABEL_SHEETS: dict[str, list[str]] = {}

# Rooms that hear an event besides the interface's: event name -> rooms.
EVENT_ROOMS: dict[str, list[str]] = {}

# Webhooks: networks that are not public and may be called nevertheless; whether http may
# be used besides https; how many there may be; how long an event is tried, and how long a
# webhook may fail before it is disabled.
WEBHOOK_NETWORKS: list[str] = []
WEBHOOK_HTTP = True
MAX_WEBHOOKS = 20
WEBHOOK_RETRY_FOR = "24h"
WEBHOOK_DISABLE_AFTER = "3d"

# E-mail: the SMTP server that takes it, and the sender; without a server there is none, and
# without a sender it is the address of the workshop.
SMTP_URL = ""
MAIL_FROM = ""

# Requests in work in each process; more wait up to a second, or get 503.
REQUESTS_AT_ONCE = 16

# Limits of one Socket.IO client; each refusal names its limit.
SOCKET_EVENTS_PER_SECOND = 100
SOCKET_ROOMS = 200
SOCKETS_PER_WORKER = 100
SOCKET_BACKLOG = 10_000

# Start. STRICT_START refuses a weak secret and the embedded store; with PREPARE the
# parent process of `make run` first adds indexes and seeds, with DEMO the demo workshop.
STRICT_START = False
PREPARE = False
DEMO = True
LOG_LEVEL = "INFO"

# Watch. Every process writes a line for each request with ACCESS_LOG, and shows its metrics
# to who knows METRICS_TOKEN; without one to anybody, in production to nobody.
LOG_FORMAT = "text"
ACCESS_LOG = False
METRICS_TOKEN = ""
