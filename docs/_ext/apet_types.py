"""The directive `apet-types`: every type that the public functions of APET return, field by field.

The types are found through annotations while the pages are built, from what a function returns to the types of fields,
so that none can be forgotten.
"""

from __future__ import annotations

import ast
import inspect
import sys
import typing
from collections.abc import Iterator
from importlib import import_module
from typing import Any, ClassVar

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import apet

INNER = ("apet.model", "apet.formula.graph", "apet.ground.source", "apet.ground.diagnostics")
"""Packages whose types are those of the compiler, met in `Application.model` and `.graph`, and may change."""


def functions() -> list[Any]:
    """The public functions, by name."""
    return [value for name in dir(apet) if inspect.isfunction(value := getattr(apet, name))]


def returned(function: Any) -> list[type]:
    """The classes of APET in what a function returns."""
    return list(_classes(_hints(function).get("return")))


def reached() -> list[type]:
    """All types that public functions return, and those of their fields, in the order in which they are met."""
    waiting = [kind for function in functions() for kind in returned(function)]
    types: dict[type, None] = {}
    while waiting:
        kind = waiting.pop(0)
        if kind not in types:
            types[kind] = None
            waiting += [inner for hint in fields(kind).values() for inner in _classes(hint)]
    return list(types)


def fields(kind: type) -> dict[str, Any]:
    """The types of public fields of a record, by name; nothing of a class that is none."""
    if not (hasattr(kind, "_fields") or hasattr(kind, "__dataclass_fields__")):
        return {}
    names = getattr(kind, "_fields", None) or kind.__dataclass_fields__  # type: ignore[attr-defined]
    hints = _hints(kind)
    return {name: hints[name] for name in names if not name.startswith("_")}


def _hints(value: Any) -> dict[str, Any]:
    """Annotations of a function or class, where names may be imported for type checkers only."""
    modules = dict.fromkeys(kind.__module__ for kind in getattr(value, "__mro__", (value,)) if _ours(kind))
    names = {name: item for module in modules for name, item in _for_type_checkers(module)}
    names["array"] = list  # `array[int]` has no value at run time
    return typing.get_type_hints(value, localns=names)


def _for_type_checkers(module: str) -> Iterator[tuple[str, Any]]:
    """What a module imports for type checkers only."""
    for node in ast.parse(inspect.getsource(sys.modules[module])).body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for line in node.body:
                if isinstance(line, ast.ImportFrom) and line.module:
                    home = import_module(line.module)
                    yield from ((alias.asname or alias.name, getattr(home, alias.name)) for alias in line.names)


def _ours(value: Any) -> bool:
    return bool(value.__module__.startswith("apet."))


def _classes(hint: Any) -> Iterator[type]:
    if isinstance(hint, type) and _ours(hint) and not hint.__module__.startswith(INNER):
        yield hint
    for inner in typing.get_args(hint):
        yield from _classes(inner)


class ApetTypes(SphinxDirective):
    """`.. apet-types::`"""

    has_content: ClassVar[bool] = False

    def run(self) -> list[nodes.Node]:
        """One autodoc entry for each type that is not exported itself."""
        exported = [getattr(apet, name) for name in dir(apet)]
        text = StringList()
        for kind in reached():
            if kind not in exported:
                for line in (f".. autoclass:: {kind.__module__}.{kind.__qualname__}", "   :undoc-members:", ""):
                    text.append(line, "apet-types")
        container = nodes.container()
        self.state.nested_parse(text, 0, container)
        return container.children


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("apet-types", ApetTypes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
