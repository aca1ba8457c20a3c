"""Laws of the house: who imports whom, what is loaded when, and what may not be written anywhere."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Collection, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
COMPILER = ROOT / "compiler"
PACKAGE = COMPILER / "apet"
MODULES = sorted(PACKAGE.rglob("*.py"))

HEAVY = ("dask", "javalang", "lark", "matplotlib", "mpmath", "numpy", "scipy", "sympy")
EXTRAS = ("c", "cubex", "dask", "editor", "logs", "otf2", "parquet", "plot", "scipy")
COMES_WITH = {"dask": "distributed", "lsprotocol": "pygls", "markupsafe": "jinja2"}
"""What a declared library brings along and is used together with it."""
NEEDED_BY_OTHERS = {"cryptography"}
"""What no module imports: Dask makes certificates with it."""
LONGEST_FILE = 400
LONGEST_FUNCTION = 60


def _python(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(COMPILER)}
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def _nodes(path: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path)))


def _loaded_by(code: str) -> set[str]:
    done = _python("-c", f"{code}\nimport sys\nprint(*sys.modules)")
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def test_a_room_imports_only_rooms_below_it() -> None:
    pytest.importorskip("importlinter")
    done = _python("-c", "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())")
    assert done.returncode == 0, done.stdout + done.stderr


def _layers() -> list[set[str]]:
    """The packages that the import contract names, upper ones first; packages of one layer ignore each other."""
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    contract = next(c for c in linter["contracts"] if c["containers"] == ["apet"])
    layers = [{name.strip(" ()") for name in layer.split("|")} for layer in contract["layers"]]
    return [layer for layer in layers if layer != {"__main__"}]


def test_the_architecture_page_and_the_import_contract_name_the_same_packages_in_the_same_order() -> None:
    rows = re.findall(r"(?m)^\| ((?:`\w+`(?: · )?)+) \|", _packages_section())
    assert [set(re.findall(r"`(\w+)`", row)) for row in rows] == _layers()


def _packages_section() -> str:
    page = (ROOT / "docs" / "background" / "architecture.md").read_text(encoding="utf-8")
    return page.split("## The packages")[1].split("\n## ")[0]


def test_every_file_that_the_architecture_page_names_exists() -> None:
    page = (ROOT / "docs" / "background" / "architecture.md").read_text(encoding="utf-8")
    names = set(re.findall(r"`((?:\w+/)*\w+\.py)`", page))
    missing = [n for n in names if not (PACKAGE / n).is_file() and not ("/" not in n and list(PACKAGE.rglob(n)))]
    assert len(names) > 30
    assert not missing


def test_every_package_says_where_to_start_reading() -> None:
    packages = [p for p in PACKAGE.rglob("__init__.py") if p.parent != PACKAGE]
    silent = [
        str(p.parent.relative_to(PACKAGE))
        for p in packages
        if not re.search(r"[Ss]tart (at|with)", p.read_text(encoding="utf-8"))
    ]
    assert not silent


def test_tests_lie_in_folders_of_packages() -> None:
    folders = {p.name for p in (ROOT / "tests").iterdir() if p.is_dir() and not p.name.startswith(("_", "."))}
    assert folders - {"benchmarks", "data", "docs", "fuzz", "laws", "loss", "robustness"} <= set().union(*_layers())


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports inside functions count; those for type checkers only do not."""
    names = {_name(path): path for path in MODULES}
    assert _circle({name: _imported(path, names.keys()) for name, path in names.items()}) == []
    assert _circle({"a": {"b"}, "b": {"a"}}) == ["a", "b", "a"]


