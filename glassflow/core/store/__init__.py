"""The store: the connection, transactions, locks, counters, the outbox, files and migrations."""
