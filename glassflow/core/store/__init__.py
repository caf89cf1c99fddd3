"""The store: connection, transactions, locks, counters, outbox, files, migrations."""
