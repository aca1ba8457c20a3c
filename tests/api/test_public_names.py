"""What `import apet` offers: names that tools see, types that are exported, no name in the way of another."""

from __future__ import annotations

import dataclasses
import importlib.util
import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import apet
from apet import api
from apet.ground.records import Frozen

NO_RECORDS = {
    apet.Predictor: "compiles formulas when first asked, and keeps them",
    apet.Platform: "finds a route when first asked, and keeps it",
    apet.LoweredTrace: "a tuple that the replay takes apart",
    apet.Folded: "a tuple that reports of folded traces take apart",
}
"""What public functions return that is no frozen dataclass, each with the reason."""
ROOT = Path(__file__).resolve().parents[2]
CLIENT = Path(__file__).with_name("client.py")


def _types_of_the_docs() -> ModuleType:
    """The module of the documentation that follows annotations from functions to types."""
    pytest.importorskip("docutils", reason="it is installed with what builds the documentation")
    specification = importlib.util.spec_from_file_location("apet_types", ROOT / "docs" / "_ext" / "apet_types.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_every_public_name_can_be_completed_and_imported() -> None:
    assert dir(apet) == dir(api) == sorted(vars(api)["_HOMES"])
    for name, home in vars(api)["_HOMES"].items():
        assert getattr(apet, name) is getattr(importlib.import_module(home), name)


def test_names_that_there_are_not_are_refused() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'predicted'"):
        getattr(apet, "predicted")  # noqa: B009  # type checkers know that there is none


def test_no_public_name_is_shadowed_by_a_package() -> None:
    packages = {path.stem for path in (ROOT / "compiler" / "apet").iterdir()}
    assert not packages.intersection(dir(apet))


def test_a_client_program_sees_types_and_nothing_is_any() -> None:
    pytest.importorskip("mypy")
    assert "\n# mypy: disallow-any-expr\n" in CLIENT.read_text(encoding="utf-8")
    command = [sys.executable, "-m", "mypy", str(CLIENT)]  # with the options, and so the cache, of `make types`
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert checked.returncode == 0, checked.stdout


def test_the_client_program_uses_every_public_function() -> None:
    text = CLIENT.read_text(encoding="utf-8")
    functions = [name for name in dir(apet) if inspect.isfunction(getattr(apet, name))]
    assert not [name for name in functions if f"apet.{name}(" not in text]


@pytest.mark.parametrize("name", [name for name in dir(apet) if inspect.isfunction(getattr(apet, name))])
def test_what_a_public_function_returns_is_exported(name: str) -> None:
    exported = [getattr(apet, other) for other in dir(apet)]
    returned: list[Any] = _types_of_the_docs().returned(getattr(apet, name))
    assert not [kind for kind in returned if kind not in exported]


@pytest.mark.parametrize("name", [name for name in dir(apet) if inspect.isfunction(getattr(apet, name))])
def test_what_a_public_function_returns_is_a_frozen_record(name: str) -> None:
    for kind in _types_of_the_docs().returned(getattr(apet, name)):
        if kind not in NO_RECORDS and not issubclass(kind, Frozen):
            assert dataclasses.is_dataclass(kind), kind
            assert vars(kind)["__dataclass_params__"].frozen, kind


def test_results_print_in_a_few_lines() -> None:
    app, lab = apet.compile(str(ROOT / "samples/pamela/pi.pam")), apet.load_machines("join-2005")
    file = apet.read_queue(str(ROOT / "samples/queueing/terminals.toml"))
    results = [
        apet.explain(app, lab, P=4),
        apet.solve(app, lab, 60),
        apet.compare((app, lab), (app, lab), [2, 4, 8]),
        apet.regions(app, lab, {"n": (1, 1e9)}),
        apet.regions(app, lab, {"n": (1, 1e9), "P": (1, 8)}),
        apet.sweep(app, lab, {"P": [1, 2, 4, 8, 16]}),
        apet.quantiles(app, lab, 4),
        apet.queue_formulas(file.problem),
    ]
    for result in results:
        assert len(repr(result)) < 1500, type(result)
