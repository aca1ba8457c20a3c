"""`apet completion`: a script that completes verbs, options, their values, shipped names and files."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from apet.cli import output
from apet.cli.parsers import whole_parser
from apet.ground.resources import names

SHELLS = ("bash", "zsh", "fish")
DESCRIPTION = """Print a script that completes verbs, options and their values, files, and the names of shipped machine
    models and samples. In bash: source <(apet completion bash)"""

FILES = {
    *("F", "FILE", "F.toml", "FILE.java", "H", "M.toml", "P.xml", "S.json"),
    *("RUNS", "SOURCE", "TRACE", "PROGRAM", "COMMAND", "COMPILER"),
}
"""Placeholders of options and arguments that stand for a file."""
FOLDERS = ("DIR",)
MODELS = ("pamela/", "pasl/", "queueing/", "runs/", "joblogs/", "traces/")
ENDINGS = (".pam", ".pasl", ".toml", ".json", ".csv", ".txt")


def declare(parser: argparse.ArgumentParser) -> None:
    """The shell."""
    parser.add_argument("shell", choices=SHELLS, help="for which shell")


def run(options: argparse.Namespace) -> None:
    """Print the script."""
    output.show(script(options.shell))


def script(shell: str) -> str:
    """The script for a shell, made from the parsers of all verbs."""
    import shtab

    parser = whole_parser()
    for action in _actions(parser):
        completer = _completed(action)
        if completer:
            action.complete = completer  # type: ignore[attr-defined]
    preamble = {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell]()
    text: str = shtab.complete(parser, shell, preamble=preamble)
    return text


def shipped() -> dict[str, list[str]]:
    """The names that need no file, by what they are called for."""
    models = [n for n in names("samples") if n.startswith(MODELS) and n.endswith(ENDINGS) and "variants" not in n]
    sources = [n for n in names("samples") if n.endswith((".java", ".pasl"))]
    machines = [n.removesuffix(".toml") for n in names("machines") if n.endswith(".toml")]
    return {"models": models, "sources": sources, "machines": [*machines, "this"]}


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for verb in dict.fromkeys(action.choices.values()):
                yield from _actions(verb)
        else:
            yield action


def _completed(action: argparse.Action) -> dict[str, Any] | None:
    """How shtab shall complete a value: by a function of `shipped`, by files, by folders; None: not, or by choices."""
    import shtab

    if action.choices or action.nargs == 0:
        return None
    kinds = {"model": "models", "models": "models", "source": "sources", "machines": "machines"}
    if action.dest in kinds:
        function = f"_apet_file_{kinds[action.dest]}"
        return {"bash": function, "zsh": function, "fish": f"({function})"}
    name = action.metavar if isinstance(action.metavar, str) else ""
    if name in FILES or action.dest in ("platform", "files", "command"):
        return dict(shtab.FILE)
    return dict(shtab.DIRECTORY) if name in FOLDERS else None


def _bash() -> str:
    return "\n".join(
        f'_apet_file_{kind}() {{ compgen -W "{" ".join(names)}" -- "$1"; compgen -f -- "$1"; }}'
        for kind, names in shipped().items()
    )


def _zsh() -> str:
    return "\n".join(
        f"_apet_file_{kind}() {{ local -a names=({' '.join(names)}); _alternative 'shipped:shipped:compadd -a names' "
        "'files:file:_files' }"
        for kind, names in shipped().items()
    )


def _fish() -> str:
    return "\n".join(
        f"function _apet_file_{kind}\n  printf '%s\\n' {' '.join(names)}\n  __fish_complete_path (commandline -ct)\nend"
        for kind, names in shipped().items()
    )
