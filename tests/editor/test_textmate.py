"""The TextMate grammars: every word of the languages is coloured as what it is, in every sample."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from lark import Lark

ROOT = Path(__file__).resolve().parents[2]
CASES = [("pamela", "pam"), ("pasl", "pasl")]


def grammar(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "grammar" / f"{name}.tmLanguage.json").read_text())
    return found


def coloured(rules: dict[str, Any], line: str) -> list[tuple[str, str]]:
    """The pieces of one line outside block comments, each with its scope: the leftmost match, then the first rule."""
    patterns = []
    for include in rules["patterns"]:
        rule = rules["repository"][include["include"][1:]]
        patterns += rule.get("patterns", [rule])
    found, at = [], 0
    while at < len(line):
        matches = [
            (m.start(), k, m)
            for k, p in enumerate(patterns)
            if "match" in p and (m := re.compile(p["match"]).search(line, at))
        ]
        if not matches:
            break
        _, k, match = min(matches, key=lambda m: m[:2])
        assert match.end() > at
        if "captures" in patterns[k]:
            found += [(match[int(n)], c["name"]) for n, c in patterns[k]["captures"].items()]
        else:
            found.append((match.group(), patterns[k]["name"]))
        at = match.end()
    return found


@pytest.mark.parametrize(("name", "ending"), CASES)
def test_keywords_of_the_grammar_are_keywords(name: str, ending: str) -> None:
    lark = Lark((ROOT / "grammar" / f"{name}.lark").read_text(), parser="lalr")
    words = [re.sub(r"\(\?.*", "", t.pattern.value) for t in lark.terminals]
    keywords = [w for w in words if re.fullmatch(r"[a-z]+", w)]
    assert len(keywords) > 8
    for word in keywords:
        scopes = {scope for text, scope in coloured(grammar(name), f" {word} ") if text == word}
        assert scopes, word
        assert all(s.startswith(("keyword", "storage", "support")) for s in scopes), (word, scopes)
        assert coloured(grammar(name), f"{word}x")[0][1].startswith("variable")


@pytest.mark.parametrize(("name", "ending"), CASES)
def test_nothing_of_a_sample_stays_without_a_colour(name: str, ending: str) -> None:
    from apet.editor.layout import tokens

    for path in ROOT.glob(f"samples/*/*.{ending}"):
        text = re.sub(r"/\*(?:[^*]|\*(?!/))*\*/", "", path.read_text())
        for line in text.splitlines():
            pieces = [piece for piece, _ in coloured(grammar(name), line)]
            assert [p.replace(" ", "") for p in pieces] == [t.text.replace(" ", "") for t in tokens(line)], line


PAINT = """
const fs = require("fs");
const [colours, grammar] = process.argv.slice(1).map((name) => fs.readFileSync(name, "utf-8"));
const painter = new Function(`${colours}; return Colours.painter;`)();
const paint = painter(JSON.parse(grammar));
process.stdout.write(JSON.stringify(JSON.parse(fs.readFileSync(0, "utf-8")).map(paint)));
"""
CLASSES = {"comment": "comment", "string": "string", "constant": "number", "storage": "keyword", "support": "function"}


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_the_local_page_colours_what_editors_do() -> None:
    """The page matches over the whole text, editors line by line: block comments are those of the page."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("samples/pamela/*.pam"))]
    files = [ROOT / "compiler" / "apet" / "editor" / "colours.js", ROOT / "grammar" / "pamela.tmLanguage.json"]
    command = ["node", "-e", PAINT, *map(str, files)]
    done = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, timeout=60, check=True)
    for text, spans in zip(texts, json.loads(done.stdout), strict=True):
        painted = [(text[start:end], name) for start, end, name in spans if not text.startswith("/*", start)]
        lines = re.sub(r"/\*(?:[^*]|\*(?!/))*\*/", "", text).splitlines()
        scopes = [pair for line in lines for pair in coloured(grammar("pamela"), line)]
        expected = [(piece, _class(scope)) for piece, scope in scopes]
        assert painted == [(piece, name) for piece, name in expected if name]
        assert len(painted) > 5


def _class(scope: str) -> str:
    first, second = scope.split(".")[:2]
    return "keyword" if first == "keyword" and second in ("control", "other") else CLASSES.get(first, "")


def test_scopes_name_their_language() -> None:
    for name, ending in CASES:
        found = grammar(name)
        assert found["scopeName"] == f"source.{name}"
        assert found["fileTypes"] == [ending]
        assert coloured(found, "x = 10 kB; // y") == [
            ("x", f"variable.{name}"),
            ("=", f"keyword.operator.{name}"),
            ("10 kB", f"constant.numeric.{name}"),
            (";", f"punctuation.separator.{name}"),
            ("// y", f"comment.line.double-slash.{name}"),
        ]
