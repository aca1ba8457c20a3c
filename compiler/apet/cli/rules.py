"""What an option needs beside it, and what it does not go with: a call with an option that has no effect is refused.

Which kinds of files an option is for shows where it is declared; here is what the other options of a call decide.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from apet.cli.errors import WrongCall
from apet.cli.output import advise
from apet.ground.diagnostics import ApetError, Diagnostic


def needs(action: argparse.Action, *options: str) -> argparse.Action:
    """The option has an effect only next to one of these: `--draws`, `--backend queueing`."""
    vars(action)["needs"] = options
    return action


def without(action: argparse.Action, *options: str) -> argparse.Action:
    """The option has no effect next to any of these."""
    vars(action)["without"] = (*vars(action).get("without", ()), *options)
    return action


def repeated(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> list[str]:
    """The options of one value that a call gives twice: only the last would count."""
    words = arguments[: [*arguments, "--"].index("--")]
    names, previous = list[str](), ""
    for word in words:
        if word.startswith("--") or previous not in parser._option_string_actions:
            names.append(word.partition("=")[0] if word.startswith("--") else word)
        previous = word
    single = {
        id(action): [name for name in names if name in action.option_strings]
        for action in parser._actions
        if isinstance(action, argparse._StoreAction) and action.option_strings
    }
    return [found[-1] for found in single.values() if len(found) > 1]


def given(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> dict[str, argparse.Action]:
    """The options of a call by the name that each was written with."""
    words = arguments[: [*arguments, "--"].index("--")]
    actions = parser._option_string_actions
    written = {}
    for word in words:
        name = word if word in actions else word.partition("=")[0]
        if name not in actions and not word.startswith("--"):
            name = word[:2]  # -P8
        if name in actions:
            written[name] = actions[name]
    return written


def check(parser: argparse.ArgumentParser, arguments: Sequence[str], options: argparse.Namespace) -> None:
    """`ApetError` with every option of a call that would have no effect; of one given twice, a note."""
    written = given(parser, arguments)
    for name in repeated(parser, arguments):
        advise(f"note: {name} is given twice: the last one counts")
    errors: list[Diagnostic] = []
    for name, action in written.items():
        needed: tuple[str, ...] = vars(action).get("needs", ())
        if needed and not any(_holds(parser, option, written, options) for option in needed):
            advice = f"add {' or '.join(needed)}, or leave {name} out"
            errors.append(WrongCall(None, None, f"{name} has no effect without {' or '.join(needed)}", advice))
        for other in vars(action).get("without", ()):
            if _holds(parser, other, written, options):
                errors.append(WrongCall(None, None, f"{name} has no effect with {other}", "leave one of the two out"))
    if errors:
        raise ApetError(errors)


def _holds(
    parser: argparse.ArgumentParser, option: str, written: dict[str, argparse.Action], options: argparse.Namespace
) -> bool:
    """Whether a call has an option, or has it with a value, as in `--backend queueing`; or a positional as such."""
    name, _, value = option.partition(" ")
    action = parser._option_string_actions.get(name)
    if action is None:
        return bool(getattr(options, name, None))
    if action not in written.values():
        return False
    return not value or getattr(options, action.dest) in (value, [value])