def _circle(graph: dict[str, set[str]]) -> list[str]:
    """One circle of a graph, its first node at both ends; empty where there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _name(path: Path) -> str:
    return ".".join(path.relative_to(COMPILER).with_suffix("").parts).removesuffix(".__init__")


def _imported(path: Path, modules: Collection[str]) -> set[str]:
    """The modules of the project that a module imports when it runs; `from package import module` names the module."""
    targets = set()
    for node in _running(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            targets |= {
                f"{node.module}.{n.name}" if f"{node.module}.{n.name}" in modules else node.module for n in node.names
            }
        elif isinstance(node, ast.Import):
            targets |= {n.name for n in node.names}
    return targets & set(modules)


def _running(tree: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        yield child
        yield from _running(child)


def test_importing_apet_loads_no_heavy_library() -> None:
    assert not _loaded_by("import apet").intersection(HEAVY)


def test_showing_help_loads_no_heavy_library() -> None:
    code = "from apet.cli.main import main\ntry: main(['--help'])\nexcept SystemExit: pass"
    assert not _loaded_by(code).intersection(HEAVY)


def test_the_only_importable_name_in_the_source_root_is_apet() -> None:
    names = {p.name for p in COMPILER.iterdir() if p.name != "__pycache__" and p.suffix not in {".egg-info", ".pth"}}
    assert names == {"apet"}


@pytest.mark.parametrize("folder", ["grammar", "machines", "samples"])
def test_data_folders_hold_no_python(folder: str) -> None:
    assert not list((ROOT / folder).rglob("*.py"))


def test_only_resources_knows_where_data_lies() -> None:
    knowing = [p.name for p in MODULES if "_data" in _string_parts(p)]
    assert knowing in ([], ["resources.py"])


def _string_parts(path: Path) -> set[str]:
    """The path components of every string in the file, docstrings included only where they are one word."""
    strings = (n.value for n in _nodes(path) if isinstance(n, ast.Constant) and isinstance(n.value, str))
    return {part for text in strings if " " not in text for part in text.split("/")}


def test_no_module_is_named_for_a_drawer() -> None:
    drawers = {"utils", "util", "common", "helpers", "helper", "misc"}
    assert not [p for p in MODULES if drawers.intersection({p.stem, *p.relative_to(PACKAGE).parts})]


def test_text_is_never_evaluated_as_python() -> None:
    evaluators = {"eval", "exec", "sympify", "parse_expr", "lambdify"}
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} {name}"
        for path in MODULES
        for node in _nodes(path)
        if isinstance(node, ast.Call) and (name := _called(node)) in evaluators
    ]
    assert not found


def _called(node: ast.Call) -> str:
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def test_no_file_outgrows_a_reader() -> None:
    lengths = {str(p.relative_to(ROOT)): len(p.read_text(encoding="utf-8").splitlines()) for p in MODULES}
    assert not {name: lines for name, lines in lengths.items() if lines > LONGEST_FILE}


def test_no_function_outgrows_a_screen() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in MODULES
        for node in _nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or node.lineno) - node.lineno >= LONGEST_FUNCTION
    ]
    assert not found


def test_every_module_says_what_it_is() -> None:
    silent = [
        str(p.relative_to(ROOT))
        for p in MODULES
        if p.read_text(encoding="utf-8").strip() and not ast.get_docstring(ast.parse(p.read_text(encoding="utf-8")))
    ]
    assert not silent


def test_every_dependency_has_an_upper_bound() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [r for extra in EXTRAS for r in project["optional-dependencies"][extra]]
    assert not [name for name in (*project["dependencies"], *extras) if "<" not in name]


def test_what_is_declared_is_imported_and_what_is_imported_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = (requirements for extra, requirements in project["optional-dependencies"].items() if extra in EXTRAS)
    declared = {_imported_as(r) for requirements in (project["dependencies"], *extras) for r in requirements}
    imported = {name for path in MODULES for name in _libraries(path)} - {"apet", *sys.stdlib_module_names}
    assert imported - COMES_WITH.keys() - declared == set()
    assert declared - imported == NEEDED_BY_OTHERS
    assert {COMES_WITH[name] for name in imported & COMES_WITH.keys()} <= declared


def _imported_as(requirement: str) -> str:
    """`tree-sitter-java>=0.23,<1` is imported as `tree_sitter_java`."""
    name = re.split(r"[\[<>=~! ;]", requirement)[0].replace("-", "_")
    return "clang" if name == "libclang" else name


def _libraries(path: Path) -> Iterator[str]:
    for node in _nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]
