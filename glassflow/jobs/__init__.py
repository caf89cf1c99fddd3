"""Background work of a service process: publishing, webhooks, the history, backups.

All of it but `service_process` is done by one process at a time, which holds the
publisher lease (`core.events.publisher_lease`).
"""
