"""One card a resource; `CARDS` and `ALL` list them in the documentation's order."""

from flask import Blueprint

from glassflow.blueprints import (
    auth,
    claims,
    customers,
    dashboard,
    health,
    inventories,
    job_types,
    material_logs,
    materials,
    notifications,
    orders,
    pane_logs,
    panes,
    pricing_settings,
    production_logs,
    requests,
    roles,
    station_templates,
    stations,
    sticker_templates,
    withdrawals,
    workers,
)
from glassflow.web.resource import Resource

_RECORDS = (
    workers,
    roles,
    customers,
    materials,
    inventories,
    material_logs,
    requests,
    orders,
    claims,
    panes,
    pane_logs,
    production_logs,
    stations,
    station_templates,
    sticker_templates,
    job_types,
    pricing_settings,
    notifications,
    withdrawals,
)
CARDS: tuple[Resource, ...] = tuple(card.resource for card in _RECORDS)
ALL: tuple[Blueprint, ...] = (
    auth.blueprint,
    *(card.blueprint for card in _RECORDS),
    dashboard.blueprint,
    health.blueprint,
)
