"""Which panes are tempered."""

import pytest

from glassflow.domain.tempering import is_tempered


@pytest.mark.parametrize(
    ("pane", "expected"),
    [
        ({"jobType": "TEMPERED"}, True),
        ({"jobType": " tempered "}, True),
        ({"jobType": "SINGLE"}, False),
        ({"jobType": ""}, False),
        ({"rawGlass": {"glassType": "Tempered clear"}}, True),
        ({"rawGlass": {"glassType": "กระจกเทมเปอร์"}}, True),
        ({"rawGlass": None, "glassType": "TEMPERED"}, True),
        ({"rawGlass": {"glassType": "Clear"}, "glassType": "Clear"}, False),
    ],
)
def test_pane_is_tempered_by_its_job_type_or_the_name_of_its_glass(pane, expected):
    assert is_tempered(pane, ["Tempered", "TEMP-LAM2"]) is expected
