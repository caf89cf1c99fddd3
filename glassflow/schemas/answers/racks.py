"""Answers to what is done with the panes of a rack."""

from glassflow.schemas.answers.scans import BATCH_SCANNED
from glassflow.schemas.shapes import array, members, record

RACK_PANES = members(
    {"rack": record("Rack"), "panes": array(record("Pane"))},
    title="RackPanes",
    description="The rack, and the panes of the request as they are now.",
)
RACK_SCANNED = members(
    {"rack": record("Rack"), **BATCH_SCANNED["properties"]}, title="RackScanned"
)
