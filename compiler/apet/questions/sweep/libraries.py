"""Libraries of extras: whether they are there, and which versions the output depends on."""

from __future__ import annotations

from importlib import import_module, metadata

from apet.ground.diagnostics import ApetError
from apet.questions.sweep.errors import LibraryMissing
from apet.questions.sweep.task import PARQUET


def need(what: str, library: str, extra: str) -> None:
    """`ApetError` naming the extra where a library is missing."""
    try:
        import_module(library)
    except ImportError:
        raise ApetError(LibraryMissing(None, None, what, library, extra)) from None


def versions(form: str) -> dict[str, str]:
    """The versions of everything that the bytes of an output depend on."""
    versions_by_name = {"apet": _version("apet"), "numpy": _version("numpy")}
    if form == PARQUET:
        versions_by_name["pyarrow"] = _version("pyarrow")
    return versions_by_name


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "unknown"
