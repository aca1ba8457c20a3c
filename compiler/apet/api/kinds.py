"""What kind of file a path names, by its content: model, measured runs, queue, trace, job log, machines."""

from __future__ import annotations

import contextlib
import os
import re
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source

MODEL, RUNS, QUEUE, TRACE, JOBS, MACHINES = "model", "runs", "queue", "trace", "jobs", "machines"
MODELS = (".pam", ".pasl", ".java", ".c")
FOREIGN_QUEUES = (".lqn", ".lqnx", ".jsimg")
HEAD = 65_536
QUEUE_KEYS = frozenset(("stations", "service_means", "processors"))
RUNS_KEYS = frozenset(("points", "measurements"))
MACHINE_KEYS = frozenset(("machine", "coordinator"))
_ROW = r"""["']?[-+\d.]+(?:[eE][-+]?\d+)?[^,;\t=(){}]*["']?(?:\s*[,;\t]\s*["']?[\w.+\- %\[\]/]*["']?)+"""
_ACTION = r"\d+\s+([A-Za-z]\w*)"
_EXTRA_P = r"(?:PARAMETER|POINTS|METRIC|REGION|DATA)\b"
_PROFILE = (
    r"(?m)__rec=|\s*\d+ function calls|\s*Ordered by|==\d+=="
    r"|# (?:Overhead|To display the perf)|\s*Performance counter stats"
)
_ACCOUNTING = r"(?:\w+\|)+(?:Elapsed|ElapsedRaw)\b|(?:Elapsed|ElapsedRaw)\|"
EXTRA_P_3 = b"\x01\x00\x11\x00\x00\x00EXTRAP_EXP"
TAR, MAGIC = slice(257, 262), b"ustar"
ENDINGS = {".csv": RUNS, ".tsv": RUNS, ".trace": TRACE}
"""What a text that has nothing but remarks is by its name."""
OF_COLUMNS = "measured runs begin with their columns: n,P,t"
BEGINNINGS = {
    ".csv": OF_COLUMNS,
    ".tsv": OF_COLUMNS,
    ".json": "queues have stations, measured runs have points",
    ".jsonl": 'measured runs have lines such as {"params": {"p": 2}, "metric": "time", "value": 1.5}',
    ".toml": "queues have [[stations]], measured runs have points, machine files begin with schema = 1",
    ".goal": "GOAL begins with num_ranks",
    ".lqn": "layered queues of LQNS have sections G, P, T and E",
    ".lqnx": "layered queues of LQNS are in <lqn-model>",
    ".jsimg": "networks of JMT are in <sim>",
}
"""What a file with this ending needs at least."""
ANY_BEGINNING = "models have equations, L = …; measured runs columns, n,P,t; traces actions, 0 send 1 0 1024"


def kind_of(path: str | os.PathLike[str]) -> str:
    """The kind of a file; "model" where nothing speaks for another one, or where it cannot be read."""
    name = os.fspath(path)
    if os.path.isdir(name):
        if any(e.lower().endswith(MODELS) for e in os.listdir(name)):
            return MODEL
        return JOBS if _is_job_log(name) else TRACE if _is_event_trace(name) else RUNS
    if name.lower().endswith(MODELS):
        return MODEL
    if name.lower().endswith(FOREIGN_QUEUES):
        return QUEUE
    try:
        with open(name, "rb") as file:
            head = file.read(HEAD)
    except OSError:
        return MODEL
    from apet.traces.lines.files import is_packed

    if _is_job_log(name):
        return JOBS
    if head.startswith(b"PK\x03\x04") or head.startswith(EXTRA_P_3):
        return RUNS
    if is_packed(head) or _is_event_trace(name):
        return TRACE
    if (
        head[TAR] == MAGIC or head[:1] == b"\xf3" or (head[:1] == b"{" and b"\x00" in head)
    ):  # Score-P's, a marshalled one
        return RUNS
    text = head.decode("utf-8-sig", "replace")
    if name.lower().endswith((".toml", ".json", ".jsonl")) or text.lstrip()[:1] in ("{", "["):
        return _of_document(name, text)
    return _of_text(name, text)


