"""Spans of one content of JSON, whatever wrote it: OTLP, Jaeger or Zipkin.

- OTLP: `resourceSpans` or `resource_spans`, `batches` of Tempo
- Jaeger: an answer of its API or UI (`data`), one trace or a list of them, and spans as Elasticsearch stores them
- Zipkin v2: a list of spans, or of traces; the server's half of a shared span is a call by the client's half
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

SESSIONS = ("session.id", "enduser.id", "user.id")
"""Attributes that name who sends requests one after the other (semantic conventions of OpenTelemetry)."""
CALLED = (
    "peer.service",
    "db.system.name",
    "db.system",
    "db.type",
    "messaging.system",
    "rpc.service",
    "server.address",
    "net.peer.name",
    "peer.hostname",
    "peer.address",
    "net.peer.ip",
    "network.peer.address",
    "messaging.destination.name",
    "messaging.destination",
    "db.name",
    "rpc.system",
)
"""Attributes that name what a client's span calls, of all semantic conventions so far, the first that is there."""
ADDRESSES = ("url.full", "http.url")
CLIENTS = (3, 4, "SPAN_KIND_CLIENT", "SPAN_KIND_PRODUCER", "client", "producer", "CLIENT", "PRODUCER")
NETWORK = "network"
RESOURCES = ("resourceSpans", "resource_spans", "batches")
"""Keys of OTLP, the last one in answers of Tempo."""


class SpanRow(NamedTuple):
    """A span as it is written: times in seconds, `parent` "" for none, `remote` what a client calls (`NETWORK` where
    nothing names it, "" where it is no client)."""

    trace: str
    span: str
    parent: str
    service: str
    operation: str
    start: float
    end: float
    session: str
    remote: str


class UntimedSpan(NamedTuple):
    """A span without the times that make it one."""


Row = SpanRow | UntimedSpan


def span_rows(content: Any) -> Iterator[Row]:
    """The spans of a content; `KeyError`, `TypeError`, `ValueError` or `AttributeError` where it has another form."""
    if isinstance(content, list):
        for one in content:
            yield from span_rows(one) if isinstance(one, list) else _of_list(one)
        return
    resources = next((content[key] for key in RESOURCES if key in content), None)
    if resources is not None:
        yield from _otlp(resources)
    elif "data" in content:
        for trace in content["data"]:
            yield from _jaeger(trace)
    else:
        yield from _of_list(content)


def _of_list(one: Mapping[str, Any]) -> Iterator[Row]:
    """A trace or a span of its own."""
    if "spans" in one:
        yield from _jaeger(one)
    elif "operationName" in one or "_source" in one:
        yield from _jaeger({"spans": [one.get("_source", one)], "processes": {}})
    elif "id" in one and "traceId" in one:
        yield _zipkin(one)
    elif any(key in one for key in (*RESOURCES, "data")):
        yield from span_rows(one)
    else:
        raise KeyError(RESOURCES[0])


def _otlp(resources: Iterable[Mapping[str, Any]]) -> Iterator[Row]:
    for resource in resources:
        named = _otlp_attributes((resource.get("resource") or {}).get("attributes"))
        service = str(named.get("service.name") or "service")
        scopes = resource.get("scopeSpans") or resource.get("scope_spans")
        for scope in scopes or resource.get("instrumentationLibrarySpans") or []:
            for span in scope.get("spans") or []:
                yield _otlp_span(span, service)


def _otlp_span(span: Mapping[str, Any], service: str) -> Row:
    spelled = {key.replace("_", "").lower(): value for key, value in span.items()}
    if not spelled.get("endtimeunixnano"):
        return UntimedSpan()
    start, end = (whole(spelled[key]) / 1e9 for key in ("starttimeunixnano", "endtimeunixnano"))
    attributes = _otlp_attributes(span.get("attributes"))
    return SpanRow(
        trace=str(spelled["traceid"]),
        span=str(spelled["spanid"]),
        parent=str(spelled.get("parentspanid") or ""),
        service=service,
        operation=str(span["name"]),
        start=start,
        end=end,
        session=_attribute(attributes, SESSIONS),
        remote=_remote(attributes) if span.get("kind") in CLIENTS else "",
    )


def _otlp_attributes(listed: Iterable[Mapping[str, Any]] | None) -> dict[str, Any]:
    return {a["key"]: next(iter(a["value"].values()), "") for a in listed or []}


def _jaeger(trace: Mapping[str, Any]) -> Iterator[Row]:
    for span in trace["spans"]:
        references = span.get("references") or []
        parents = [str(r["spanID"]) for r in references if r.get("refType", "CHILD_OF") == "CHILD_OF"]
        process = span.get("process") or trace["processes"][span["processID"]]
        if span.get("duration") is None:
            yield UntimedSpan()
            continue
        start = whole(span["startTime"]) / 1e6
        named = {tag["key"]: tag["value"] for tag in span.get("tags") or []}
        yield SpanRow(
            trace=str(span["traceID"]),
            span=str(span["spanID"]),
            parent=parents[0] if parents else str(span.get("parentSpanID") or ""),
            service=str(process["serviceName"]),
            operation=str(span["operationName"]),
            start=start,
            end=start + whole(span["duration"]) / 1e6,
            session=_attribute(named, SESSIONS),
            remote=_remote(named) if named.get("span.kind") in CLIENTS else "",
        )


def _zipkin(span: Mapping[str, Any]) -> Row:
    if span.get("duration") is None or span.get("timestamp") is None:
        return UntimedSpan()
    start, tags = whole(span["timestamp"]) / 1e6, span.get("tags") or {}
    remote = str((span.get("remoteEndpoint") or {}).get("serviceName") or "")
    halves = bool(span.get("shared"))
    return SpanRow(
        trace=str(span["traceId"]),
        span=f"{span['id']} shared" if halves else str(span["id"]),
        parent=str(span["id"]) if halves else str(span.get("parentId") or ""),
        service=str((span.get("localEndpoint") or {}).get("serviceName") or "service"),
        operation=str(span.get("name") or "request"),
        start=start,
        end=start + whole(span["duration"]) / 1e6,
        session=_attribute(tags, SESSIONS),
        remote=(remote or _remote(tags)) if span.get("kind") in CLIENTS else "",
    )


def whole(value: Any) -> int:
    """Nanoseconds or microseconds; a fraction is a sign of another unit."""
    if isinstance(value, str) and value.isdecimal() and len(value) < 25:
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not float(value).is_integer():
        raise ValueError(f"{value!r} counts no whole nanoseconds (OTLP) or microseconds (Jaeger, Zipkin)")
    return int(value)


def _remote(attributes: Mapping[str, Any]) -> str:
    """What a client calls."""
    address = _attribute(attributes, ADDRESSES)
    host = urlsplit(address).hostname or "" if address else ""
    return _attribute(attributes, CALLED) or host or NETWORK


def _attribute(attributes: Mapping[str, Any], names: Sequence[str]) -> str:
    return next((str(attributes[key]) for key in names if attributes.get(key)), "")
