"""Requests from traces: OpenTelemetry (OTLP JSON) and Jaeger JSON, as trees of spans.

A span is one call of a service. What it spends itself is its duration less the times in which calls that it made are
under way; at low load, where nobody waits, that is a service demand. Calls that overlap are parallel.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source, Span
from apet.queueing import errors

ROUNDING = 1e-9
"""Seconds by which clocks of one trace may disagree."""
MOST_SPANS = 5_000_000
MOST_DEPTH = 60
"""Calls in each other: as deep as trees of jobs are read."""
SESSIONS = ("session.id", "enduser.id", "user.id")
"""Attributes that name who sends requests one after the other (semantic conventions of OpenTelemetry)."""
CALLED = ("peer.service", "db.system.name", "db.system", "messaging.system", "rpc.service", "server.address")
"""Attributes that name what a client's span calls, the first that is there."""
CLIENTS = (3, 4, "SPAN_KIND_CLIENT", "SPAN_KIND_PRODUCER", "client", "producer")
NETWORK = "network"
ADVICE = "give OTLP JSON (resourceSpans) or Jaeger JSON (data with spans and processes)"


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
        busy, until = 0.0, self.start
        for call in sorted(self.calls, key=lambda c: c.start):
            begin, end = max(call.start, until), min(call.end, self.end)
            if end > begin:
                busy, until = busy + end - begin, end
        return self.end - self.start - busy

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


def read_requests(*sources: Source) -> list[ServiceCall]:
    """The requests in a text, their first calls by start; `ApetError` where it is none of the two formats."""
    source = sources[0]
    calls, parents = dict[tuple[str, str], ServiceCall](), dict[tuple[str, str], tuple[str, str] | None]()
    try:
        for trace, span, parent, call in (
            row for one in sources for content in _contents(one) for row in _rows(content)
        ):
            if call.end < call.start:
                raise ValueError("ends before it begins")
            calls[trace, span] = call
            parents[trace, span] = (trace, parent) if parent else None
            if len(calls) > MOST_SPANS:
                raise ApetError(
                    errors.NoMeasurements(source, Span(0, 1), f"more than {MOST_SPANS:,} spans", "take fewer")
                )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        lack = f"has no {error}" if isinstance(error, KeyError) else f"is wrong: {error}"
        reason = f"span {len(calls) + 1:,} {lack}"
        raise ApetError(errors.NoMeasurements(source, Span(0, 1), reason, ADVICE)) from None

    roots = _requests(calls, parents)
    if not roots:
        raise ApetError(errors.NoMeasurements(source, Span(0, 1), "there are no requests", ADVICE))
    if not any(root.whole for root in roots):
        advice = "export the spans of all services, and sample whole traces"
        raise ApetError(errors.NoMeasurements(source, Span(0, 1), "every trace lacks the callers of calls", advice))
    if any(_depth(root) > MOST_DEPTH for root in roots):
        raise ApetError(errors.NoMeasurements(source, Span(0, 1), f"calls in more than {MOST_DEPTH} others", ADVICE))
    return sorted(roots, key=lambda c: c.start)


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
) -> list[ServiceCall]:
    """Calls that nothing in their trace calls. Where a trace has a first call, others without a caller have lost it:
    they are no requests, and the first call is not whole."""
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
    return requests + [call for trace, rows in orphans.items() if trace not in roots for call in rows]


def _depth(call: ServiceCall) -> int:
    """Calls in each other."""
    depth, level = 0, [call]
    while level and depth <= MOST_DEPTH:
        depth, level = depth + 1, [c for one in level for c in one.calls]
    return depth


Row = tuple[str, str, str, ServiceCall]
"""Trace, span, parent ("" for none), call."""


def _rows(content: Any) -> Iterator[Row]:
    resources = content.get("resourceSpans", content.get("batches"))  # Tempo answers with batches
    if resources is not None:
        yield from _otlp(resources)
    else:
        yield from _jaeger(content["data"])


def _otlp(resources: Iterable[Mapping[str, Any]]) -> Iterator[Row]:
    for resource in resources:
        attributes = (resource.get("resource") or {}).get("attributes") or []
        names = [a["value"]["stringValue"] for a in attributes if a["key"] == "service.name"]
        service = names[0] if names else "service"
        for scope in resource.get("scopeSpans") or []:
            for span in scope.get("spans") or []:
                start, end = (_whole(span[key]) / 1e9 for key in ("startTimeUnixNano", "endTimeUnixNano"))
                named = {a["key"]: next(iter(a["value"].values()), "") for a in span.get("attributes") or []}
                remote = _attribute(named, CALLED, NETWORK) if span.get("kind") in CLIENTS else ""
                session = _attribute(named, SESSIONS)
                call = ServiceCall(service, str(span["name"]), start, end, session=session, remote=remote)
                yield str(span["traceId"]), str(span["spanId"]), str(span.get("parentSpanId") or ""), call


def _jaeger(traces: Iterable[Mapping[str, Any]]) -> Iterator[Row]:
    for trace in traces:
        for span in trace["spans"]:
            references = span.get("references") or []
            parents = [str(r["spanID"]) for r in references if r.get("refType") == "CHILD_OF"]
            service = str(trace["processes"][span["processID"]]["serviceName"])
            start = _whole(span["startTime"]) / 1e6
            end = start + _whole(span["duration"]) / 1e6
            named = {tag["key"]: tag["value"] for tag in span.get("tags") or []}
            remote = _attribute(named, CALLED, NETWORK) if named.get("span.kind") in CLIENTS else ""
            session = _attribute(named, SESSIONS)
            call = ServiceCall(service, str(span["operationName"]), start, end, session=session, remote=remote)
            yield str(span["traceID"]), str(span["spanID"]), parents[0] if parents else "", call


def _whole(value: Any) -> int:
    """Nanoseconds or microseconds; a fraction is a sign of another unit."""
    if isinstance(value, str) and value.isdecimal() and len(value) < 25:
        return int(value)
    if not isinstance(value, int | float) or not float(value).is_integer():
        raise ValueError(f"{value!r} counts no whole nanoseconds (OTLP) or microseconds (Jaeger)")
    return int(value)


def _attribute(attributes: Mapping[str, Any], names: Sequence[str], default: str = "") -> str:
    return next((str(attributes[key]) for key in names if attributes.get(key)), default)


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
