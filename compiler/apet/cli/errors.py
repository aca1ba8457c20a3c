"""What can be wrong with a call: its options, what they name, and where results go."""

from __future__ import annotations

from apet.ground.diagnostics import Diagnostic
from apet.ground.notation import BadOption

USAGE = {
    "--servers": "for example: --servers app=4",
    "--price": "for example: --price app=0.12",
    "--interval": "for example: --interval 30s",
    "--set": "write --set n=1e9, or a range: --set q=0.1..0.3",
    "--calibrate": "write --set n=100000 --calibrate n",
    "--calibrate-at": "write --calibrate-at n=1000",
    "--for": "write --for P=1:5000, --for n=1e3..1e9, or --for P for all processors",
    "--to": "numbers above 0, or ranges: --to 2000,4000 or --to 1000:16000:2x (doubling); of fit: --to n=8000,P=2x",
    "--plan": "write ranges: --plan n=100:1600,P=1:16",
    "--hostfile": "give one host file, or as many as platforms",
    "--at": "write --at 64=profile-a.csv --at 128=profile-b.csv",
    "--where": "write --where P=1, or --where alg=cg",
    "--role": "write --role ranks=procs",
    "--phase": "write the path as --tree shows it",
    "--time-limit": "write a time: --time-limit 90s or 10min",
    "--memory-limit": "write a size: --memory-limit 500MB or 2GB",
}
"""How the value of an option is written."""


class WrongCall(Diagnostic):
    """Options and files that together ask for nothing, or for too much."""

    message = "{reason}"
    hint = "{advice_text}"


class NotForThisFile(Diagnostic):
    """An option that means nothing for a file of this kind."""

    message = "{option} does not apply to {path}"
    hint = "{advice_text}"


class UnknownEnding(Diagnostic):
    """A file whose ending chooses nothing that there is."""

    message = "cannot {action} {path}: its ending is none of {endings}"
    hint = "the ending chooses the {chosen}"


class CannotWrite(Diagnostic):
    """An output file that cannot be written."""

    message = "cannot write {path}: {reason}"
    hint = "{advice_text}"
    advice_text = ""


class FormulaTooLong(Diagnostic):
    """A formula that would fill the memory, or pages, as text."""

    message = "{name} is too long to write out: {size} terms"
    hint = "{advice_text}"


EXTRAS = {"matplotlib": "plot", "lsprotocol": "editor", "scipy": "scipy"}
"""The extras that bring libraries which an installation may lack, by what is imported: docs/install.md."""


class NeedsLibrary(Diagnostic):
    """A library that is not installed, such as one of an extra."""

    message = "this call needs {library}, which is not installed"
    hint = "install it: pip install {requirement}"


def needs_library(module: str) -> NeedsLibrary:
    """The error of a module that cannot be imported, with the extra that brings it."""
    name = module.partition(".")[0]
    library = name.replace("_", "-")
    return NeedsLibrary(None, None, library, f"'apet[{EXTRAS[name]}]'" if name in EXTRAS else library)


class SystemRefuses(Diagnostic):
    """What the system refuses in the midst of work, such as a full disk."""

    message = "the system refuses: {reason}"


class CannotServe(Diagnostic):
    """A port that cannot be had."""

    message = "cannot serve on port {port}: {reason}"
    hint = "take another, or leave --port out: a free one is found"


def bad_option(option: str, value: str, reason: str, advice: str = "") -> BadOption:
    """The error of an option; with advice, else its form, if that is in `USAGE`."""
    return BadOption(None, None, option, value, reason, advice or USAGE.get(option, f"leave {option} out"))


class CountedByProfile(Diagnostic):
    """Values that a program's model lacks, and that one run of it would tell."""

    message = "what no source tells, a run does: its rounds, probabilities and sizes have no values"
    hint = "run it here with counters: apet predict {model} --profile --set NAME=SIZE …"
