"""Answers about the set-up of a workshop."""

from glassflow.schemas.shapes import (
    BOOLEAN,
    COUNT,
    array,
    choice,
    described,
    mapping,
    members,
    nullable,
)

_NAMES = (
    "workshop", "stations", "hours", "prices", "materials", "labels", "people", "customers",
    "requests",
)  # fmt: skip
STEPS = members(
    {
        "steps": array(
            members(
                {
                    "name": choice(_NAMES),
                    "isDone": BOOLEAN,
                    "count": described(
                        nullable(COUNT),
                        "How many records there are; null for the workshop, its hours and the prices.",
                    ),
                },
                title="SetupStep",
            )
        ),
        "isComplete": described(BOOLEAN, "Whether each of these steps is done."),
    },
    title="Setup",
)
ADDED = members(
    {"added": described(mapping(COUNT), "How many records of each kind were added.")},
    title="ReadyMade",
)
