"""The classes that run tasks and ask javac, compiled once for a JDK and kept in the user's cache."""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
from functools import lru_cache
from pathlib import Path

from apet.ground.user_cache import cache_folder, only_ours
from apet.java.jvm import ARCHIVE, SOURCES, Jdk, compile_java

SOURCE_FILES = (
    *("ApetArguments", "ApetCalls", "ApetObjects", "ApetProfile", "ApetTask", "ApetTaskProfile"),
    *(
        "ApetEnd",
        "ApetInstances",
        "Instances",
        "Kernel",
        "KernelTimer",
        "PlainRun",
        "ProfileRun",
        "Resolve",
        "Settling",
    ),
)
WHAT = "the harness"


@lru_cache(maxsize=8)
def harness_classes(jdk: Jdk) -> str:
    """The folder of the classes; `ApetError` where javac refuses them."""
    sources = [SOURCES / f"{name}.java" for name in SOURCE_FILES]
    javac = os.path.realpath(jdk.javac)
    stamp = hashlib.sha256(f"{javac} {os.stat(javac).st_mtime_ns} {ARCHIVE}".encode())
    for source in sources:
        stamp.update(source.read_bytes())

    folder = cache_folder() / f"java-{stamp.hexdigest()[:16]}"
    try:
        if not folder.exists():
            _keep(jdk, sources, folder)
        # Whoever may write there could have any program run.
        if only_ours(folder.parent) and only_ours(folder):
            return str(folder)
    except OSError:
        pass  # no cache can be written: the classes last as long as this process

    passing = tempfile.mkdtemp(prefix="apet-")
    atexit.register(shutil.rmtree, passing, ignore_errors=True)
    compile_java(jdk, sources, passing, WHAT)
    return passing


def _keep(jdk: Jdk, sources: list[Path], folder: Path) -> None:
    """Compile beside the folder, then rename: of several processes at once the first one wins."""
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix="java-", dir=folder.parent))
    try:
        compile_java(
            jdk,
            sources,
            str(beside),
            WHAT,
            flags=("-XX:+IgnoreUnrecognizedVMOptions", f"-XX:ArchiveClassesAtExit={beside / ARCHIVE}"),
        )
        if not folder.exists():
            beside.rename(folder)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
