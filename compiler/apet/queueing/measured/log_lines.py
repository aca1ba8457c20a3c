"""Lines of access logs as requests with named fields, whatever server wrote them.

    host - - [10/Oct/2026:13:55:36 +0200] "GET /search?q=a HTTP/1.1" 200 2326 "referer" "agent" 0.056 rt=0.056
    {"time": "2026-10-10T13:55:36+02:00", "method": "GET", "uri": "/search", "request_time": 0.056}
    time:10/Oct/2026:13:55:36 +0200<TAB>req:GET /search HTTP/1.1<TAB>status:200<TAB>reqtime:0.056
    haproxy: 192.0.2.1:30 [10/Oct/2026:13:55:36.123] web app/app1 0/0/1/55/56 200 2326 - - ---- … "GET /search HTTP/1.1"

The common and combined formats with what servers add to them (nginx, ingress-nginx, Apache, gunicorn, traefik, Tomcat),
JSON, LTSV and HAProxy's HTTP log. What follows the size is a field by its own name, as in rt=0.056, else by its place
from there: "#3" is the third.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, NamedTuple

CLF_DATE = r"(\d\d)/([A-Z][a-z]{2})/(\d{4}):(\d\d):(\d\d):(\d\d)(\.\d{1,9})?(?: ([+-])(\d\d):?(\d\d))?"
MOMENT = re.compile(CLF_DATE)
ENTRY = re.compile(r'[^\[]*\[([^\]]{10,40})\] "((?:[^"\\]|\\.)*)" (\d{3}|-) (?:\d+|-)(.*)')
HAPROXY = re.compile(
    rf'.*?\[({CLF_DATE})\] \S+ \S+/\S+ (?:-?\d+/){{4}}\+?(-?\d+) (\d{{3}}|-1) \+?\d+ .*"((?:[^"\\]|\\.)*)"\s*$'
)
WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s"]+="(?:[^"\\]|\\.)*"|\S+')
NAMED = re.compile(r'"?([A-Za-z_][\w.$-]*)[=:]"?([^"]*)"?')
UNIT = re.compile(r"(?:ns|us|µs|ms|s)")
NAMES = "JanFebMarAprMayJunJulAugSepOctNovDec"
MONTHS = {NAMES[i : i + 3]: i // 3 + 1 for i in range(0, len(NAMES), 3)}
TIMES = (
    "time",
    "@timestamp",
    "timestamp",
    "time_local",
    "time_iso8601",
    "StartUTC",
    "StartLocal",
    "ts",
    "msec",
    "date",
)
REQUESTS = ("request", "req", "request_line")
METHODS = ("method", "request_method", "RequestMethod", "verb", "http_method")
PATHS = ("uri", "path", "request_uri", "RequestPath", "url", "request_path", "http_path")
STATUSES = ("status", "status_code", "DownstreamStatus", "response_code", "code")
MILLISECONDS = 1e11
"""Numbers of an epoch from which on they count milliseconds: as seconds they would lie after the year 5000."""


class LogLine(NamedTuple):
    """When in seconds, the request as "GET /search HTTP/1.1", its status, and all other fields by name."""

    at: float
    request: str
    status: str
    fields: Mapping[str, str]


def log_line(line: str) -> LogLine | None:
    """The entry of a line, None if it is none."""
    text = line.strip()
    if text.startswith("{"):
        return _of_json(text)
    combined = ENTRY.match(text)
    if combined:
        moment, request, status, rest = combined.groups()
        at = _moment(moment)
        return None if at is None else LogLine(at, request, status, _fields(rest))
    if "\t" in text and ":" in text.partition("\t")[0]:
        return _of_names({k: v for k, mark, v in (cell.partition(":") for cell in text.split("\t")) if mark})
    proxy = HAPROXY.match(text)
    if proxy:
        at = _moment(proxy[1])
        return None if at is None else LogLine(at, proxy[14], proxy[13], {"Ta_ms": proxy[12]})
    return None


def _fields(rest: str) -> dict[str, str]:
    """What follows the size of a combined line; "12 ms" and "0/56123" are what they say."""
    fields, words = dict[str, str](), WORD.findall(rest)
    for place, word in enumerate(words, start=1):
        named = NAMED.fullmatch(word)
        if named:
            fields.setdefault(named[1], named[2])
        elif UNIT.fullmatch(word) and place > 1:
            fields[f"#{place - 1}"] = fields.get(f"#{place - 1}", "") + word
        elif re.fullmatch(r"\d+/\d+", word):
            fields[f"#{place}"] = word.partition("/")[2]
        else:
            fields[f"#{place}"] = word.strip('"')
    return fields


def _of_json(text: str) -> LogLine | None:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return _of_names(dict(_flat(content))) if isinstance(content, dict) else None


def _flat(content: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Keys of a table and of the tables in it, joined by dots."""
    pairs = []
    for key, value in content.items():
        if isinstance(value, dict):
            pairs += [(f"{key}.{inner}", str(v)) for inner, v in value.items() if not isinstance(v, dict | list)]
        elif not isinstance(value, list):
            pairs.append((key, "" if value is None else str(value)))
    return pairs


def _of_names(fields: Mapping[str, str]) -> LogLine | None:
    """An entry all of whose fields have names."""
    ends = {name.rpartition(".")[2]: name for name in reversed(list(fields))}

    def first(names: tuple[str, ...]) -> str:
        return next((fields[ends[name]] for name in names if ends.get(name)), "")

    at = _moment(first(TIMES).strip("[]"))
    request = first(REQUESTS) or f"{first(METHODS)} {first(PATHS)}"
    if at is None or not request.strip():
        return None
    used = {*TIMES, *REQUESTS, *METHODS, *PATHS, *STATUSES}
    rest = {name: value for name, value in fields.items() if name.rpartition(".")[2] not in used}
    return LogLine(at, request, first(STATUSES), rest)


def _moment(text: str) -> float | None:
    """Seconds since 1970 of a date as logs write it, of ISO 8601, or of a number."""
    match = MOMENT.fullmatch(text)
    try:
        if match:
            day, month, year, hour, minute, second, fraction, sign, east_hours, east_minutes = match.groups()
            east = timedelta(hours=int(east_hours or 0), minutes=int(east_minutes or 0)) * (-1 if sign == "-" else 1)
            numbers = (int(year), MONTHS[month], int(day), int(hour), int(minute), int(second))
            return datetime(*numbers, tzinfo=timezone(east)).timestamp() + float(fraction or 0)
        if re.fullmatch(r"\d{9,19}(\.\d{1,9})?", text):
            number = float(text)
            return number / 1000 if number > MILLISECONDS else number
        when = datetime.fromisoformat(text)
    except (ValueError, KeyError, OverflowError):
        return None
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
