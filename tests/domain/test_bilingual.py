"""Texts in two languages: which forms they have, and how facts are filled in."""

import ast
import copy
import importlib
import pkgutil
import re
from pathlib import Path

import pytest
from marshmallow import fields

import glassflow
from glassflow.domain import errors, texts
from glassflow.domain.bilingual import Bilingual, listed, name_in
from glassflow.models import ALL
from glassflow.schemas.library_messages import use_bilingual

THAI = re.compile(r"[\u0e00-\u0e7f]")
GREETING = Bilingual("Hello {name}", th="สวัสดี {name}")
ROOT = Path(glassflow.__file__).parent
STORED_TEXTS = {"reason", "location"}
# What takes a text for users as its first argument.
TAKES_TEXT = {"ValidationError", "failure", "_refused", "refused"} | {
    name
    for name, one in vars(errors).items()
    if isinstance(one, type) and issubclass(one, errors.Refusal)
}


def all_texts():
    """Every text of `glassflow.domain.texts`, by name; those of tables by name and key."""
    for name, found in vars(texts).items():
        if isinstance(found, Bilingual):
            yield name, found
        elif isinstance(found, dict) and name.isupper():
            for key, one in found.items():
                yield f"{name}[{key}]", one


def test_package_has_the_texts_of_each_of_its_modules_and_no_name_twice():
    found = {}
    for one in pkgutil.iter_modules(texts.__path__, f"{texts.__name__}."):
        module = importlib.import_module(one.name)
        names = {name for name in vars(module) if name.isupper()}
        assert names
        assert not names & found.keys()
        found |= {name: getattr(module, name) for name in names}
    assert found == {name: one for name, one in vars(texts).items() if name.isupper()}


def test_every_text_is_in_thai_and_in_english():
    found = dict(all_texts()) | {model.__name__: model.label for model in ALL}
    assert len(found) > 250
    for name, text in found.items():
        assert isinstance(text, Bilingual), name
        assert not THAI.search(text.in_language("en")), name
        is_fact = name == "COUNTED"  # has no words but those that are filled in
        assert is_fact or THAI.search(text.in_language("th")), name
        assert str(text) in (text.in_language("en"), text.in_language("th")), name


def test_text_with_one_language_or_other_names_cannot_be_made():
    for languages in ({}, {"th": "ก", "en": "a"}):
        with pytest.raises(TypeError):
            Bilingual("a", **languages)
    with pytest.raises(ValueError, match="other names"):
        Bilingual("{left} of {total}", th="{left}")


def test_facts_are_filled_in_in_the_language_of_the_text():
    text = GREETING.format(name=listed([Bilingual("Ann", th="แอน"), "Bo"]))
    assert str(text) == text.in_language("en") == "Hello Ann, Bo"
    assert text.in_language("th") == "สวัสดี แอน, Bo"
    copied = copy.deepcopy(Bilingual("ก {a}", en="k {a}")).format(a=1)
    assert (copied, copied.in_language("en")) == ("ก 1", "k 1")
    braces = GREETING.format(name="{x}")
    assert braces.in_language("th") == "สวัสดี {x}"


def test_no_message_is_written_in_one_language_only():
    """The layers above the domain are not type-checked: no literal is passed as a text."""
    found = []
    for module in pkgutil.walk_packages([str(ROOT)], "glassflow."):
        if module.name == "glassflow.settings":
            continue  # its errors are read by operators only, in English
        path = ROOT.parent / f"{module.name.replace('.', '/')}.py"
        if module.ispkg:
            path = path.with_suffix("") / "__init__.py"
        tree = ast.parse(path.read_text())
        found += [f"{module.name}:{line}" for line in literal_messages(tree)]
    assert found == []


def test_no_reason_place_or_fault_that_is_stored_is_written_in_one_language_only():
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for package in ("services", "realtime")
        for path in sorted((ROOT / package).rglob("*.py"))
        for line in literal_stored_texts(ast.parse(path.read_text("utf-8")))
    ]
    assert found == []


def literal_stored_texts(tree):
    """The lines that pass a literal, or a name of one, as `reason`, `location` or fault."""
    assigned = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        given = [one.value for one in node.keywords if one.arg in STORED_TEXTS]
        if getattr(node.func, "id", "") == "Outcome":  # of a delivery: answered, fault
            given += node.args[1:2]
        named = [assigned.get(getattr(one, "id", ""), one) for one in given]
        if any(is_literal(branch) for one in named for branch in branches(one)):
            yield node.lineno


def branches(node):
    """The values that an expression may have."""
    parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else []
    parts += node.values if isinstance(node, ast.BoolOp) else []
    return [leaf for part in parts for leaf in branches(part)] or [node]


def is_literal(node):
    """Whether an expression is a text that is not empty."""
    value = getattr(node, "value", None)
    return isinstance(node, ast.JoinedStr) or (isinstance(value, str) and value != "")


def literal_messages(tree):
    """The lines that pass a literal where a text for users is expected."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            given = node.args[:1] if name in TAKES_TEXT else []
        elif isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            given = [v for k, v in pairs if getattr(k, "value", "") == "message"]
        else:
            continue
        for one in given:
            if is_literal(one):
                yield node.lineno


def test_literal_messages_are_found():
    bad = 'raise Refusal("x")\nfail({"field": a, "message": f"{b} x"})\nNotFound("y")'
    assert sorted(literal_messages(ast.parse(bad))) == [1, 2, 3]


def test_literals_that_are_stored_are_found():
    bad = 'PLACE = "x"\nLot(location=PLACE)\nlog(reason=given or "y")'
    bad += '\nOutcome(200, None if is_success else f"answered {status}")'
    good = 'log(reason=given or "", location=texts.PLACE)\nOutcome(200, None)'
    assert sorted(literal_stored_texts(ast.parse(bad))) == [2, 3, 4]
    assert not list(literal_stored_texts(ast.parse(good)))


def test_messages_of_the_library_need_a_translation():
    for field in (fields.Email(), fields.List(fields.UUID())):
        with pytest.raises((KeyError, AssertionError)):
            use_bilingual(field)


@pytest.mark.parametrize(
    ("name", "thai", "english"),
    [
        ("กระจกเงา (Mirror)", "กระจกเงา", "Mirror"),
        ("Mirror (กระจกเงา)", "กระจกเงา", "Mirror"),
        ("กระจกลามิเนต 2 ชั้น (Laminated, 2 sheets)", "กระจกลามิเนต 2 ชั้น", "Laminated, 2 sheets"),
        *((one, one, one) for one in ("", "กระจกเงา", "Mirror (5)", "กระจกเงา (5)", "Table (top)")),
    ],
)  # fmt: skip
def test_name_in_two_languages_has_a_half_in_each(name, thai, english):
    assert (name_in(name, "th"), name_in(name, "en")) == (thai, english)
