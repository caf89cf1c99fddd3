"""Which new passwords are accepted, and the one-time passwords that the service makes."""

import re
import secrets

from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.unicode_text import as_username

MIN_LENGTH, MAX_LENGTH = 6, 128  # characters; a setting may ask for more
MIN_DIFFERENT = 5  # characters, of a password that is not refused as common
ONE_TIME_GROUPS, ONE_TIME_GROUP = 4, 4
# no letters and digits that look alike on paper
ONE_TIME_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
# What remains of common passwords when digits and signs around it are left out.
_WORDS = """
    abc admin administrator asdf asdfgh asdfghjkl baseball batman changeme charlie
    computer default donald dragon factory flower football freedom glass glassflow god
    guest hello hunter iloveyou jesus letmein login love lovely manager master michael
    monkey mustang mypassword ninja pass passcode passw passwd password princess qazwsx
    qwer qwert qwerty qwertyuiop root secret shadow somchai starwars summer sunshine
    superman system temp temporary test tester testing thailand bangkok trustno user
    welcome whatever winter worker workshop zxcvbn zxcvbnm
"""
COMMON_WORDS = frozenset(_WORDS.split())
_RUNS = (
    "01234567890123456789",
    "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiopasdfghjklzxcvbnm",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
    "1q2w3e4r5t6y7u8i9o0p",
    "qazwsxedcrfvtgbyhnujmikolp",
)
_LOOK_ALIKES = str.maketrans("01345@$7", "oleasast")


def fault(
    password: str, username: str, *, min_length: int, refuse_common: bool
) -> Bilingual | None:
    """Return what is wrong with a new password of a worker; None if it is accepted."""
    if not max(min_length, MIN_LENGTH) <= len(password) <= MAX_LENGTH:
        if min_length <= MIN_LENGTH:
            return texts.PASSWORD_LENGTH
        return texts.PASSWORD_TOO_SHORT.format(minimum=min_length)
    if refuse_common and contains_name(password, username):
        return texts.PASSWORD_HAS_USERNAME
    if refuse_common and is_common(password):
        return texts.PASSWORD_COMMON
    return None


def contains_name(password: str, username: str) -> bool:
    """Return whether a password is little more than the username."""
    name, lower = as_username(username), password.lower()
    if len(name) < 3:
        return lower == name
    return name in lower and len(lower) - len(name) < MIN_LENGTH


def is_common(password: str) -> bool:
    """Return whether a password is one of those that are tried first.

    A common word with digits or signs before or after it, also with digits in place of
    letters; a few characters repeated; a run of neighbours on a keyboard or in the alphabet.
    """
    lower = password.lower()
    if len(set(lower)) < MIN_DIFFERENT:
        return True
    if _is_repeated_common(lower) or _is_run(lower):
        return True
    spelled = (lower, lower.translate(_LOOK_ALIKES))
    words = {re.sub(r"^[\W\d_]+|[\W\d_]+$", "", one) for one in spelled}
    return not words.isdisjoint(COMMON_WORDS)


def new_one_time_password() -> str:
    """Return a random password that can be read out and typed: `k7mq-9dtw-x3fh-ap2c`."""
    groups = (
        "".join(secrets.choice(ONE_TIME_ALPHABET) for _ in range(ONE_TIME_GROUP))
        for _ in range(ONE_TIME_GROUPS)
    )
    return "-".join(groups)


def _is_repeated_common(password: str) -> bool:
    """Return whether one common word or run stands there several times."""
    repeated = re.fullmatch(r"(.{3,}?)\1+", password)
    return bool(repeated and (repeated[1] in COMMON_WORDS or _is_run(repeated[1])))


def _is_run(password: str) -> bool:
    """Return whether a password is a run, forwards or backwards, or two runs."""
    halves = range(3, len(password) - 2)
    return _is_in_run(password) or any(
        _is_in_run(password[:n]) and _is_in_run(password[n:]) for n in halves
    )


def _is_in_run(text: str) -> bool:
    return any(text in run or text[::-1] in run for run in _RUNS)
