"""Cutting settings: the rules of cutting of the workshop, one document."""

from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

from mongoengine import ListField

from glassflow.core.process.naming import camel
from glassflow.domain.aliases import Raw
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.cutting.rules import CuttingRules
from glassflow.models.base import Record
from glassflow.models.fields import ObjectField, Ref


def default_rules() -> dict[str, Any]:
    """Return the default rules by their names on the wire; see `domain.cutting.rules`."""
    return {camel(name): value for name, value in asdict(CuttingRules()).items()}


def common_shape() -> dict[str, Any]:
    """Return the rules that stand for None: None itself for remnants that are never scrap."""
    return {**default_rules(), "scrapAfterDays": None}


def row_shape() -> dict[str, Any]:
    """Return a row by thickness, in which None stands for the common rule."""
    names = [camel(one.name) for one in fields(CuttingRules)]
    return {"thickness": 0, **dict.fromkeys(names)}


def rules_of(common: Raw, rows: Sequence[Raw], thickness: float) -> CuttingRules:
    """Return the rules in force for a thickness in mm, of rules in stored form."""
    row = next((one for one in rows if one["thickness"] == thickness), {})
    return CuttingRules.of(_by_field(common), _by_field(row), thickness)


def _by_field(rules: Raw) -> dict[str, Any]:
    return {one.name: rules.get(camel(one.name)) for one in fields(CuttingRules)}


class CuttingSettings(Record):
    """The rules of cutting in mm: common ones, and those of some thicknesses.

    `by_thickness` is in the order of the thicknesses.
    """

    meta = {"collection": "cutting_settings"}
    label = Bilingual("Cutting rules", th="เกณฑ์การตัดกระจก")

    common = ObjectField(shape=common_shape)
    by_thickness = ListField(ObjectField(shape=row_shape))
    updated_by = Ref("Worker")
