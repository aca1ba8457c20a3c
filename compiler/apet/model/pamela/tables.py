"""The LALR(1) tables of the grammar, made by Lark and kept beside it as `grammar/pamela.tables.json`.

Lark is the authority; it is not imported while the kept tables belong to the grammar's text. Run
`python -m apet.model.pamela.tables` after changing the grammar.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from typing import Any

from apet.ground.records import NamedTuple
from apet.ground.resources import data_path, data_text

SOFT = {
    "def": r"(?=[ \t\r\n]+[^\W\d])",
    "graph": r"(?=[ \t\r\n]*\{)",
    "after": r"(?=[ \t\r\n]+(?!(?:in|servers|else)\b)[^\W\d])",
}
"""Words that are keywords only where this follows, so that they remain names."""
GRAMMAR = "pamela.lark"
KEPT = "pamela.tables.json"


class Tables(NamedTuple):
    """`actions[state][symbol]`: a state to shift to or go to (>= 0), or `-(1 + rule)` to reduce by.

    `rules[rule]` is (left side, length, alias); terminals stand for themselves (`"||"`, `"par"`) but for NAME, NUMBER,
    INCLUDE and END.
    """

    actions: list[dict[str, int]]
    rules: list[tuple[str, int, str]]
    names: str
    numbers: str
    ignored: str
    includes: str

    @property
    def keywords(self) -> frozenset[str]:
        """The words that cannot be names."""
        nonterminals = {left for left, _, _ in self.rules}
        return (
            frozenset(s for row in self.actions for s in row if s.isalpha() and s.islower())
            - nonterminals
            - SOFT.keys()
        )

    @property
    def marks(self) -> str:
        """The pattern of all other literal tokens: first those that begin no other one, then longer before shorter."""
        literals = sorted({s for row in self.actions for s in row if not s[0].isalnum() and s[0] not in "_$"})
        alone = [s for s in literals if len(s) == 1 and not any(o != s and o.startswith(s) for o in literals)]
        rest = sorted((s for s in literals if s not in alone), key=len, reverse=True)
        soft = (word + ahead for word, ahead in SOFT.items())
        return "|".join((f"[{re.escape(''.join(alone))}]", *soft, *map(re.escape, rest)))


def load() -> Tables:
    """The kept tables if they fit the grammar, else tables made anew."""
    text = data_text("grammar", GRAMMAR)
    if os.path.isfile(data_path("grammar", KEPT)):
        data = json.loads(data_text("grammar", KEPT))
        if data["checksum"] == checksum(text):
            return _unpack(data)
    return _unpack(build(text))


def checksum(text: str) -> int:
    """What ties tables to the text of their grammar."""
    return zlib.crc32(text.encode())


def build(text: str) -> dict[str, Any]:
    """The tables of a grammar text in the form in which they are kept."""
    from lark import Lark
    from lark.parsers.lalr_analysis import Shift

    lark = Lark(text, parser="lalr", keep_all_tokens=True, maybe_placeholders=False)
    terminals = {t.name: t for t in lark.terminals}
    names = {n: t.pattern.value if t.pattern.type == "str" else n for n, t in terminals.items()} | {"$END": "END"}
    table: Any = lark.parser.parser._parse_table  # the one place that needs Lark's inside
    start = table.start_states["start"]
    order = {s: i for i, s in enumerate(sorted(table.states, key=lambda s: (s != start, s)))}
    rules: dict[Any, int] = {}
    actions: list[dict[str, int]] = [{} for _ in order]
    for state, row in table.states.items():
        for symbol, (action, argument) in row.items():
            code = order[argument] if action is Shift else -1 - rules.setdefault(argument, len(rules))
            actions[order[state]][names.get(symbol, symbol)] = code
    actions[order[table.end_states["start"]]]["END"] = ACCEPT
    return {
        "note": "made from pamela.lark by python -m apet.model.pamela.tables",
        "checksum": checksum(text),
        "actions": actions,
        "rules": [[r.origin.name, len(r.expansion), r.alias or "first"] for r in rules],
        "names": terminals["NAME"].pattern.value,
        "numbers": terminals["NUMBER"].pattern.value,
        "ignored": terminals["IGNORED"].pattern.value,
        "includes": terminals["INCLUDE"].pattern.value,
    }


ACCEPT = 1 << 30


def _unpack(data: dict[str, Any]) -> Tables:
    rules = [(left, length, alias) for left, length, alias in data["rules"]]
    return Tables(data["actions"], rules, data["names"], data["numbers"], data["ignored"], data["includes"])


def main() -> None:
    """Write the tables anew."""
    text = data_text("grammar", GRAMMAR)
    lines = json.dumps(build(text), separators=(",", ":")).replace("},{", "},\n{")
    with open(data_path("grammar", KEPT), "w", encoding="utf-8") as file:
        file.write(lines + "\n")


if __name__ == "__main__":
    main()
