"""The rules of a pane: statuses, the scan table, routes, lamination, remakes."""
