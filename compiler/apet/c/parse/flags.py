"""The flags that a source is compiled with: given, or those of `compile_commands.json` beside it or above."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence

from apet.c import errors
from apet.ground.diagnostics import ApetError

COMMANDS = "compile_commands.json"
PLACES = ("", "build", "out", "cmake-build-debug", "cmake-build-release")
MEANINGFUL = ("-I", "-D", "-U", "-std", "-include", "-isystem", "-iquote", "-fopenmp", "-m", "-x", "-f")
"""What a flag begins with that changes what a source means."""
WITH_WORD = ("-I", "-D", "-U", "-include", "-isystem", "-iquote", "-x")

_chosen: list[str] = []
"""The flags behind `--` in the call."""


def choose(flags: Sequence[str]) -> None:
    """The flags of all sources from now on: a call of the command line has one set."""
    _chosen[:] = flags


def flags_of(path: str, given: Sequence[str]) -> tuple[str, ...]:
    """The flags of a source: those given, else those of the call, else those of its compile command."""
    if given or _chosen:
        return tuple(given or _chosen)
    folder = os.path.dirname(os.path.abspath(path))
    while True:
        for place in PLACES:
            commands = os.path.join(folder, place, COMMANDS)
            if os.path.isfile(commands):
                return _of_entry(commands, os.path.abspath(path))
        above = os.path.dirname(folder)
        if above == folder:
            return ()
        folder = above


def _of_entry(commands: str, path: str) -> tuple[str, ...]:
    try:
        with open(commands, encoding="utf-8") as file:
            entries = json.load(file)
        for entry in entries:
            folder = entry["directory"]
            if os.path.normpath(os.path.join(folder, entry["file"])) == path:
                words = entry["arguments"] if "arguments" in entry else shlex.split(entry["command"])
                return _meaningful(words[1:], folder)
    except (OSError, ValueError, KeyError, TypeError) as e:
        raise ApetError(errors.BadCommands(None, None, commands, str(e) or type(e).__name__)) from e
    return ()


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
