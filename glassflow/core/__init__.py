"""What use cases are built on, in four packages; none of them knows the workshop.

`process` needs no store, `store` has transactions and what happens in them, `events` the
log of what was published, `access` sessions, logins and limits. The request's identity
and the actor of its changes are used by all of them.
"""
