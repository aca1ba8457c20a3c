"""The text of a machine file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def machine_text(content: Mapping[str, Any]) -> str:
    """A machine file in TOML, from its content; the same content gives the same text."""
    lines = [
        f"# {content['name']}: measured by 'apet benchmark' on {content['provenance']['date']}.",
        "#",
        "# op_s are the figures of all JVMs, [least / band, greatest * band]; the plain ones are in measured_s below.",
        "# A name with * is a class of operations: what is assumed of those that have no time of their own.",
        "",
    ]
    lines += [f"{key} = {_value(value)}" for key, value in content.items() if not isinstance(value, (dict, list))]

    for machine in content["machine"]:
        lines += ["", "[[machine]]", *_plain(machine), "[machine.op_s]", *_plain(machine["op_s"])]
    lines += ["", "[network]", *_plain(content["network"])]
    lines += ["", "[provenance]", *_plain(content["provenance"])]
    for key, table in content["provenance"].items():
        if isinstance(table, dict):
            lines += ["", f"[provenance.{key}]", *_plain(table)]
    return "\n".join(lines) + "\n"


def network_text(network: Mapping[str, Any]) -> str:
    """The `[network]` of a machine file in TOML."""
    return "\n".join(["[network]", *_plain(network)]) + "\n"


def _plain(table: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_value(value)}" for key, value in table.items() if not isinstance(value, dict)]


def _key(key: str) -> str:
    """A key, in quotes where it is the pattern of a class of operations."""
    return f'"{key}"' if "*" in key else key


def _value(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, float):
        return f"{value:.4g}" if value else "0.0"
    return json.dumps(value, ensure_ascii=False)
