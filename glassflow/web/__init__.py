"""The Flask kernel: envelopes, errors, paging, permissions. It knows no glass."""
