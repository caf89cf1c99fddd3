"""The name of a customer as people on a floor say it."""

import re
import unicodedata

_MOST_READ = 300  # of a name
MOST = 24  # letters; marks above and below one are not counted
_MOST_OF_END = 14
_CUT = "…"

_COUNTRY = re.compile(r"\(\s*(?:ประเทศไทย|thailand)\s*\)", re.IGNORECASE)
_PUBLIC = re.compile(r"\(\s*มหาชน\s*\)")
_THAI_FORM = re.compile(
    r"^(?:บริษัท|ห้างหุ้นส่วน(?:จำกัด|สามัญ)?(?:นิติบุคคล)?"
    r"|(?:บมจ|บจก|บจ|หจก|หสน|หสม)(?:\.|(?=\s)))\s*"
)
_LIMITED = re.compile(r"(?<!\S)จำกัด(?!\S)")
_LIMITED_AT_END = re.compile(r"(?<!ไม่)จำกัด(?!\S)")
_FORM = re.compile(
    r"[\s,]+(?:"
    r"(?:public\s+)?(?:company|co\.?)[\s,]*(?:limited|ltd\.?)"
    r"|(?:limited|ltd\.?)[\s,]*(?:partnership|part\.?)"
    r"|(?:pte|pty)\.?[\s,]*(?:limited|ltd\.?)"
    r"|ltd\.?|plc\.?|pcl\.?|inc\.?|llc\.?|gmbh"
    r"|(?:limited|incorporated|corporation|corp\.?|co\.?)(?=\s*(?:\(|$))"
    r")(?=$|[\s,()])",
    re.IGNORECASE,
)
# What tells a branch from another one stands at the end.
_BRANCH = re.compile(r"(?:สาขา|\(|\s-\s|(?<=\s)(?:\S+\s)?branch\b).*$", re.IGNORECASE)
_LEADING_VOWELS = frozenset("เแโใไ")
_SARA_AM = "ำ"  # a vowel with a mark above the letter before it


def short_name(name: str) -> str:
    """Return a customer's name without the legal form, cut to about `MOST` letters.

    Where it is cut, what tells customers of like names from each other stays: the branch,
    else the last word. A name that is not empty has a short name that is not empty.
    """
    whole = " ".join(name[:_MOST_READ].split())
    said = _without_form(whole) or whole
    return _cut(said) or name


def _without_form(name: str) -> str:
    said = _PUBLIC.sub(" ", _COUNTRY.sub(" ", name)).strip()
    plain = _THAI_FORM.sub("", said)
    without = _LIMITED.sub(" ", plain)
    if without == plain != said:  # "บริษัทกระจกใสจำกัด": words of Thai are not apart
        without = _LIMITED_AT_END.sub(" ", plain, count=1)
    return " ".join(_FORM.sub("", without).split()).strip(" ,")


def _cut(name: str) -> str:
    if _length(name) <= MOST:
        return name
    start, end = _parts(name)
    if not start or not end:
        return _first(name, MOST)
    end = _first(end, _MOST_OF_END)
    return f"{_first(start, MOST - _length(end) - 1)} {end}"


def _parts(name: str) -> tuple[str, str]:
    """Split a name before its branch, else before its last word."""
    found = _BRANCH.search(name)
    if found and found.start():
        return name[: found.start()].strip(" ("), found[0].strip(" ()-")
    start, _, end = name.rpartition(" ")
    return start, end


def _first(text: str, most: int) -> str:
    """Return the first letters of a text: whole words, if there is a space among them."""
    if _length(text) <= most:
        return text
    shown = ""
    for letter in _letters(text):
        if _length(shown + letter) >= most:
            break
        shown += letter
    is_whole = text[len(shown)] == " "
    words = shown if is_whole else shown.rpartition(" ")[0] or shown
    return f"{words.rstrip(' ,(-')}{_CUT}"


def _letters(text: str) -> list[str]:
    """Split a text where it can be cut: marks stay with their letter."""
    found: list[str] = []
    for char in text:
        if found and (_is_mark(char) or found[-1] in _LEADING_VOWELS):
            found[-1] += char
        else:
            found.append(char)
    return found


def _length(text: str) -> int:
    return sum(not _is_mark(char) for char in text)


def _is_mark(char: str) -> bool:
    return char == _SARA_AM or unicodedata.category(char)[0] == "M"
