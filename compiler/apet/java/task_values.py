"""What this machine and a run of a Java task say of the parameters of its model."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from apet.ground.diagnostics import ApetError, render
from apet.ground.interval import Interval, Number
from apet.ground.resources import located
from apet.program.front_ends import FRONT_ENDS

if TYPE_CHECKING:
    from apet.cost import Application
    from apet.java import Translation
    from apet.java.jvm import Jdk
    from apet.java.profile.counts import CountedRun
    from apet.machine import Machines
    from apet.program.errors import NotFollowed

Values = dict[str, Number | Interval]
TITLE = re.compile(r"\A// .*?: (?P<entry>.*), (?P<level>\w+) level$", re.MULTILINE)


def usual_level(machines: Machines) -> str:
    """The cost level that a machine file has operations for: "core" of one that measured a compiled program."""
    return "core" if any(name.startswith("tp_") for name in machines.operations) else "flat"


def calibrated_level(machines: Machines) -> str:
    """The cost level of a Java task that has been timed once: of a compiled program its operations are counted."""
    return "counted" if usual_level(machines) == "core" else "flat"


def host_values(machines: Machines) -> dict[str, float]:
    """What a measured machine file says of parameters of translated models: sizes of caches and vectors."""
    parameters = machines.provenance.get("parameters")
    return dict(parameters) if isinstance(parameters, dict) else {}


def remembered(machines: Machines) -> float:
    """Mispredictions that the machine's branch predictor remembers from run to run."""
    from apet.java.profile.parameter_values import LEARNT

    return float(host_values(machines).get("predictor_memory", LEARNT))


def front_end(path: str | os.PathLike[str]) -> Callable[..., Translation]:
    """What translates a source of its language with all that is known of its names."""
    from apet import java

    return FRONT_ENDS.get(os.path.splitext(path)[1].lower(), java.translate_resolved)


def formals_of(path: str | os.PathLike[str], method: str | None) -> set[str]:
    """What the methods of a Java file with this name (None: all of them) call their formals."""
    from apet.java.profile import sources

    return sources.formals_of(os.fspath(located(path)), method)


def rounded_where_whole(app: Application, name: str, value: Number | Interval) -> Number | Interval:
    """A mean that a run gave, to the nearest whole number where it bounds a loop of the model."""
    return round(value) if name in app.whole and not isinstance(value, Interval) else value


def left_out(path: str | os.PathLike[str], text: str, values: Values) -> list[str]:
    """The handlers of a Java task, translated without a run, that no throw of its source comes to, by their parameters:
    the bounds hold where nothing else throws. Of other branches they hold for any share."""
    from apet.ground.source_files import read_source
    from apet.program.ir import ParameterKind

    title = TITLE.search(text)
    if title is None:
        return []
    translation = front_end(path)(read_source(located(path)), title["entry"], title["level"])
    notes = translation.parameters.items()
    handlers = [(name, note.value) for name, note in notes if note.kind is ParameterKind.HANDLER]
    return [name for name, share in handlers if name not in values and share is not None and share.constant == 0]


def not_followed(path: str | os.PathLike[str], text: str, counted: bool) -> list[NotFollowed]:
    """The jumps of a task that its model does not follow."""
    from apet.ground.source_files import read_source
    from apet.program.errors import NotFollowed

    title = TITLE.search(text)
    if title is None:
        return []
    translation = front_end(path)(read_source(located(path)), title["entry"], title["level"], counted)
    return [one for one in translation.advice if isinstance(one, NotFollowed)]


def meant(path: str | os.PathLike[str], text: str, counted: bool, values: Values) -> Values:
    """Values by the names of parameters of a Java task: `Class.name` for a field or formal that shares its name.

    A name means the entry's formal first. Raises `ApetError` for one that means several things elsewhere.
    """
    from apet.ground.source_files import read_source
    from apet.program.errors import TwoMeanings
    from apet.program.ir import ParameterKind

    title = TITLE.search(text)
    if title is None:
        return values
    source = read_source(located(path))
    translation = front_end(path)(source, title["entry"], title["level"], counted)
    kinds = ParameterKind.FIELD, ParameterKind.FORMAL
    sites = [
        (p, note, note.site)
        for p, note in translation.parameters.items()
        if note.site and (note.kind in kinds or note.site.member == note.site.owner)
    ]
    found: Values = {}
    for name, value in values.items():
        owner, _, own = name.rpartition(".")
        named = [
            (p, note.text.replace("\0", " "), site)
            for p, note, site in sites
            if own == (site.variable or site.member) and owner in ("", site.owner) and note.value is None
        ]
        is_formal = name in translation.inputs
        if len(named) > 1 and not is_formal:
            (_, one, _), (_, other, site) = named[:2]
            raise ApetError(TwoMeanings(None, None, name, one, other, f"{site.owner}.{own}"))
        found[named[0][0] if owner and named else name] = value
    return found


