"""For production: requires a replica set, strong secrets and https for webhooks;
logs requests."""

HOST = "0.0.0.0"
STRICT_START = True
DEMO = False
WEBHOOK_HTTP = False
ACCESS_LOG = True
PASSWORD_MIN_LENGTH = 10
PASSWORD_REFUSE_COMMON = True
