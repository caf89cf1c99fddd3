"""Crowds for the races."""

import pytest

from crowd import gather


@pytest.fixture
def crowd(server, workshop):
    """Twenty different workers with a client each."""
    return gather(server, workshop)


@pytest.fixture
def judges(server, workshop):
    """Twenty who may do everything."""
    return gather(server, workshop, "admin")
