"""Kernels to validate: which class of a file is one, at which sizes it runs, and how several are compiled."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.ground.documents.document import read_document
from apet.ground.source_files import read_source
from apet.java import errors
from apet.java.harness_classes import harness_classes
from apet.java.jvm import SOURCES, Jdk, compile_java
from apet.java.parse.class_files import package_of
from apet.java.parse.reading import Beside, read_unit
from apet.java.profile.sources import compilable, folders_of, source_path_flags, text_of
from apet.java.translator.program import JavaProgram

BASE = "Kernel"
MOST = 2**31 - 1
"""A size is an `int` of Java."""
Failed = Callable[[str, ApetError], None]
"""What is told of a kernel that cannot be measured or predicted: its file, and why."""


class KernelFile(NamedTuple):
    """A kernel's file, its class with the package, and its sizes."""

    file: str
    name: str
    sizes: list[int]


def read_sizes(path: str) -> dict[str, list[int]]:
    """Sizes by class, from a JSON object; a key with or without the prefix `K_`."""
    content = read_document(path).content
    if not isinstance(content, dict):
        raise ApetError(errors.BadSizes(None, None, path, "it is no object of lists of whole numbers"))
    for name, sizes in content.items():
        if not isinstance(sizes, list) or not sizes or not all(map(_is_size, sizes)):
            raise ApetError(errors.BadSizes(None, None, path, f"'{name}' needs a list of numbers from 1 to {MOST:,}"))
    return dict(content)


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MOST


def sizes_of(name: str, sizes: Mapping[str, list[int]], path: str) -> list[int]:
    """The sizes of a class, by its name with or without package and prefix."""
    simple = name.rpartition(".")[2]
    for key in (name, simple, simple.removeprefix("K_")):
        if key in sizes:
            return sizes[key]
    raise ApetError(errors.NoSizes(None, None, path, name))


def kernel_class(path: str) -> str:
    """The class in a file that extends `Kernel`, itself or by classes in between: of several the one that has the name
    of the file, else the last. `ApetError` where there is none."""
    source = read_source(path)
    classes = read_unit(source).classes
    beside = Beside(source, "auto")
    program = JavaProgram(classes, beside, beside.files.static)
    base = os.path.basename(path)
    kernels = [c.name for c in classes if any(BASE in one.parents for one in program.line(c.name))]
    if not kernels:
        raise ApetError(errors.NotAKernel(None, None, base, "no class in it extends Kernel"))

    stem = base.removesuffix(".java")
    name = stem if stem in kernels else kernels[-1]
    setups = program.named(name, "setup", 1)
    if not any(m.has_body and m.formals[0].type.name == "int" for m in setups):
        raise ApetError(errors.NotAKernel(None, None, base, f"{name} has no setup(int)"))
    return f"{package_of(source.text)}{name}"


def kernels_of(
    jdk: Jdk, files: Sequence[str], sizes: tuple[str, Mapping[str, list[int]]], folder: str, failed: Failed | None
) -> list[KernelFile]:
    """The files that are kernels, have sizes and compile. Each other one is told to `failed`; without it, the first is
    an `ApetError`."""
    kernels: dict[str, KernelFile] = {}
    for file in dict.fromkeys(files):
        try:
            name = kernel_class(file)
            if name in kernels:
                reason = f"{kernels[name].file} has a class {name} as well"
                raise ApetError(errors.NotAKernel(None, None, file, reason))
            kernels[name] = KernelFile(file, name, sizes_of(name, sizes[1], sizes[0]))
        except ApetError as error:
            _tell(failed, file, error)

    ready = list(kernels.values())
    try:
        compile_kernels(jdk, [one.file for one in ready], folder)
    except ApetError:
        # One of them keeps the others from being compiled: each by itself, then.
        if failed is None:
            raise
        ready = [one for one in ready if _compiles(jdk, one.file, folder, failed)]
    return ready


def _tell(failed: Failed | None, file: str, error: ApetError) -> None:
    if failed is None:
        raise error
    failed(file, error)


def _compiles(jdk: Jdk, file: str, folder: str, failed: Failed) -> bool:
    try:
        compile_kernels(jdk, [file], folder)
    except ApetError as error:
        failed(file, error)
        return False
    return True


def compile_kernels(jdk: Jdk, files: Sequence[str], folder: str) -> None:
    """Kernels; `Kernel.java` is the one beside the first file, or APET's. Other classes that they name are found beside
    them or by their packages, wherever this runs. What times them is compiled apart: a `Number.java` of theirs would
    hide `java.lang.Number` from it."""
    if not files:
        return
    roots = dict.fromkeys(root for file in files for root in folders_of(file))
    own = os.path.join(os.path.dirname(os.path.abspath(files[0])), f"{BASE}.java")
    kernel = own if os.path.exists(own) and not package_of(text_of(own)) else str(SOURCES / f"{BASE}.java")
    sources = {kernel: kernel} | {os.path.abspath(file): compilable(file, folder) for file in files}

    search = source_path_flags((*roots, base_folder(files, folder)), folder)
    what = "the kernels" if len(files) > 1 else os.path.basename(files[0])
    compile_java(jdk, [*search, *sources.values()], folder, what, harness_classes(jdk))


def base_folder(files: Sequence[str], folder: str) -> str:
    """A folder of sources with APET's `Kernel` in the package of each file: no package sees a class that is in none.
    A program's own one stands before it in the source path."""
    root = Path(folder) / "bases"
    root.mkdir(exist_ok=True)
    for package in filter(None, (package_of(text_of(file)) for file in files)):
        path = root.joinpath(*package.split("."), f"{BASE}.java")
        path.parent.mkdir(parents=True, exist_ok=True)
        text = (SOURCES / f"{BASE}.java").read_text(encoding="utf-8")
        path.write_text(f"package {package.rstrip('.')};\n{text}", encoding="utf-8")
    return str(root)
