"""Words of other languages for what PAMELA-E writes differently, and misspelt words of its own."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from apet.ground.diagnostics import Diagnostic, nearest
from apet.ground.source import Span
from apet.model import errors
from apet.model.terms import Invoke, Model
from apet.model.walk import processes

STEPS = {
    "send": "a message is written send[from, to](bytes)",
    "delay": "to let time pass write delay(t)",
    "use": "to hold a resource write use(r, process)",
    "seq": "a loop in order is written seq (i = a, b) process",
    "par": "a loop at once is written par (i = a, b) process",
}
MESSAGE = "a message is one step for both of its ends: send[from, to](bytes); nothing is written where it arrives"
PAUSE = "to let time pass write delay(t); to wait for others by name write graph { a: …; b: … after a }"
BARRIER = "a par ends when all of it has ended: write the phases one after the other, par (…) {…}; par (…) {…}"
HOLDING = "to hold a resource write use(r, process); it is released where the process ends"
COLLECTIVE = "a collective is made of messages: par (q = 1, P) send[0, q](bytes)"
WORDS = (
    dict.fromkeys(("recv", "receive", "recieve", "Recv", "MPI_Recv", "irecv"), MESSAGE)
    | dict.fromkeys(("wait", "sleep", "pause", "waitall"), PAUSE)
    | dict.fromkeys(("barrier", "sync", "synchronize", "join", "MPI_Barrier"), BARRIER)
    | dict.fromkeys(("lock", "unlock", "acquire", "release", "mutex", "semaphore"), HOLDING)
    | dict.fromkeys(("bcast", "broadcast", "MPI_Bcast", "allreduce", "alltoall", "allgather"), COLLECTIVE)
)


def advice_for(name: str, equations: Collection[str]) -> str:
    """What to write instead of a step of this name, which is no equation and has no processor."""
    if name in WORDS:
        return WORDS[name]
    near = nearest(name, STEPS)
    if near:
        word = near.split("'")[1]
        return f"did you mean '{word}'? {STEPS[word]}"
    return f"write {name}[p]{nearest(name, equations)}"


def foreign_words(model: Model) -> Iterator[Diagnostic]:
    """The first place of each operation with a name of `WORDS`."""
    seen = set(model.equations)
    for process in processes(model):
        if not isinstance(process, Invoke) or len(process.subscripts or ()) != 1:
            continue
        if process.name in WORDS and process.name not in seen:
            seen.add(process.name)
            span = Span(process.span.start, process.span.start + len(process.name))
            yield errors.ForeignWord(model.source, span, process.name, WORDS[process.name])
