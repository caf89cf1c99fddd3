"""Every setting with its ordinary value; profiles and the environment override them.

An environment variable of the same name wins over all files; it is read as the type of
the value here (lists: commas between; numbers by name: `panes=200,pane-logs=100`).
The README's table explains each one, and a test holds the two together.
"""

# Where the service listens, and with how many processes (more than one needs REDIS_URL).
HOST = "127.0.0.1"
PORT = 8000
WORKERS = 1

# Where the data is. Without MONGODB_URI the embedded store keeps it under DATA_DIR.
MONGODB_URI = ""
MONGODB_DB = "glassflow"
DATA_DIR = "var"
REDIS_URL = ""
EVENT_RETENTION = "7d"

# Who gets in. Without JWT_SECRET one is made up once and kept in DATA_DIR.
JWT_SECRET = ""
JWT_EXPIRES_IN = "7d"
LOGIN_ATTEMPTS_PER_MINUTE = 10
ARGON2_TIME_COST = 3
ARGON2_MEMORY_KIB = 65536
CORS_ORIGINS: list[str] = []
TRUSTED_PROXIES = 0
FREE_PERMISSION_KEYS = False

# What the API does where the contract leaves a choice.
EXPAND_REFERENCES = False
DELETE_POLICY = "restrict"
SCAN_POLICY = "guided"
SCAN_REPEAT_SECONDS = 5
QR_PREFIX = "STDPLUS:"
DEFAULT_PAGE_SIZE = 20
DEFAULT_PAGE_SIZES: dict[str, int] = {}
MAX_PAGE_SIZE = 100
MAX_ARRAY_LENGTH = 500
MAX_BODY_BYTES = 1_048_576
MAX_CLAIM_BODY_BYTES = 10_485_760

# What one client may ask of the sockets; each limit is said when it is met.
SOCKET_EVENTS_PER_SECOND = 100
SOCKET_ROOMS = 200
SOCKETS_PER_WORKER = 100
SOCKET_BACKLOG = 10_000

# How it starts. STRICT_START refuses a weak secret and a store of its own making;
# PREPARE makes indexes and seeds first (`make run` sets it), with DEMO the workshop too.
STRICT_START = False
PREPARE = False
DEMO = True
LOG_LEVEL = "INFO"
