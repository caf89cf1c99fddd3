"""Which new passwords are accepted, and what one-time passwords look like."""

import pytest

from glassflow.domain import password_rules, texts


def fault(password, username="somchai", *, min_length=10, refuse_common=True):
    return password_rules.fault(
        password, username, min_length=min_length, refuse_common=refuse_common
    )


@pytest.mark.parametrize(
    "password",
    ["password123", "P4ssw0rd!!", "qwertyuiop", "1234567890", "0987654321",
     "1q2w3e4r5t", "aaaaaaaaaaaa", "abcabcabcabc", "ababababab12", "!!Welcome2026",
     "letmein12345", "passwordpassword", "abcdef123456", "1qaz2wsx3edc"],
)  # fmt: skip
def test_common_password_is_refused(password):
    assert fault(password) == texts.PASSWORD_COMMON


@pytest.mark.parametrize(
    "password",
    ["กระจกใสหกมิลสิบแผ่น", "horse-battery-42", "k7mq-9dtw-x3fh-ap2c", "ตัดกระจก 2 ชั้น!"],
)
def test_other_password_is_accepted(password):
    assert fault(password) is None


def test_length_and_username_are_checked():
    assert fault("nine char") == "The password must have 10 to 128 characters"
    assert fault("x" * 129, min_length=6) == texts.PASSWORD_LENGTH
    assert fault("short", min_length=6, refuse_common=False) == texts.PASSWORD_LENGTH
    assert fault("password1", min_length=6, refuse_common=False) is None
    assert fault("SomChai-2026") == texts.PASSWORD_HAS_USERNAME
    assert fault("the cutter somchai's dog") is None
    assert fault("a sentence of no", username="a") is None


def test_one_time_passwords_are_long_random_and_follow_the_rules():
    made = {password_rules.new_one_time_password() for _ in range(50)}
    assert len(made) == 50
    assert all(fault(one) is None for one in made)
