"""The order of the test files: those that take longest first, so that none ends alone.

`make test` gives whole files to its processes, in this order (`--dist loadfile`). Those
that mostly compute (with a browser) and those that mostly wait (for starts and kills) take
turns, so that the processes do not all compute, or all wait, at once.
"""

from pathlib import Path

TESTS = Path(__file__).parent
LONGEST = (
    "api_docs/test_fuzzed_requests.py",
    "faults/test_launch.py",
    "browser/test_every_page.py",
    "faults/test_restarts.py",
    "api_docs/test_generated_clients.py",
    "services/test_random_days.py",
    "browser/test_station_page.py",
    "faults/test_kills.py",
    "browser/test_office_stock.py",
    "realtime/test_soak.py",
    "realtime/test_client_modules.py",
    "browser/test_office_claims.py",
    "faults/test_store_away.py",
    "faults/test_backups.py",
    "browser/test_demo_day_on_screens.py",
    "realtime/test_redis_faults.py",
    "browser/test_office_pages.py",
    "faults/test_container_host.py",
    "browser/test_office_from_nothing.py",
    "faults/test_idempotency_kills.py",
    "browser/test_office_requests.py",
    "realtime/test_processes.py",
    "browser/test_floor_pages.py",
    "faults/test_nginx.py",
    "browser/test_offline.py",
    "faults/test_demo_day.py",
    "browser/test_office_records.py",
    "services/test_round_trips.py",
    "browser/test_browser_catches_up.py",
    "faults/test_overload.py",
    "browser/test_board_page.py",
    "faults/test_rolling_upgrade.py",
    "browser/test_shared_devices_page.py",
    "api_docs/test_openapi.py",
    "browser/test_camera.py",
    "faults/test_server_answers.py",
    "browser/test_labels_page.py",
    "services/claims/test_claim_races.py",
    "browser/test_office_pictures.py",
    "realtime/test_transport.py",
    "browser/test_office_labels.py",
    "faults/test_https.py",
    "browser/test_board_of_processes.py",
    "services/stock/test_random_stock_days.py",
    "browser/test_request_to_delivery.py",
    "realtime/test_handshakes.py",
    "embedded/test_store.py",
    "services/stock/test_stock_races.py",
    "test_databases.py",
    "services/deletion/test_deletion_races.py",
    "faults/test_newer_store.py",
    "api/test_fuzz.py",
    "services/scanning/test_scan_races.py",
    "test_wheel.py",
    "faults/test_webhook_restarts.py",
    "services/tables/test_cells.py",
    "browser/test_drawing.py",
    "browser/test_office_transfer.py",
    "services/test_seeding.py",
    "realtime/test_limits.py",
    "faults/test_metrics_of_processes.py",
    "api/test_claim_outcomes.py",
    "api/test_every_resource.py",
    "realtime/test_every_event.py",
    "realtime/test_webhook_deliveries.py",
)


def longest_first(items):
    """Move the tests of the longest files to the begin; all others keep their order."""
    ranks = {TESTS / name: rank for rank, name in enumerate(LONGEST)}
    items.sort(key=lambda item: ranks.get(item.path, len(LONGEST)))
