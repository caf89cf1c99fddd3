"""What was published: the event log, deliveries to webhooks, dead letters, the history."""
