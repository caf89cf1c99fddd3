"""Two transactions that store different documents with the first arrays both commit.

SPDX-License-Identifier: GPL-2.0-only
"""

from pymongo.errors import OperationFailure
from store_run import end, running

failure = ""
with running() as db:
    db.panes.create_index("routing")
    db.panes.insert_one({"_id": 0, "routing": "cut"})
    with db.client.start_session() as one, db.client.start_session() as other:
        try:
            for number, session in enumerate((one, other), 1):
                session.start_transaction()
                document = {"_id": number, "routing": ["cut", "wash"]}
                db.panes.insert_one(document, session=session)
            one.commit_transaction()
            other.commit_transaction()
        except OperationFailure as error:
            failure = str((error.details or {}).get("codeName"))
    stored = db.panes.count_documents({})
end(stored == 3, f"{stored} of 3 documents are stored {failure}")
