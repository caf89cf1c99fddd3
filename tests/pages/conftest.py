"""Browsers without pages, and the files of the pages."""

import pytest

from page_client import PageClient
from page_files import joined_pages, written_pages


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


@pytest.fixture
def written():
    """The files of the pages where `make pages` has not run."""
    return written_pages()


@pytest.fixture
def joined():
    """The files of the pages as `make pages` joins them."""
    return joined_pages()
