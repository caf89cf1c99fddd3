"""Browsers without pages."""

import pytest

from page_client import PageClient


@pytest.fixture
def browser(server, workshop):
    """A browser in which nobody is logged in."""
    return PageClient(server)


@pytest.fixture
def browsers(server, workshop):
    """Makes a browser that is logged in as a worker: `browsers(worker)`."""

    def make(worker):
        client = PageClient(server)
        assert client.log_in(worker.username).status == 200
        return client

    return make
