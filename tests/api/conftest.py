"""Fixtures that several tests of the REST API share."""

import pytest


@pytest.fixture
def customers(workshop):
    """Seven customers, of whom some share a name and a discount."""
    return [
        workshop.customer(name=name, discount=discount, notes=f"note {index}")
        for index, (name, discount) in enumerate(
            [
                ("b", 5),
                ("a", 5),
                ("c", 0),
                ("a", 10),
                ("b", 5),
                ("a.c*", 2.5),
                ("น้ำ", 7),
            ]
        )
    ]
