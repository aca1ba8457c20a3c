"""Old spellings of calls, which work for one version: each is rewritten, and the new one told on standard error.

A call is rewritten word by word before it is parsed; so nothing else knows that there were other names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

Words = list[str]
OF_TRACES: Mapping[str, Words] = {
    "replay": ["simulate"],
    "predict": ["predict"],
    "explain": ["explain"],
    "compile": ["compile"],
    "check": ["check"],
    "acquire": ["record"],
    "cc": ["record", "--cc"],
    "calibrate": ["calibrate"],
    "convert": ["import", "--from", "trace"],
    "fold": ["fold"],
    "extrapolate": ["extrapolate"],
}
OF_SERVICES = {"from-metrics": "metrics", "from-traces": "spans", "from-log": "access-log"}
RUN_LIMIT = dict.fromkeys(
    ("predict", "explain", "profile", "validate", "measure", "record", "calibrate"), "--run-limit"
)
RENAMED: dict[str, dict[str, str]] = {
    **{verb: {"--limit": new} for verb, new in RUN_LIMIT.items()},
    "sweep": {"--limit": "--most-points", "--against": "--cost", "--by": "--minimise", "--scheduler": "--dask"},
    "solve": {"--within": "--near-best", "--budget": "--most-cost"},
    "simulate": {"--within": "--tolerance", "--scheduler": "--dask"},
}
RENAMED["calibrate"] |= {"--runs": "--repeat", "--cores": "--cores-per-host"}
RENAMED["validate"] |= {"--runs": "--repeat"}
"""Options of verbs by their old names."""
SEVERAL = {"compare": ("-m", "--machines"), "sweep": ("-m", "--machines"), "simulate": ("--platform", "--hostfile")}
"""Options that took several values at once, and are repeated now."""


def current(arguments: Sequence[str]) -> Words:
    """A call in the spelling of today; `ApetError` for an old verb that is several verbs now."""
    words, rest = list(arguments), Words()
    if "--" in words:
        at = words.index("--")
        words, rest = words[:at], words[at:]
    place = next((k for k, word in enumerate(words) if not word.startswith("-")), None)
    if place is None:
        return list(arguments)
    before, call = words[:place], words[place:]
    rewritten = _options(_verb(call))
    if rewritten != call and not {"-q", "--quiet"} & set(words):
        import shlex

        from apet.cli.output import warn

        warn(f"note: written anew: apet {shlex.join([*rewritten, *rest])}")
    return [*before, *rewritten, *rest]


def _verb(call: Words) -> Words:
    """The call with the verb of today."""
    rewrite = VERBS.get(call[0])
    return call if rewrite is None else rewrite(call[1:])


def _options(call: Words) -> Words:
    """The call with the options of today, and each of several values behind its own."""
    verb, names = call[0], RENAMED.get(call[0], {})
    words = [verb]
    for word in call[1:]:
        name, equals, value = word.partition("=")
        words.append(names[name] + equals + value if name in names else word)
    if verb == "sweep" and "--dask" in words and "--engine" in words:
        at = words.index("--engine")
        del words[at : at + 2]
    return _repeated(words, SEVERAL.get(verb, ()))


def _repeated(words: Words, names: Sequence[str]) -> Words:
    """`-m A B` behind a file is `-m A -m B`; in front of one, B is the file."""
    repeated, option, values, files = Words(), "", 0, 0
    for word in words:
        if word.startswith("-") and word != "-":
            option, values = word, 0
        elif option:
            values += 1
            if values > 1 and option in names and files > 1:
                repeated.append(option)
            elif values > 1:
                option = ""
        if not option:
            files += 1
        repeated.append(word)
    return repeated


def _of_kind(call: Words, kind: str) -> Words:
    """A call whose old verb told the kind of its file, which is told where the file itself does not."""
    from apet.api.kinds import kind_of
    from apet.ground.resources import located

    if "--help" in call or any(kind_of(located(word)) == kind for word in call[1:] if not word.startswith("-")):
        return call
    return [*call, "--input-kind", kind]


def _trace(rest: Words) -> Words:
    if not rest or rest[0] not in OF_TRACES:
        from apet.cli.errors import WrongCall
        from apet.ground.diagnostics import ApetError

        names = ", ".join(dict.fromkeys(words[0] for words in OF_TRACES.values()))
        raise ApetError(WrongCall(None, None, "'trace' is several verbs now", f"see apet --help: {names}"))
    words = [*OF_TRACES[rest[0]], *rest[1:]]
    return _of_kind(words, "trace") if words[0] in ("simulate", "predict", "explain", "compile", "check") else words


def _jobs(rest: Words) -> Words:
    if rest[:1] == ["check"] and len(rest) > 1:
        return _of_kind(["check", *rest[1:]], "jobs")
    if rest[:1] == ["anonymise"] and len(rest) > 1:
        return _of_kind(["export", *rest[1:], "--as", "anonymous"], "jobs")
    if "--emit" in rest[:-1]:
        return _of_kind(["export", *("--as" if word == "--emit" else word for word in rest)], "jobs")
    return _of_kind(["predict", *rest], "jobs")


def _queue(rest: Words) -> Words:
    if rest and rest[0] in OF_SERVICES:
        words = ["--classes" if word == "--by" else word for word in rest[1:]]
        return ["import", *words, "--from", OF_SERVICES[rest[0]]]
    if "--simulate" in rest:
        return _of_kind(["simulate", *(word for word in rest if word != "--simulate")], "queue")
    if "--emit" in rest:
        return _of_kind(["compile", *rest], "queue")
    return _of_kind(["predict", *("--vary" if word == "--against" else word for word in rest)], "queue")


def _runs(kind: str) -> Callable[[Words], Words]:
    def rewrite(rest: Words) -> Words:
        words = ["--deadline" if word == "--within" else word for word in rest]
        if "--size" in words:
            return ["extrapolate", *words]
        return _of_kind(["predict", *words, "--kind", kind], "runs")

    return rewrite


def _extrapolate(rest: Words) -> Words:
    """Runs are predicted; traces are extrapolated, to a trace of a size."""
    from apet.api.kinds import TRACE, kind_of
    from apet.ground.resources import located

    if any(not word.startswith("-") and kind_of(located(word)) == TRACE for word in rest) or "--help" in rest:
        return ["extrapolate", *rest]
    return _runs("size")(rest)


def _fit(rest: Words) -> Words:
    if "--plan" in rest:
        return ["measure", *rest]
    return _of_kind(["predict", *rest], "runs")


def _samples(what: str) -> Callable[[Words], Words]:
    def rewrite(rest: Words) -> Words:
        if rest[:1] == ["show"]:
            return ["show", *rest[1:]]
        if rest[:1] == ["copy"]:
            return ["show", *rest[1:2], "-o", *(rest[2:] or ["."])]
        return ["list", what, *(rest[1:] if rest[:1] == ["list"] else rest)]

    return rewrite


VERBS: dict[str, Callable[[Words], Words]] = {
    "trace": _trace,
    "jobs": _jobs,
    "queue": _queue,
    "extrapolate": _extrapolate,
    "speedup": _runs("procs"),
    "fit": _fit,
    "samples": _samples("samples"),
    "machines": _samples("machines"),
}
"""Old verbs, and what their calls are now."""
