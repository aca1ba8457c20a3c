"""Machines described in the call: `cores=8`, or `cores=8,op.update=1ns..2ns,latency=2us,bandwidth=10Gbit/s`.

They are for first steps: equal processors and one network. All else needs a machine file.
"""

from __future__ import annotations

import re
from typing import NoReturn

from apet.ground.diagnostics import ApetError, Diagnostic, nearest
from apet.ground.source import Source
from apet.machine.errors import NoNumberOfCores, NotInACall, NotOfACall
from apet.machine.machines import MachineGroup, Machines

PREFIX = "cores="
NUMBER = r"[1-9][0-9]{0,8}"
NETWORK = ("topology", "latency", "bandwidth")
KEYS = ("cores", "load", *NETWORK)
OPERATION = "op."
PLAIN = r"[\w$ .:+/^-]+"
"""What a value is made of: it stands in quotes in the text of the machine file that the call stands for."""


def plain_machines(number: int) -> Machines:
    """Equal processors that know no operation and no network."""
    core = MachineGroup("core", {}, number)
    return Machines(f"{number} core{'s' if number > 1 else ''}", f"{PREFIX}{number}", (core,), MachineGroup("core", {}))


def machines_of_call(text: str) -> Machines:
    """The machines that `cores=8`, or a list of such pairs, names; `ApetError` with what is wrong with it."""
    pairs = [part.partition("=") for part in text.split(",")]
    values: dict[str, str] = {}
    for key, equals, value in ((k.strip(), e, v.strip()) for k, e, v in pairs):
        if not equals or not re.fullmatch(PLAIN, value) or key in values:
            _refuse(NotInACall(None, None, text, f"{key}{equals}{value}"))
        if key not in KEYS and not key.startswith(OPERATION):
            _refuse(NotOfACall(None, None, text, key, nearest(key, KEYS)))
        values[key] = value

    cores = values.pop("cores")
    if not re.fullmatch(NUMBER, cores):
        _refuse(NoNumberOfCores(None, None, f"{PREFIX}{cores}"))
    if not values:
        return plain_machines(int(cores))
    from apet.machine.loader import parse_machines

    machines = parse_machines(Source(text, file_text(int(cores), values)), bare=True)
    return machines.replace(file=text)


def file_text(cores: int, values: dict[str, str]) -> str:
    """The machine file that a call stands for."""
    lines = ["schema = 1", f'name = "{cores} cores"', "[[machine]]", 'name = "core"', f"count = {cores}"]
    lines += [f"load = {values['load']}"] if "load" in values else []
    operations = {key.removeprefix(OPERATION): value for key, value in values.items() if key.startswith(OPERATION)}
    if operations:
        lines += ["[machine.op]", *(f'{name} = "{value}"' for name, value in operations.items())]

    if values.keys() & set(NETWORK):
        network = {"topology": "switch"} | {key: values[key] for key in NETWORK if key in values}
        lines += ["[network]", *(f'{key} = "{value}"' for key, value in network.items())]
    return "\n".join(lines) + "\n"


def _refuse(diagnostic: Diagnostic) -> NoReturn:
    raise ApetError(diagnostic)
