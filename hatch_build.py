"""Builds the C core when APET is installed or packed, with the C compiler of the system or that of `ziglang`.

    python hatch_build.py              builds it into compiler/apet/core, for a checkout
    python hatch_build.py wheels       builds wheels for all platforms into dist, with ziglang

The library has no Python ABI: a wheel of it is for any Python 3 on one platform.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
CORE = ROOT / "compiler" / "apet" / "core"
OPTIONS = ("-std=gnu11", "-O3", "-ffp-contract=off", "-fvisibility=hidden", "-g0", "-Wall", "-Wextra", "-shared")
ZIGLANG = "ziglang>=0.13,<1"
TARGETS = {
    "x86_64-linux-gnu.2.17": "manylinux_2_17_x86_64.manylinux2014_x86_64",
    "aarch64-linux-gnu.2.17": "manylinux_2_17_aarch64.manylinux2014_aarch64",
    "x86_64-linux-musl": "musllinux_1_1_x86_64",
    "aarch64-linux-musl": "musllinux_1_1_aarch64",
    "x86_64-macos.11.0": "macosx_11_0_x86_64",
    "aarch64-macos.11.0": "macosx_11_0_arm64",
    "x86_64-windows-gnu": "win_amd64",
}
"""By ziglang's name of a platform that of wheels."""


def system_compiler() -> list[str] | None:
    """The C compiler of the system, if it has one."""
    named = os.environ.get("CC", "").split()
    if named and shutil.which(named[0]):
        return named
    return next(([c] for c in ("cc", "gcc", "clang") if shutil.which(c)), None)


def library_name(target: str | None = None) -> str:
    """The file that `apet.core.boundary` looks for on a platform, this one unless said."""
    platform = target or sys.platform
    suffix = "dll" if "win" in platform and "darwin" not in platform else "so"
    return f"apet_core.{'dylib' if 'darwin' in platform or 'macos' in platform else suffix}"


def build(folder: Path, target: str | None = None, further: Sequence[str] = ()) -> Path:
    """Compile the core into a folder: for this machine, or by ziglang for a target; with further options."""
    compiler = None if target else system_compiler()
    command = compiler or [sys.executable, "-m", "ziglang", "cc", *(("-target", target) if target else ())]
    name = library_name(target)
    position = () if name.endswith(".dll") else ("-fPIC",)
    sources = sorted(map(str, CORE.glob("*.c")))
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch) / name  # ziglang puts further files beside it
        subprocess.run([*command, *OPTIONS, *position, *further, *sources, "-o", str(made), "-lm"], check=True)
        folder.mkdir(parents=True, exist_ok=True)
        beside = folder / f".{name}.{os.getpid()}"
        shutil.copy(made, beside)
        beside.replace(folder / name)  # processes that have the old one loaded keep it
    return folder / name


def this_platform() -> str:
    """The platform that a wheel built on this machine is for."""
    from packaging.tags import platform_tags

    return next(tag for tag in platform_tags() if not tag.startswith(("manylinux", "musllinux")))


def wheels(targets: Sequence[str]) -> None:
    """One wheel per target into dist."""
    for target in targets:
        command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", str(ROOT)]
        subprocess.run(command, check=True, env={**os.environ, "APET_TARGET": target})


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # a checkout without a build backend still builds its core
    BuildHookInterface = object  # type: ignore[assignment, misc]


class CoreBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """What hatchling calls: in `APET_TARGET` the target of a wheel for another platform."""

    def dependencies(self) -> list[str]:
        """What building needs: a compiler, unless the system has one."""
        return [] if self.target_name != "wheel" or system_compiler() else [ZIGLANG]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the library, into the checkout for an editable install, else for the wheel."""
        if self.target_name != "wheel":
            return
        target = os.environ.get("APET_TARGET")
        self.scratch = Path(tempfile.mkdtemp())
        library = build(CORE if version == "editable" else self.scratch, target)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{TARGETS[target] if target else this_platform()}"
        if version != "editable":
            build_data["force_include"][str(library)] = f"apet/core/{library.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave nothing behind."""
        if self.target_name == "wheel":
            shutil.rmtree(self.scratch, ignore_errors=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["wheels"]:
        wheels(sys.argv[2:] or list(TARGETS))
    else:
        print(build(CORE))
