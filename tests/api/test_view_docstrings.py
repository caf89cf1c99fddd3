"""Every route's view says in one imperative sentence what it does."""

import re

import pytest

# Beginnings that are no imperative: articles, pronouns and nouns.
NOT_IMPERATIVE = {"A", "An", "The", "This", "That", "It", "All", "Every", "One", "What"}
# A sentence ends with a full stop; none is inside of it. The N is that of "PIN".
ONE_SENTENCE = re.compile(r"[A-Z][^.?!]*[a-zN)`\]0-9]\.")


def fault(docstring):
    """Return what is wrong with the docstring of a view, None if nothing is."""
    text = " ".join((docstring or "").split())
    if not text:
        return "there is no docstring"
    if not ONE_SENTENCE.fullmatch(text):
        return f"not one sentence: {text}"
    first = text.split()[0].rstrip(",")
    third_person = re.search(r"[^s]s$|ing$|[^e]ed$", first)
    if first in NOT_IMPERATIVE or third_person:
        return f"not imperative: {text}"
    return None


def test_every_view_has_a_docstring_of_one_imperative_sentence(app):
    faults = {
        f"{rule.rule} ({rule.endpoint})": found
        for rule in app.url_map.iter_rules()
        if (found := fault(app.view_functions[rule.endpoint].__doc__))
    }
    assert faults == {}


def test_the_check_reads_the_views_and_not_their_decorators(app):
    texts = {view.__doc__ for view in app.view_functions.values()}
    assert "Scan one pane." in texts
    assert len(texts) > 20


@pytest.mark.parametrize(
    "docstring",
    [
        None,
        "",
        "Returns the price list.",
        "The price list.",
        "Listing of panes.",
        "Return the price list",
        "Return the price list. It is made from the seeds.",
    ],
)
def test_other_docstrings_are_found(docstring):
    assert fault(docstring)
