"""The Flask kernel: envelopes, errors, paging, permissions. It contains no workshop rules."""
