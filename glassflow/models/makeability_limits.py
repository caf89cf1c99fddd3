"""Makeability limits: what the workshop can make of glass, one document."""

from dataclasses import asdict

from mongoengine import BooleanField

from glassflow.core.process.naming import camel
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.makeability import Limits
from glassflow.models.base import Record
from glassflow.models.fields import ObjectField, Ref


def default_limits() -> dict[str, float]:
    """Return the default limits by their names on the wire; see `domain.makeability`."""
    return {camel(name): value for name, value in asdict(Limits()).items()}


class MakeabilityLimits(Record):
    """The limits by which panes are judged, in mm, `heaviest` in kg.

    `is_strict`: no order is created of panes that cannot be made.
    """

    meta = {"collection": "makeability_limits"}
    label = Bilingual("Makeability limits", th="ขีดจำกัดการผลิต")

    limits = ObjectField(shape=default_limits)
    is_strict = BooleanField(default=False)
    updated_by = Ref("Worker")
