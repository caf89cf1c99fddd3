"""One event and many clients: how long, and for how much work; beside Node's server."""
