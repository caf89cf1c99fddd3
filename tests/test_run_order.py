from types import SimpleNamespace

from run_order import LONGEST, TESTS, longest_first


def test_longest_files_start_first_in_the_order_of_their_list():
    names = ["api/test_panes.py", LONGEST[1], "web/test_language.py", LONGEST[0]]
    items = [SimpleNamespace(path=TESTS / name) for name in names]
    longest_first(items)
    expected = [
        LONGEST[0],
        LONGEST[1],
        "api/test_panes.py",
        "web/test_language.py",
    ]
    assert [str(one.path.relative_to(TESTS)) for one in items] == expected


def test_all_files_in_the_list_exist():
    assert [name for name in LONGEST if not (TESTS / name).exists()] == []
