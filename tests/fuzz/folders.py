"""Readers of more than a file: folders that sweeps and profilers leave behind, and formulas as JSON."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tests.runs.cubex_files import PATHS, cubex

from apet.ground.diagnostics import ApetError, Diagnostic

DATA = Path(__file__).resolve().parents[1] / "data"
TAU = (
    b"2 templated_functions_MULTI_TIME\n# Name Calls Subrs Excl Incl ProfileCalls\n"
    b'"main" 1 1 5 9 0 GROUP="X"\n"f" 1 0 4 4 0 GROUP="X"\n0 aggregates\n'
)
FARM, POOL = DATA / "cli" / "farm.pam", DATA / "cli" / "pool.toml"


class NoFormula(Diagnostic):
    """What is no formula; the `ValueError` says why."""

    message = "{reason}"
    reason: str


@cache
def sweep_task() -> Any:
    """A sweep of some chunks."""
    import apet
    from apet.questions.sweep.build import SweepRequest, build
    from apet.questions.sweep.notation import parse_variation

    axes = [parse_variation("P=1:4")]
    request = SweepRequest(apet.compile(str(FARM)), [apet.load_machines(str(POOL))], [str(POOL)], axes, form="csv")
    return build(request)[0]


def resumed(path: str, name: str) -> object:
    """A sweep that goes on with a folder in which a file is what the input is."""
    from apet.questions.sweep.store import Store

    store = Store(sweep_task(), f"{path}.csv")
    shutil.rmtree(store.folder, ignore_errors=True)
    os.makedirs(store.folder)
    for file, content in zip(("sweep.json", "part-000000000"), sweep_files(), strict=True):
        Path(store.folder, file).write_bytes(Path(path).read_bytes() if file == name else content)
    try:
        return store.open(resume=True)
    finally:
        store.close()


@cache
def sweep_files() -> tuple[bytes, bytes]:
    """The manifest and the first part of a sweep that was interrupted."""
    from apet.questions.sweep.front import NOTHING
    from apet.questions.sweep.store import Store

    with tempfile.TemporaryDirectory() as folder:
        store = Store(sweep_task(), os.path.join(folder, "s.csv"))
        store.open(resume=False)
        store.put(0, b"1,2,3\n", NOTHING)
        manifest, part = (Path(store.folder, n).read_bytes() for n in ("sweep.json", "part-000000000"))
        store.close()
    return manifest, part


def manifest(path: str) -> object:
    """What says what is swept."""
    return resumed(path, "sweep.json")


def part(path: str) -> object:
    """What a chunk came to."""
    return resumed(path, "part-000000000")


def manifests() -> Iterator[bytes]:
    """The one of a small sweep."""
    yield sweep_files()[0]


def sweep_parts() -> Iterator[bytes]:
    """One of a small sweep."""
    yield sweep_files()[1]


CRITERION = '{"sampling_mode": "Linear", "iters": [1.0, 2.0], "times": [100.0, 205.5]}'


def criterion(path: str) -> object:
    """Results of two benchmarks, one of whose samples are the input."""
    from apet.runs.read import read_experiment

    with tempfile.TemporaryDirectory() as folder:
        for value, content in (("n1_P2", CRITERION.encode()), ("n2_P1", Path(path).read_bytes())):
            new = Path(folder, "f", value, "new")
            new.mkdir(parents=True)
            (new / "sample.json").write_bytes(content)
        return read_experiment(folder)


def cubex_profiles() -> Iterator[bytes]:
    """Profiles of two ranks, plain and compressed."""
    with tempfile.TemporaryDirectory() as folder:
        for packed in (False, True):
            path = Path(folder, "profile.cubex")
            cubex(path, dict.fromkeys(PATHS, (2.0, 1.5)), packed=packed)
            yield path.read_bytes()


def tau_folder(path: str) -> object:
    """Profiles of two threads, of which one is the input."""
    from apet.runs.read import read_runs

    folder = Path(f"{path}.tau")
    folder.mkdir(exist_ok=True)
    (folder / "profile.0.0.0").write_bytes(TAU)
    (folder / "profile.0.0.1").write_bytes(Path(path).read_bytes())
    return read_runs(at=[(1.0, str(folder))])


def formula(path: str) -> object:
    """A formula read back; a `ValueError` is how it says what is wrong."""
    from apet.formula import Formula

    try:
        data = json.loads(Path(path).read_bytes())
    except (ValueError, RecursionError):
        return None  # Python's reader, not that of APET
    try:
        return str(Formula.from_json(data))
    except ValueError as error:
        raise ApetError(NoFormula(None, None, str(error))) from None


def formulas() -> Iterator[bytes]:
    """Those of a small model."""
    import apet

    app = apet.compile(str(FARM))
    for one in (app.T0, app.lower, app.upper):
        yield json.dumps(one.json()).encode()
