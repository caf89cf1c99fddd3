"""For real: a replica set and a secret of one's own, or no start at all."""

HOST = "0.0.0.0"
STRICT_START = True
DEMO = False