def held_text(path: str | os.PathLike[str], text: str, counted: bool, values: Mapping[str, Number | Interval]) -> str:
    """The model of a Java task that a text is, with what is too great for its type at these values as Java has it."""
    from apet.ground.source_files import read_source

    title = TITLE.search(text)
    wrapped: frozenset[tuple[Any, str]] = frozenset()
    while title is not None:
        source = read_source(located(path))
        translation = front_end(path)(source, title["entry"], title["level"], counted, wrapped)
        further = translation.overflows(values) - wrapped
        if not further:
            return translation.text if wrapped else text
        wrapped |= further
    return text


def not_run(error: ApetError) -> str | None:
    """What to tell of a Java task that is predicted although its run failed; None where the task is wrong."""
    from apet.java.profile import failures

    advisory = failures.not_run(error)
    return None if advisory is None else render(advisory)


def of_formals(text: str, sizes: Mapping[str, Number | Interval]) -> Values:
    """Values of a model's parameters that the task is called with under another name: `n` for `n_`, where a method has
    two of that name, and `a_length` for the rows of a square matrix."""
    from apet.java.profile.parameter_values import parameters

    title = re.match(r"// .*?: [\w.$]+\.([\w$]+)\(", text)
    entry = title[1] if title is not None else ""
    values: Values = {}
    for p in parameters(text):
        formal = re.search(r": formal (\w+) of (\w+)$", p.comment)
        if formal is not None and formal[2] == entry and formal[1] in sizes:
            values[p.name] = sizes[formal[1]]
        elif p.name.endswith("_length2") and re.search(r": length of \w+$", p.comment) and p.name[:-1] in sizes:
            values[p.name] = sizes[p.name[:-1]]
    return values


def mode_of(machines: Machines) -> str:
    """The mode of the JVM that a machine file was measured in."""
    return str(machines.provenance.get("mode", "C2"))


def translation_of(path: str | os.PathLike[str], text: str) -> Translation:
    """The translation that a text is, with the places of its parameters and calls in the source."""
    from apet.ground.source_files import read_source

    title = TITLE.search(text)
    assert title is not None
    return front_end(path)(read_source(located(path)), title["entry"], title["level"], counted=True)


def run_task(
    jdk: Jdk, path: str, translation: Translation, settings: Mapping[str, Number], machines: Machines, limit: float
) -> CountedRun:
    """One run of a Java task: a class with setup(int) at its only size, else with formals by their names."""
    from apet.java.profile.profiling import calls_to_time, prepare, run_profile
    from apet.java.profile.sources import in_order, text_of
    from apet.java.profile.task_profiles import profile_tasks
    from apet.java.profile.workload import BatchWork, MessageSizes

    text = translation.text
    title = re.match(r"// .*?: ([\w.$]+)\.([\w$]+)(\(.*\)), ", text)
    assert title is not None
    java, mode = text_of(path), mode_of(machines)
    import tempfile  # brings hashes and random numbers, which no other verb needs

    with tempfile.TemporaryDirectory(prefix="apet-") as folder:
        if title[2] == "main" or re.search(r"\bsetup\s*\(\s*(?:final\s+)?int\b", java):
            sizes = [int(settings[name]) for name in in_order(path, title[2], list(settings))]
            calls = calls_to_time(translation, mode)
            program = prepare(jdk, [path, *translation.files], folder, translation.parameters, calls)
            return run_profile(jdk, program, (title[1], title[2]), sizes, True, limit, mode)

        row = tuple(float(v) for v in settings.values())
        nothing = MessageSizes(None, None, None, None)
        work = BatchWork(
            "task", path, title[1], title[2] + title[3], 1, True, nothing, 0, tuple(settings), (row,), (), ()
        )
        return profile_tasks(jdk, [work], True, limit, folder, translation.parameters, mode)
