"""The flags that a source is compiled with: given, or those of `compile_commands.json` beside it or above."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from typing import Any

from apet.c import errors
from apet.ground.diagnostics import ApetError

COMMANDS = "compile_commands.json"
PLACES = ("", "build", "out", "cmake-build-debug", "cmake-build-release")
MEANINGFUL = ("-I", "-D", "-U", "-std", "-include", "-isystem", "-iquote", "-fopenmp", "-m", "-x", "-f")
"""What a flag begins with that changes what a source means."""
WITH_WORD = ("-I", "-D", "-U", "-include", "-isystem", "-iquote", "-x")
OF_FILES = ("-I", "-include", "-isystem", "-iquote")

_chosen: list[str] = []
"""The flags behind `--` in the call."""
_beside: list[str] = []
"""The further sources there."""


def choose(flags: Sequence[str]) -> None:
    """The flags of all sources from now on, and further sources among them: a call of the command line has one set."""
    _beside[:] = [flag for flag in flags if flag.endswith(".c")]
    _chosen[:] = [flag for flag in flags if not flag.endswith(".c")]


def sources_beside(path: str) -> list[str]:
    """The other sources of the program: those of the call, else those of the list of compile commands."""
    if _beside or _chosen:
        return [*_beside]
    commands, entries = _commands(path)
    files = (os.path.join(entry["directory"], entry["file"]) for entry in entries)
    own = os.path.abspath(path)
    return [f for f in dict.fromkeys(map(os.path.normpath, files)) if f != own and f.endswith(".c") and commands]


def flags_of(path: str, given: Sequence[str]) -> tuple[str, ...]:
    """The flags of a source: those given, else those of the call, else those of its compile command."""
    if given or _chosen:
        return tuple(given or _chosen)
    commands, entries = _commands(path)
    try:
        for entry in entries:
            folder = entry["directory"]
            if os.path.normpath(os.path.join(folder, entry["file"])) == os.path.abspath(path):
                words = entry["arguments"] if "arguments" in entry else shlex.split(entry["command"])
                return _meaningful(words[1:], folder)
    except (ValueError, KeyError, TypeError) as e:
        raise ApetError(errors.BadCommands(None, None, commands, str(e) or type(e).__name__)) from e
    return ()


def _commands(path: str) -> tuple[str, list[dict[str, Any]]]:
    """The list of compile commands beside a source or above it, and what it holds; nothing without one."""
    folder = os.path.dirname(os.path.abspath(path))
    while True:
        for place in PLACES:
            commands = os.path.join(folder, place, COMMANDS)
            if os.path.isfile(commands):
                try:
                    with open(commands, encoding="utf-8") as file:
                        return commands, list(json.load(file))
                except (OSError, ValueError, TypeError) as e:
                    raise ApetError(errors.BadCommands(None, None, commands, str(e) or type(e).__name__)) from e
        above = os.path.dirname(folder)
        if above == folder:
            return "", []
        folder = above


def _meaningful(words: Sequence[str], folder: str) -> tuple[str, ...]:
    """The flags that change what a source means, with folders as the build's own folder has them."""
    kept: list[str] = []
    waiting = iter(words)
    for word in waiting:
        if word.startswith(MEANINGFUL):
            kept.append(word)
            if word in WITH_WORD:
                kept.append(next(waiting, ""))
    return ("-working-directory", folder, *kept)


def of_compiler(flags: Sequence[str]) -> list[str]:
    """Flags for a compiler that runs in any folder: it has no `-working-directory`."""
    if flags[:1] != ("-working-directory",):
        return list(flags)
    folder, kept = flags[1], list[str]()
    for word in flags[2:]:
        if kept[-1:] and kept[-1] in OF_FILES:
            kept.append(os.path.join(folder, word))
        else:
            kept.append(f"-I{os.path.join(folder, word[2:])}" if word.startswith("-I") and word != "-I" else word)
    return kept
