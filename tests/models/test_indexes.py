"""The indexes of the models: created with what is there already, and compared."""

import gevent
import pytest

from glassflow.models import ALL
from glassflow.models.indexes import IndexRefused, create, declared, differences
from glassflow.models.job_type import JobType
from glassflow.models.pane import Pane
from greenlets import spawn


@pytest.fixture
def job_types(app):
    """The collection of job types without indexes; they return after the test."""
    collection = JobType._get_collection()
    collection.drop_indexes()
    yield collection
    collection.delete_many({})
    collection.drop_indexes()
    create([JobType])


def names(collection):
    return set(collection.index_information()) - {"_id_"}


def test_a_list_is_in_order_by_the_index_of_each_filter(app):
    found = {index.name for index in declared(Pane)}
    assert {
        "createdAt_1__id_1",
        "order_1_listed_1_createdAt_1__id_1",
        "currentStation_1_listed_1_createdAt_1__id_1",
        "currentStatus_1_createdAt_1__id_1",
    } <= found
    assert not list(differences(ALL))


def test_indexes_are_created_beside_records_and_by_several_at_once(job_types):
    job_types.insert_many([{"code": f"c{n}", "name": "x"} for n in range(50)])
    gevent.joinall([spawn(create, [JobType]) for _ in range(6)], raise_error=True)
    assert names(job_types) == {index.name for index in declared(JobType)}
    create([JobType])
    assert not list(differences([JobType]))


def test_unique_index_over_equal_values_is_refused_by_name(job_types):
    job_types.insert_many([{"code": "same"}, {"code": "same"}])
    with pytest.raises(IndexRefused, match="code_1 of job_types"):
        create([JobType])


def test_index_with_other_options_is_refused_and_found(job_types):
    job_types.create_index("code")
    with pytest.raises(IndexRefused, match="code_1 of job_types exists with other"):
        create([JobType])
    found = {one.index: one.is_missing for one in differences([JobType])}
    assert found["code_1"] is False


def test_missing_indexes_are_found(job_types):
    found = list(differences([JobType]))
    assert {one.index for one in found} == {one.name for one in declared(JobType)}
    assert all(one.is_missing and one.collection == "job_types" for one in found)
