"""Requests from traces of OpenTelemetry, Jaeger and Zipkin, as trees of spans.

A span is one call of a service. What it spends itself is its duration less the times in which calls that it made are
under way; at low load, where nobody waits, that is a service demand. Calls that overlap are parallel.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source, Span
from apet.queueing import errors
from apet.queueing.measured.span_formats import NETWORK, UntimedSpan, span_rows

ROUNDING = 1e-9
"""Seconds by which clocks of one trace may disagree."""
MOST_SPANS = 5_000_000
MOST_DEPTH = 60
"""Calls in each other: as deep as trees of jobs are read."""
ADVICE = "give JSON of OTLP (resourceSpans), of Jaeger (data with spans and processes) or of Zipkin (a list of spans)"


@dataclass(frozen=True, slots=True)
class ServiceCall:
    """A span: the service, what is called, and when, in seconds; `calls` are those that it made, by their start, and
    `session` that of a user, "" where the trace names none. A client's span waits for what it calls, `remote`, or
    "network" where nothing names that ("": it is no client's). `whole` is false where the trace lacks spans."""

    service: str
    operation: str
    start: float
    end: float
    calls: list[ServiceCall] = field(default_factory=list)
    session: str = ""
    remote: str = ""
    whole: bool = True

    @property
    def station(self) -> str:
        """Where its own time is spent: a client waits for the network, or for what has no span of its own."""
        if not self.remote:
            return self.service
        return NETWORK if any(c.service != self.service for c in self.calls) else self.remote

    def own_seconds(self) -> float:
        """The time in which no call that it made is under way."""
        return sum(end - begin for begin, end in self.own_parts())

    def own_parts(self) -> Iterator[tuple[float, float]]:
        """Beginnings and ends of its own time."""
        until = self.start
        for call in sorted(self.calls, key=lambda c: c.start):
            begin, end = max(call.start, until), min(call.end, self.end)
            if end > begin:
                if begin > until:
                    yield until, begin
                until = end
        if self.end > until:
            yield until, self.end

    def everything(self) -> Iterator[ServiceCall]:
        """This call and all below it."""
        waiting = [self]
        while waiting:
            call = waiting.pop()
            yield call
            waiting += call.calls

    def batches(self) -> list[list[ServiceCall]]:
        """The calls that it made in order; those that overlap are together."""
        batches: list[list[ServiceCall]] = []
        until = -float("inf")
        for call in sorted(self.calls, key=lambda c: c.start):
            if call.start < until - ROUNDING:
                batches[-1].append(call)
            else:
                batches.append([call])
            until = max(until, call.end)
        return batches


class Requests(NamedTuple):
    """First calls by start; how many spans lack times, and how many requests beside them lack their first call.
    `guessed`: all do, and what is called first in a trace is taken for its request."""

    calls: list[ServiceCall]
    unfinished: int
    rootless: int
    guessed: bool


def read_requests(*sources: Source) -> Requests:
    """The requests in texts; `ApetError` where one has none of the formats."""
    source, unfinished = sources[0], 0
    calls, parents = dict[tuple[str, str], ServiceCall](), dict[tuple[str, str], tuple[str, str] | None]()
    try:
        contents = (content for one in sources for content in _contents(one))
        for row in (row for content in contents for row in span_rows(content)):
            if isinstance(row, UntimedSpan):
                unfinished += 1
                continue
            if row.end < row.start:
                raise ValueError("ends before it begins")
            key = row.trace, row.span
            calls[key] = ServiceCall(
                row.service, row.operation, row.start, row.end, session=row.session, remote=row.remote
            )
            parents[key] = (row.trace, row.parent) if row.parent else None
            if len(calls) > MOST_SPANS:
                raise _refused(source, f"more than {MOST_SPANS:,} spans", "take fewer")
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, StopIteration) as error:
        raise _refused(source, f"span {len(calls) + unfinished + 1:,} {_lack(error)}", ADVICE) from None

    roots, lost = _requests(calls, parents)
    roots, rootless, guessed = (roots, len(lost), False) if roots else ([c for row in lost for c in row], 0, True)
    if not roots:
        raise _refused(source, "there are no requests", ADVICE)
    if not any(root.whole for root in roots):
        advice = "export the spans of all services, and sample whole traces"
        raise _refused(source, "every trace lacks the callers of calls", advice)
    if any(_depth(root) > MOST_DEPTH for root in roots):
        raise _refused(source, f"calls in more than {MOST_DEPTH} others", ADVICE)
    return Requests(sorted(roots, key=lambda c: c.start), unfinished, rootless, guessed)


def _refused(source: Source, reason: str, advice: str) -> ApetError:
    return ApetError(errors.NoMeasurements(source, Span(0, 1), reason, advice))


def _lack(error: Exception) -> str:
    """What a span lacks, as its reader stumbles over it."""
    if isinstance(error, KeyError):
        return f"has no {error}"
    if isinstance(error, ValueError | OverflowError):
        return f"is wrong: {error}"
    return "has another form than those of OTLP, Jaeger and Zipkin"


def _contents(source: Source) -> list[Any]:
    """The JSON of a file, or of its lines, as OpenTelemetry's file exporter writes it."""
    try:
        return [json.loads(source.text)]
    except (ValueError, RecursionError):
        pass
    try:
        return [json.loads(line) for line in source.text.splitlines() if line.strip()]
    except (ValueError, RecursionError):
        raise ApetError(errors.NoMeasurements(source, Span(0, 1), "this is no JSON", ADVICE)) from None


def _requests(
    calls: Mapping[tuple[str, str], ServiceCall], parents: Mapping[tuple[str, str], tuple[str, str] | None]
) -> tuple[list[ServiceCall], list[list[ServiceCall]]]:
    """Calls that nothing in their trace calls. Where a trace has a first call, others without a caller have lost it:
    they are no requests, and the first call is not whole. Traces without a first call come apart."""
    roots, orphans = defaultdict[str, list[ServiceCall]](list), defaultdict[str, list[ServiceCall]](list)
    for key, call in calls.items():
        parent = parents[key]
        caller = calls.get(parent) if parent else None
        if caller is not None and caller is not call:
            caller.calls.append(call)
        elif parent is None or caller is call:
            roots[key[0]].append(call)
        else:
            orphans[key[0]].append(call)

    requests = [replace(call, whole=trace not in orphans) for trace, rows in roots.items() for call in rows]
    return requests, [rows for trace, rows in orphans.items() if trace not in roots]


def _depth(call: ServiceCall) -> int:
    """Calls in each other."""
    depth, level = 0, [call]
    while level and depth <= MOST_DEPTH:
        depth, level = depth + 1, [c for one in level for c in one.calls]
    return depth


def pauses(requests: Sequence[ServiceCall]) -> dict[str, list[float]]:
    """Seconds between the end of a request and the next of its session, by operation of that; nothing where a request
    has no session. What comes before its predecessor ends has a pause of 0."""
    if not all(r.session for r in requests):
        return {}
    last, seconds = dict[str, float](), defaultdict[str, list[float]](list)
    for request in requests:
        if request.session in last:
            seconds[request.operation].append(max(0.0, request.start - last[request.session]))
        last[request.session] = max(request.end, last.get(request.session, request.end))
    return dict(seconds)


def by_operation(requests: Iterable[ServiceCall]) -> dict[str, list[ServiceCall]]:
    """Requests by what their first call is."""
    classes: dict[str, list[ServiceCall]] = defaultdict(list)
    for request in requests:
        classes[request.operation].append(request)
    return dict(classes)
