"""Webhooks: sends the events of the log to the receivers, in order for each of them."""

from glassflow.jobs.webhooks.dispatcher import Dispatcher

__all__ = ["Dispatcher"]
