"""For the test suite: cheap hashes, a random secret, a login throttle that never trips."""

import secrets

HOST = "127.0.0.1"
PORT = 0
DATA_DIR = "var/testing"
MONGODB_DB = "glassflow_test"
JWT_SECRET = secrets.token_hex(32)
ARGON2_TIME_COST = 1
ARGON2_MEMORY_KIB = 8
LOGIN_ATTEMPTS_PER_MINUTE = 1000
LOGIN_ATTEMPTS_PER_ADDRESS = 100_000
LOGIN_ATTEMPTS_PER_USERNAME = 1000
DEVICE_ATTEMPTS_PER_MINUTE = 1000
PIN_ATTEMPTS_PER_MINUTE = 1000
DEMO = False
LOG_LEVEL = "WARNING"
WEBHOOK_NETWORKS = ["127.0.0.0/8"]  # where the receivers of the tests are
