"""The house rules that a workshop sets, as the use cases read them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Policy:
    """Settings of the same names. `scan_repeat_seconds` is a length of time in s."""

    scan_policy: str = "guided"
    delete_policy: str = "restrict"
    qr_prefix: str = "STDPLUS:"
    scan_repeat_seconds: float = 5.0
    free_permission_keys: bool = False


_policy: list[Policy] = [Policy()]


def configure(policy: Policy) -> None:
    """Set the rules of this process; the composition root calls it once."""
    _policy[:] = [policy]


def current() -> Policy:
    """Give the rules in force."""
    return _policy[0]
