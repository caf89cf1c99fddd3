"""A store that cannot write, as on a full disk."""

import resource


def stop_writing(store):
    """Let all writes to files fail, of this process of the store only."""
    limit = (1, resource.RLIM_INFINITY)
    resource.prlimit(store.process.pid, resource.RLIMIT_FSIZE, limit)
