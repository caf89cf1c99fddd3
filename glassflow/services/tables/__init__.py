"""Tables: lists of records as CSV or XLSX files, out of the service and into it."""
