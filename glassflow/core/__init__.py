"""What use cases are built on: time, numbers, transactions, locks, outbox and event log."""
