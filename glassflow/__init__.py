"""glassflow: a glass workshop's production, from request to finished pane, live."""

__version__ = "1.0.0"
