"""The walk through the answers of `explain`, on plans as MongoDB writes them."""

import pytest

from explain_plans import stages

INDEXED = {
    "queryPlanner": {
        "namespace": "glassflow.panes",
        "winningPlan": {
            "stage": "LIMIT",
            "limitAmount": 20,
            "inputStage": {
                "stage": "FETCH",
                "inputStage": {
                    "stage": "IXSCAN",
                    "keyPattern": {"listed": 1, "createdAt": 1, "_id": 1},
                    "direction": "backward",
                },
            },
        },
        "rejectedPlans": [{"stage": "SORT", "inputStage": {"stage": "COLLSCAN"}}],
    }
}
SORTED = {
    "queryPlanner": {
        "winningPlan": {
            "isCached": False,
            "queryPlan": {
                "stage": "SORT",
                "sortPattern": {"createdAt": -1},
                "inputStage": {"stage": "COLLSCAN", "direction": "forward"},
            },
            "slotBasedPlan": {"stages": "[2] sort"},
        }
    }
}
MERGED = {
    "queryPlanner": {
        "winningPlan": {
            "stage": "FETCH",
            "inputStage": {
                "stage": "SORT_MERGE",
                "inputStages": [{"stage": "IXSCAN"}, {"stage": "IXSCAN"}],
            },
        }
    }
}
SHARDED = {
    "queryPlanner": {
        "winningPlan": {
            "stage": "SHARD_MERGE",
            "shards": [
                {"shardName": "a", "winningPlan": {"stage": "EOF"}},
                {
                    "shardName": "b",
                    "winningPlan": {"stage": "SORT", "inputStage": {"stage": "IXSCAN"}},
                },
            ],
        }
    }
}


@pytest.mark.parametrize(
    ("explained", "found"),
    [
        (INDEXED, ["LIMIT", "FETCH", "IXSCAN"]),
        (SORTED, ["SORT", "COLLSCAN"]),
        (MERGED, ["FETCH", "SORT_MERGE", "IXSCAN", "IXSCAN"]),
        (SHARDED, ["SHARD_MERGE", "EOF", "SORT", "IXSCAN"]),
    ],
)
def test_stages_of_a_plan_are_listed_without_those_of_rejected_plans(explained, found):
    assert stages(explained) == found
