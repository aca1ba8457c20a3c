"""Files of queueing problems, written from what was measured."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from apet.ground.documents.toml_strings import toml_string
from apet.queueing.measured.access_logs import AccessLog
from apet.queueing.measured.clocks import aligned, clock_offsets, notes
from apet.queueing.measured.demands import ServiceDemand, UtilizationTable
from apet.queueing.measured.own_times import StationCalls, station_calls
from apet.queueing.measured.request_shapes import job
from apet.queueing.measured.service_times import ServersFound, model_response, servers_of, service_times
from apet.queueing.measured.span_formats import NETWORK
from apet.queueing.measured.spans import Requests, ServiceCall, by_operation, pauses

SERVER = "server"
"""The station of an access log."""
MOST_ROWS = 24
"""Of the load over time in a comment."""
MOST_NAMED = 5
"""Clients that a comment names."""


def from_table(
    name: str, table: UtilizationTable, estimates: Mapping[str, Mapping[str, ServiceDemand]], servers: Mapping[str, int]
) -> str:
    """An open network, with the mean throughputs as arrival rates; intervals of demands are comments."""
    lines = [f"name = {toml_string(name)}", "", "# Demands from throughput and utilization (D = U m / X)."]
    lines += _stations(table.utilization, servers)
    for c, row in estimates.items():
        rates = table.throughput.get(c, (1.0,))
        lines += ["", f"# What stations do without requests: {_shares(row)}."] if c not in table.throughput else []
        lines += ["", "[[classes]]", f"name = {toml_string(c)}", f"arrival_rate = {sum(rates) / len(rates):.6g}"]
        for station, demand in row.items():
            width = "" if demand.half_width is None else f" ± {demand.half_width:.2g}"
            lines.append(f"# {station}: {demand.seconds:.6g}{width} s per job")
        lines.append(f"service = {_table({s: d.seconds for s, d in row.items()})}")
    return "\n".join(lines) + "\n"


def _shares(row: Mapping[str, ServiceDemand]) -> str:
    """Busy seconds per second by station."""
    return ", ".join(f"{station} {demand.seconds:.3g} servers" for station, demand in row.items())


def from_log(name: str, log: AccessLog, servers: int | None) -> str | None:
    """One open station with the classes of an access log, and as many servers as it shows unless they are given; the
    load over time is a comment, with what the model answers there. None for a log without response times."""
    found = ServersFound(servers, True) if servers else servers_of(log)
    estimates = service_times(log, found.servers)
    if estimates is None or log.field is None:
        return None
    lines = [f"name = {toml_string(name)}", "", f"# {log.field.told()}."]
    lines += [f"# Service times from response times, R = S (1 + N){_of_servers(servers, found)}."]
    lines += [f"# Lines that are no entries: {log.skipped}"] if log.skipped else []
    lines += [f"# Lines without a response time, taken for the mean: {log.untimed}"] if log.untimed else []
    lines += load_over_time(log, model_response(log, estimates, found.servers))

    lines += _stations([SERVER], {SERVER: found.servers})
    whole = log.length * len(log.intervals)
    for c in log.classes:
        rate, demand = sum(i.requests.get(c, 0) for i in log.intervals) / whole, estimates[c]
        width = "" if demand.half_width is None else f" ± {demand.half_width:.2g}"
        lines += ["", "[[classes]]", f"name = {toml_string(c)}", f"arrival_rate = {rate:.6g}"]
        lines += [f"# index of dispersion for counts: {log.dispersion:.3g}, of {log.freedom} degrees of freedom"]
        lines += [f"dispersion = {log.dispersion:.3g}"] if log.is_bursty else []
        lines += [f"# {demand.seconds:.6g}{width} s", f"service = {_table({SERVER: demand.seconds})}"]
    return "\n".join(lines) + "\n"


def _of_servers(given: int | None, found: ServersFound) -> str:
    """How the number of servers is known."""
    if given:
        return f" with {given} server{'s' * (given > 1)}"
    if found.certain:
        return f"; fewer than {found.servers} servers would contradict the load over time"
    return "; the load over time does not tell the number of servers: --servers server=N"


def load_over_time(log: AccessLog, model: Sequence[float] = ()) -> list[str]:
    """Comments: requests per second and mean response time, in rows of one interval or of several; beside it that of
    the model, and how far it is off."""
    group = -(-len(log.intervals) // MOST_ROWS)
    answered = f"  {'of the model':>12}" if model else ""
    lines, off = [f"# {'from [s]':>10}  {'per second':>10}  {'response time [s]':>17}{answered}"], 0.0
    for first in range(0, len(log.intervals), group):
        rows = log.intervals[first : first + group]
        numbers = [sum(i.requests.values()) for i in rows]
        number, seconds = sum(numbers), sum(sum(i.seconds.values()) for i in rows if i.seconds is not None)
        mean = f"{seconds / number:.4g}" if number and rows[0].seconds is not None else "-"
        line = f"# {rows[0].begin:>10.6g}  {number / log.length / len(rows):>10.4g}  {mean:>17}"
        if model and number and seconds:
            own = sum(n * r for n, r in zip(numbers, model[first : first + group], strict=True) if n) / number
            off = max(off, abs(math.log(own * number / seconds)))
            line += f"  {own:>12.4g}"
        lines.append(line)
    if model:
        lines.append(f"# {_misfit(off)}")
    return lines


def _misfit(off: float) -> str:
    """How far a model is off its log at most, from the logarithm of the greatest ratio."""
    if math.isinf(off):
        return "This model contradicts the log: it has no steady state at a load that the log shows."
    return f"The model is off by at most {100 * math.expm1(off):.2g} % in these rows."


def load_csv(log: AccessLog) -> str:
    """The load over time as a CSV: seconds from the first line, requests per second and mean seconds by class."""
    header = ["begin", *(f"throughput[{c}]" for c in log.classes), *(f"response_time[{c}]" for c in log.classes)]
    rows = [",".join(header)]
    for i in log.intervals:
        cells = [f"{i.begin:g}", *(f"{i.requests.get(c, 0) / log.length:.6g}" for c in log.classes)]
        for c in log.classes:
            number = i.requests.get(c, 0)
            cells.append(f"{i.seconds[c] / number:.6g}" if number and i.seconds is not None else "")
        rows.append(",".join(cells))
    return "\n".join(rows) + "\n"


def from_requests(name: str, found: Requests, servers: Mapping[str, int], share: float = 1.0) -> str:
    """A network of services; where calls are parallel, jobs with precedence. Classes are closed where all requests name
    their sessions, else open. `share` is that of all requests whose traces are recorded."""
    requests = found.calls
    seconds = max(r.end for r in requests) - min(r.start for r in requests)
    offsets = clock_offsets(requests)
    aligned_requests = [aligned(r, offsets) for r in requests]
    stations = station_calls(aligned_requests, servers)
    what = f"# {len(requests):,} requests in {seconds:.4g} s; own times of their calls."
    lines = [f"name = {toml_string(name)}", "", what]
    lines += [*_left_out(found), *notes(offsets), *_of_stations(stations, servers)]

    classes = by_operation(aligned_requests)
    parallel = any(len(b) > 1 for rows in classes.values() for r in rows for c in r.everything() for b in c.batches())
    numbers = {station: calls.servers for station, calls in stations.items()}
    lines += _stations(services(requests), numbers, "FCFS" if parallel else "")
    stretch, thinking = {station: calls.stretch for station, calls in stations.items()}, pauses(requests)
    # n - 1 times between n starts: of Poisson arrivals the rate without bias.
    starts, number = [r.start for r in requests], len(requests)
    window = (max(starts) - min(starts)) * number / (number - 1) if number > 1 else 0.0
    lost = 1 + found.rootless / len(requests)
    for c, rows in classes.items():
        lines += ["", "[[classes]]", f"name = {toml_string(c)}"]
        lines += _load(rows, lost / share, thinking.get(c, []), seconds, window)
        whole = [r for r in rows if r.whole] or rows
        lines += job(whole, stretch) if parallel else _visits(whole, stretch)
    return "\n".join(lines) + "\n"


def _left_out(found: Requests) -> list[str]:
    """Comments on spans and requests that are not used, and on clients that call nobody knows what."""
    lines, incomplete = list[str](), sum(not r.whole for r in found.calls)
    if incomplete:
        lines.append(f"# {incomplete:,} of them lack the callers of calls: counted, and left out of own times.")
    if found.guessed:
        lines.append("# Their first calls are missing: what is called first is taken for the request.")
    elif found.rootless:
        lines.append(f"# {found.rootless:,} more lack their first call: they count in arrival rates only.")
    if found.unfinished:
        lines.append(f"# Spans without times, left out: {found.unfinished:,}")
    unknown = Counter(
        f"{call.service} ({call.operation})"
        for request in found.calls
        for call in request.everything()
        if call.station == NETWORK and call.remote == NETWORK and not call.calls
    )
    if unknown:
        listed = ", ".join(name for name, _ in unknown.most_common(MOST_NAMED))
        more = f" and {len(unknown) - MOST_NAMED} more" if len(unknown) > MOST_NAMED else ""
        lines.append(f"# No attribute names what {sum(unknown.values()):,} client spans call, of {listed}{more}:")
        lines.append(f"# they are taken for a {NETWORK} where nobody waits. A database there would limit the load.")
    return lines


def _of_stations(stations: Mapping[str, StationCalls], given: Mapping[str, int]) -> list[str]:
    """Comments on how many servers were found, and what waits were taken out."""
    lines = []
    for name, calls in stations.items():
        if name == NETWORK:
            continue
        if name not in given and calls.servers > 1:
            why = "own times rise from there" if calls.waits else "as many calls at once, whose own times do not rise"
            lines.append(f"# {name}: {calls.servers} servers, {why} (--servers {name}=N)")
        if calls.stretch > 1:
            lines.append(
                f"# {name}: own times are {100 * (calls.stretch - 1):.2g} % longer with waits, divided by that"
            )
    return lines


def services(requests: Sequence[ServiceCall]) -> list[str]:
    """The names of all services that are called, and the network where clients wait for it."""
    return list(dict.fromkeys(call.station for request in requests for call in request.everything()))


def _load(
    rows: Sequence[ServiceCall], scale: float, thinking: Sequence[float], seconds: float, window: float
) -> list[str]:
    """What sends requests: users who pause between one and the next, where sessions show them, else an arrival rate.

    Users are as many as Little's law says, N = X (R + Z), since sessions come and go. `scale` is how many more requests
    there are than recorded ones, `window` the seconds that they come in. One request shows no rate: it is alone.
    """
    if thinking:
        think, rate = sum(thinking) / len(thinking), len(rows) / seconds if seconds else 1.0
        response = sum(r.end - r.start for r in rows) / len(rows)
        return [f"population = {max(1, round(scale * rate * (response + think)))}", f"think = {think:.6g}"]

    if not window:
        return ["# One moment shows no arrival rate: a request alone.", "population = 1"]
    rate = scale * len(rows) / window
    sampled = "" if scale != 1 else "; of sampled traces say --sampled 10%"
    return [f"# ± {100 / math.sqrt(len(rows)):.2g} %{sampled}", f"arrival_rate = {rate:.6g}"]


def _visits(rows: Sequence[ServiceCall], stretch: Mapping[str, float]) -> list[str]:
    """Mean calls per request, and mean own seconds per call."""
    calls, own = Counter[str](), defaultdict[str, float](float)
    for request in rows:
        for call in request.everything():
            calls[call.station] += 1
            own[call.station] += call.own_seconds()
    visits = {s: n / len(rows) for s, n in calls.items()}
    service = {s: own[s] / n / stretch[s] for s, n in calls.items()}
    return [f"visits = {_table(visits)}", f"service = {_table(service)}"]


def _stations(names: Iterable[str], servers: Mapping[str, int], discipline: str = "") -> list[str]:
    lines = []
    for name in names:
        lines += ["", "[[stations]]", f"name = {toml_string(name)}", f"servers = {servers.get(name, 1)}"]
        order = "delay" if name == NETWORK else discipline
        lines += [f'discipline = "{order}"'] if order else []
    return lines


def _table(values: Mapping[str, float]) -> str:
    return f"{{ {', '.join(f'{toml_string(k)} = {v:.6g}' for k, v in values.items())} }}"
