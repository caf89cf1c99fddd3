"""The order of the test files: those that take longest first, so that none ends alone.

`make test` gives whole files to its processes, in this order (`--dist loadfile`). Those
that mostly compute (with a browser) and those that mostly wait (for starts and kills) take
turns, so that the processes do not all compute, or all wait, at once.
"""

from pathlib import Path

TESTS = Path(__file__).parent
LONGEST = (
    "browser/test_every_page.py",
    "faults/test_launch.py",
    "browser/test_station_page.py",
    "realtime/test_client_modules.py",
    "browser/test_office_requests.py",
    "browser/test_office_stock.py",
    "api_docs/test_fuzzed_requests.py",
    "services/test_round_trips.py",
    "browser/test_office_records.py",
    "realtime/test_processes.py",
    "browser/test_office_claims.py",
    "embedded/test_hang_watch.py",
    "browser/test_office_pages.py",
    "services/deletion/test_deletion_races.py",
    "browser/test_offline.py",
    "services/test_random_days.py",
    "browser/test_camera.py",
    "realtime/test_handshakes.py",
    "browser/test_shared_devices_page.py",
    "realtime/test_every_event.py",
    "browser/test_floor_pages.py",
    "faults/test_server_answers.py",
    "browser/test_station_retries.py",
    "embedded/test_store.py",
    "api/test_fuzz.py",
    "api/test_claim_decisions.py",
    "browser/test_labels_page.py",
    "jobs/test_publisher.py",
    "browser/test_docs_in_browser.py",
    "services/claims/test_claim_races.py",
    "browser/test_browser_catches_up.py",
    "api/test_cancellation.py",
    "browser/test_board_page.py",
    "services/deletion/test_bulk_deletion.py",
    "browser/test_request_to_delivery.py",
    "api/test_board.py",
    "browser/test_office_labels.py",
    "api/test_commands.py",
    "browser/test_office_access.py",
    "api/test_routes.py",
    "browser/test_office_transfer.py",
    "api/test_cascade.py",
    "api/test_claim_outcomes.py",
    "services/stock/test_random_stock_days.py",
    "api/test_withdrawals.py",
    "faults/test_https.py",
    "api/test_undo.py",
    "services/stock/test_stock_races.py",
    "api/test_imports.py",
    "api/test_unit_deletion.py",
    "api/test_exported_lists.py",
    "api/test_record_history.py",
    "jobs/test_scheduled_backups.py",
    "services/test_seeding.py",
    "realtime/test_transport.py",
    "core/events/test_history_chain.py",
    "api/test_remakes.py",
    "services/records/test_newer_release.py",
    "test_databases.py",
    "realtime/test_connection_metrics.py",
    "services/scanning/test_scan_races.py",
    "api/test_metrics.py",
    "api/test_orders.py",
    "realtime/test_webhook_deliveries.py",
    "api_docs/test_openapi.py",
    "api/test_deletion.py",
    "test_watched_store.py",
)


def longest_first(items):
    """Move the tests of the longest files to the begin; all others keep their order."""
    ranks = {TESTS / name: rank for rank, name in enumerate(LONGEST)}
    items.sort(key=lambda item: ranks.get(item.path, len(LONGEST)))
