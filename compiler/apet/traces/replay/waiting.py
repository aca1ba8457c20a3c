"""What a rank waits for, in words."""

from __future__ import annotations

from collections.abc import Sequence

from apet.traces.replay.program import ANY, MASK, RECEIVE, RECEIVED, SEND, SENT, SHIFT, TAKEN, Programs
from apet.traces.trace import COLLECTIVES, Stuck, Trace


def standing(trace: Trace, programs: Programs, stands: Sequence[int]) -> list[Stuck]:
    """The ranks that are not beyond their last operation, and what each waits for."""
    stuck = list[Stuck]()
    for rank, at in enumerate(stands):
        if at <= len(programs.operations[rank]):
            line = trace.line(rank, programs.origins[rank][at - 1])
            stuck.append(Stuck(rank, line, *waits_for(trace, programs, rank, at - 1)))
    return stuck


def waits_for(trace: Trace, programs: Programs, rank: int, at: int) -> tuple[str, str]:
    """The name of the action that a rank's operation belongs to, and what that waits for."""
    operation = programs.operations[rank][at]
    origin = programs.origins[rank][at]
    actions = trace.ranks[rank]
    name = str(actions[origin][0]) if origin < len(actions) else "end"
    message = operation >> SHIFT

    match operation & MASK:
        case code if code in (SENT, RECEIVED):
            posted = _posted(trace, programs, rank, message, code == SENT)
            if posted not in COLLECTIVES:
                return name, _message(trace, programs, rank, message, code == SENT, origin)
            source, target = programs.pairs[programs.pair[message]]
            return name, f"rank {target if code == SENT else source} in the same {posted}"
        case code if code in (ANY, TAKEN):
            return name, "one of its requests"
        case _:
            return name, "nothing"


def _posted(trace: Trace, programs: Programs, rank: int, message: int, sent: bool) -> str:
    """The name of the action that posted a message."""
    at = programs.operations[rank].index(message << SHIFT | (SEND if sent else RECEIVE))
    return str(trace.ranks[rank][programs.origins[rank][at]][0])


def _message(trace: Trace, programs: Programs, rank: int, message: int, sent: bool, origin: int) -> str:
    source, target = programs.pairs[programs.pair[message]]
    action = trace.ranks[rank][origin] if origin < len(trace.ranks[rank]) else ("end",)
    tag = ""
    if action[0] in ("send", "ssend", "recv") and action[2] >= 0:
        tag = f" with tag {action[2]}"
    elif action[0] == "wait" and action[3] >= 0:
        tag = f" with tag {action[3]}"
    if sent:
        return f"rank {target} to receive {programs.size[message]:,} bytes{tag}"
    if action[0] == "recv" and action[1] < 0:
        return f"a message from any rank{tag}"

    return f"a message from rank {source}{tag}"
