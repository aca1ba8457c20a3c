"""The directive `apet-verbs`: one section for each verb of the command line, with what its `--help` prints.

The text comes from the argument parser while the pages are built, so that it cannot be out of date.
"""

from __future__ import annotations

import contextlib
import io
import os
from typing import ClassVar
from unittest.mock import patch

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


def help_text(*verb: str, columns: int = 100) -> str:
    """What `apet [VERB] --help` prints on a terminal of that many columns."""
    from apet.cli.main import main

    printed = io.StringIO()
    terminal = patch.dict(os.environ, {"COLUMNS": str(columns), "NO_COLOR": "1"})
    with terminal, contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
        main([*verb, "--help"])
    return printed.getvalue().rstrip()


def verbs() -> list[str]:
    """The verbs in the order of the overview."""
    from apet.cli.verbs import GROUPS, VERBS

    return [name for group in GROUPS.values() for name in group if name in VERBS]


class ApetVerbs(SphinxDirective):
    """`apet --help`, then one section per verb. `:columns:` is the width, 100 unless given."""

    option_spec: ClassVar = {"columns": int}

    def run(self) -> list[nodes.Node]:
        return [_block(self._help()), *(self._section(verb) for verb in verbs())]

    def _help(self, *verb: str) -> str:
        self.env.note_reread()
        return help_text(*verb, columns=self.options.get("columns", 100))

    def _section(self, verb: str) -> nodes.Node:
        from apet.cli.verbs import OF_KINDS

        section = nodes.section(ids=[f"apet-{verb}"], names=[f"apet {verb}"])
        section += nodes.title("", "", nodes.literal("", f"apet {verb}"))
        section += _block(self._help(verb))
        for example in list(OF_KINDS.get(verb, {}).values())[1:]:
            section += nodes.paragraph("", "", nodes.literal("", f"apet {verb} {example.split()[0]}"))
            section += _block(self._help(verb, example.split()[0]))
        return section


def _block(text: str) -> nodes.Node:
    return nodes.literal_block(text, text, language="text")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("apet-verbs", ApetVerbs)
    return {"parallel_read_safe": True}
