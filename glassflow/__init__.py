"""glassflow: a glass workshop's production, from request to finished pane, live."""

__version__ = "0.2.0"
