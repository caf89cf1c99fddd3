"""Racks: which panes can stand on one, and which scans take a pane off."""

from glassflow.domain.panes.status import Action, LaminateRole, Status

# Of these there is no glass any more that waits to be handled.
_STAND_ON_NONE = frozenset({Status.DEFECTED, Status.CANCELLED, Status.MERGED_INTO})
# Who does one of these with a single pane has it in hands.
_HANDLED = frozenset({Action.SCAN_IN, Action.START, Action.COMPLETE})


def can_stand(status: str, laminate_role: str, *, is_delivered: bool) -> bool:
    """Return whether a pane can stand on a rack.

    Not one that is lost, merged into another one or delivered, and not the dormant parent
    of a unit, which is no piece of glass.
    """
    is_glass = laminate_role != LaminateRole.PARENT
    return is_glass and not is_delivered and status not in _STAND_ON_NONE


def takes_off(action: Action, *, implies_complete: bool) -> bool:
    """Return whether a scan of a single pane takes it off its rack: it works on the pane.

    Handing on alone does not.
    """
    return action in _HANDLED or implies_complete