def _is_event_trace(name: str) -> bool:
    from apet.traces.event_traces.formats import is_event_trace

    return is_event_trace(name)


def answerable(path: str | os.PathLike[str]) -> str:
    """The kind of a file; `ApetError` for one of no kind: an empty one, or one that has to be imported first."""
    name = os.fspath(path)
    if os.path.isfile(name) and not name.lower().endswith(MODELS):
        refuse_empty(name)
    kind = kind_of(name)
    if kind == MODEL and os.path.isfile(name) and not name.lower().endswith(MODELS):
        _refuse_foreign(name)
    return kind


def refuse_empty(name: str) -> None:
    """`ApetError` for a file that holds nothing, or blanks."""
    from apet.api.errors import EmptyFile

    with contextlib.suppress(OSError), open(name, "rb") as file:  # what cannot be read is refused where it is
        head = file.read(HEAD)
        if not head.removeprefix(b"\xef\xbb\xbf").strip() and len(head) < HEAD:
            advised = BEGINNINGS.get(os.path.splitext(name)[1].lower(), ANY_BEGINNING)
            raise ApetError(EmptyFile(Source(name, ""), None, advised))


def _refuse_foreign(name: str) -> None:
    from apet.api.errors import NotImported
    from apet.queueing.measured.load_tests import is_log_line
    from apet.traces.lines.files import opened, refuse_foreign

    refuse_foreign(name)
    with contextlib.suppress(OSError), opened(name) as file:
        if is_log_line(file.readline(HEAD)):
            raise ApetError(NotImported(Source(name, ""), None, name))


def _is_job_log(name: str) -> bool:
    """Whether a file, unpacked, begins as a log of an engine, or a folder has parts of one."""
    from apet.joblogs.read.reader import engine_of

    return bool(engine_of(name))


def _of_document(name: str, head: str) -> str:
    """JSON Lines are Extra-P's; the keys of other documents show their kind."""
    content = _parsed(name)
    if isinstance(content, list):
        return RUNS
    if isinstance(content, dict):
        keys = content.keys()
        for kind, own_keys in ((QUEUE, QUEUE_KEYS), (RUNS, RUNS_KEYS), (MACHINES, MACHINE_KEYS)):
            if own_keys & keys:
                return kind
        if "classes" in keys:
            return QUEUE
        return MACHINES if "schema" in keys and "data" not in keys else RUNS  # a frame of pandas has both

    return _by_words(head)


def _parsed(name: str) -> Any:
    from apet.ground.documents.document import read_document

    try:
        return read_document(name).content
    except ApetError:
        return None


def _by_words(head: str) -> str:
    """The kind of a document that cannot be parsed, by its first keys."""
    for kind, own_keys in ((QUEUE, QUEUE_KEYS | {"classes"}), (MACHINES, MACHINE_KEYS)):
        if any(re.search(rf'(?m)^\s*[\["]*{key}\b', head) for key in sorted(own_keys)):
            return kind
    return RUNS


def _of_text(name: str, head: str) -> str:
    from apet.traces.lines.actions import FORMS

    lines = [line.strip() for line in head.splitlines()[:200]]
    lines = [line for line in lines if line and not line.startswith(("#", "//"))][:40]
    if not lines:
        return ENDINGS.get(os.path.splitext(name)[1].lower(), MODEL)
    if re.search(_PROFILE, head) or re.match(_EXTRA_P, lines[0]) or re.match(_ACCOUNTING, lines[0]):
        return RUNS
    if any((action := re.match(_ACTION, line)) and action[1].lower() in FORMS for line in lines[:8]):
        return TRACE
    folder = os.path.dirname(name)
    if all(len(line.split()) == 1 and os.path.isfile(os.path.join(folder, line)) for line in lines):
        return TRACE
    if "=" not in lines[0] and any(re.fullmatch(_ROW, line) for line in lines[:3]):
        return RUNS
    # Loads the readers of runs, so only where nothing else is known.
    from apet.runs.read.sources import is_text_of_runs

    return RUNS if is_text_of_runs(head) else MODEL
