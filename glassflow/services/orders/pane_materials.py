"""Which panes a new order takes over, and the materials that it gives to them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.process.cooperative import yielding
from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.errors import FieldFault, Invalid
from glassflow.models.material import Material
from glassflow.models.pane import Pane
from glassflow.services.records import references

# {"panes": ids, "material": id}, as a client sends it.
Choice = Mapping[str, Any]
Units = Mapping[ObjectId, Sequence[Pane]]


def chosen_of(adoptable: Sequence[Pane], chosen: Sequence[ObjectId]) -> list[Pane]:
    """Return the chosen ones of the panes that an order can take over, units as a whole.

    Raises `Invalid` for the first pane that the order cannot take over: one cause, such as
    another order made meanwhile, may concern all of them.
    """
    units = _units(adoptable)
    for place, pane_id in enumerate(chosen):
        if pane_id not in units:
            message = texts.PANE_NOT_TAKEN_OVER
            raise Invalid([{"field": f"panes.{place}", "message": message}])
    taken = {pane.pk for pane_id in chosen for pane in units[pane_id]}
    return [pane for pane in adoptable if pane.pk in taken]


def give(adopted: Sequence[Pane], chosen: Sequence[Choice]) -> None:
    """Give adopted panes the materials that are chosen for them; the caller stores them.

    A laminated unit gets its material as a whole, whichever of its panes is named. Raises
    `Invalid` for an unknown or inactive material, and for a pane that is not adopted, is
    named twice or has another material: with the first fault of each kind, since one cause,
    such as another order made meanwhile, may concern all panes.
    """
    if not chosen:
        return
    units = _units(adopted)
    faults: dict[str, FieldFault] = {}
    for fault in (*_material_faults(chosen), *_pane_faults(chosen, units)):
        faults.setdefault(fault["message"], fault)
    if faults:
        raise Invalid(list(faults.values()))
    for one in chosen:
        for pane_id in one["panes"]:
            for pane in units[pane_id]:
                pane.material = one["material"]


def _units(panes: Sequence[Pane]) -> Units:
    """Return the panes of its unit for each pane, by id; a single pane is one of its own."""
    units: dict[ObjectId, list[Pane]] = defaultdict(list)
    for pane in panes:
        units[pane.parent_pane or pane.pk].append(pane)
    return {pane.pk: unit for unit in units.values() for pane in unit}


def _material_faults(chosen: Sequence[Choice]) -> Iterator[FieldFault]:
    known = references.find_existing(Material, {one["material"] for one in chosen})
    # Without a lock: a material that is deactivated meanwhile stays with its panes.
    query = {"_id": {"$in": list(known)}, "isActive": False}
    found = Material.collection().find(query, {"_id": 1})
    inactive = {row["_id"] for row in found}
    for index, one in enumerate(chosen):
        field = f"paneMaterials.{index}.material"
        if one["material"] not in known:
            message = texts.NOT_FOUND.format(label=Material.label)
            yield {"field": field, "message": message}
        elif one["material"] in inactive:
            yield {"field": field, "message": texts.MATERIAL_INACTIVE}


def _pane_faults(chosen: Sequence[Choice], units: Units) -> Iterator[FieldFault]:
    named: set[ObjectId] = set()  # panes of all units so far
    for index, one in enumerate(yielding(chosen)):
        for place, pane_id in enumerate(one["panes"]):
            unit = units.get(pane_id, ())
            message = _fault(pane_id, unit, one["material"], named)
            if message:
                field = f"paneMaterials.{index}.panes.{place}"
                yield {"field": field, "message": message}
            named.update(pane.pk for pane in unit)


def _fault(
    pane_id: ObjectId,
    unit: Sequence[Pane],
    material: ObjectId,
    named: set[ObjectId],
) -> Bilingual | None:
    if not unit:
        return texts.PANE_NOT_TAKEN_OVER
    if pane_id in named:
        return texts.PANE_NAMED_TWICE
    if any(pane.material not in (None, material) for pane in unit):
        return texts.PANE_HAS_OTHER_MATERIAL
    return None
