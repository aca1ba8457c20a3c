"""Running Java: finding a JDK, compiling into a folder, and running a JVM pinned, within a time limit."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from apet.ground import children
from apet.ground.diagnostics import ApetError
from apet.ground.posix import need_posix
from apet.ground.tools import run_tool
from apet.java import errors

SOURCES = Path(__file__).parent / "harness"
MODES = {"C2": (), "C1": ("-XX:TieredStopAtLevel=1",), "Xint": ("-Xint",)}
HEAP = ("-Xms512m", "-XX:+UseSerialGC")
"""The memory of what is timed: the young generation is larger than the caches, as it is without options."""
QUICK_START = ("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-Xss64m")
"""What lets a compiler that soon ends start sooner; and room for deep nesting."""
CLASSPATH = tuple(filter(None, os.environ.get("CLASSPATH", "").split(os.pathsep)))
"""Libraries that programs need, as `javac` and `java` know them."""
LIBRARIES = (
    "libraries that the program needs: CLASSPATH=a.jar:b.jar; another JDK: JAVA_HOME; without a run, neither is needed"
)
ADVICE = {
    r"package [\w.]+ does not exist|symbol: +class": LIBRARIES,
    "should be declared in a file named": "rename the file, or its class",
    "code too large": "Java allows 64 KiB of bytecode in a method: split it",
    "unmappable character": "convert the file: iconv -f ISO-8859-1 -t UTF-8",
}
"""What may help, by what the compiler says."""
_JAVAC_ERROR = re.compile(
    r"^(?P<head>(?P<file>[^\n]*?\.java):\d+: error: (?P<what>[^\n]*))\n(?P<line>[^\n]*)", re.MULTILINE
)
ARCHIVE = "javac.jsa"
"""The compiler's classes as a JVM maps them into its memory: that halves its start."""
MOST_SAID = 600
SILENT = "without a message, as after System.exit"


class Jdk(NamedTuple):
    """The commands of a Java development kit."""

    java: str
    javac: str

    def machine(self, reports: str) -> list[str]:
        """The command of a JVM that, should it crash, writes its reports into a folder, and no core file.

        It runs in the user's folder, since the program may read files there.
        """
        return [
            self.java,
            "-XX:+IgnoreUnrecognizedVMOptions",
            f"-XX:ErrorFile={os.path.join(reports, 'hs_err_%p.log')}",
            f"-XX:ReplayDataFile={os.path.join(reports, 'replay_%p.log')}",
            "-XX:-CreateCoredumpOnCrash",
        ]

    def version(self) -> str:
        """The virtual machine and its version, as it names itself."""
        result = run_tool([self.java, "-version"])
        lines = (result.stderr or result.stdout).strip().splitlines()
        return lines[-1] if lines else "unknown"


def find_jdk() -> Jdk:
    """The kit in JAVA_HOME, else on the path; `ApetError` that says how to install one."""
    need_posix("running Java programs to measure them")
    home = os.environ.get("JAVA_HOME")
    programs: list[str] = []

    for program in ("java", "javac"):
        inside = os.path.join(home, "bin", program) if home else ""
        path = inside if inside and os.access(inside, os.X_OK) else shutil.which(program)
        if path is None:
            raise ApetError(errors.NoJdk(None, None, program))
        programs.append(path)
    return Jdk(*programs)


def sharing(harness: str) -> list[str]:
    """The flags with which a JVM takes the compiler's classes from the archive beside the harness, as far as it can."""
    archive = os.path.join(harness, ARCHIVE)
    return [f"-XX:SharedArchiveFile={archive}"] if os.path.exists(archive) else []


def compile_java(
    jdk: Jdk, files: Sequence[str | Path], folder: str, what: str, classpath: str = "", flags: Sequence[str] = ()
) -> None:
    """Compile files into a folder, with flags of the compiler's JVM; `ApetError` with what the compiler says.

    The words of `files` that begin with `-` are options; paths in the values of those are absolute.
    """
    library = [os.path.abspath(entry) for entry in (*classpath.split(os.pathsep), *CLASSPATH) if entry]
    command = [
        jdk.javac,
        *QUICK_START,
        *(f"-J{flag}" for flag in flags),
        "-nowarn",
        # Else warnings about our own harness bury what the compiler says of the program.
        "-XDignore.symbol.file",
        "-proc:none",
        "-encoding",
        "UTF-8",
        "-d",
        os.path.abspath(folder),
        *(["-cp", os.pathsep.join(library)] if library else []),
    ]

    words = [word if word.startswith("-") else os.path.abspath(word) for word in map(str, files)]
    result = run_tool([*command, *words])
    if result.returncode:
        # Files below the user's folder are named as the user knows them.
        reason = (result.stderr or result.stdout).strip().replace(os.getcwd() + os.sep, "")
        advice = next((words for pattern, words in ADVICE.items() if re.search(pattern, reason)), "")
        raise ApetError(
            errors.DoesNotCompile(None, None, what, reason[: 3 * MOST_SAID], advice, lacks=_lacking(reason, files))
        )


def _lacking(reason: str, files: Sequence[str | Path]) -> str:
    """The first error for which the author of the files is not to blame: a library that is not at hand, or another
    file of the program; "" where the files themselves have errors only."""
    found = list(_JAVAC_ERROR.finditer(reason))
    for error in found:
        if error["line"].lstrip().startswith("import ") or re.match(r"package [\w.]+ does not exist", error["what"]):
            return error["head"]
    own = {os.path.basename(file) for file in files}
    return found[0]["head"] if found and not any(os.path.basename(e["file"]) in own for e in found) else ""


def pinned(core: int | None) -> list[str]:
    """The words in front of a command that keep it on one core; none where that is not possible."""
    taskset = shutil.which("taskset")
    return [] if core is None or taskset is None else [taskset, "-c", str(core)]


def quiet_core() -> int | None:
    """The last core that this process may use: interrupts and other programs mostly run on the first."""
    allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    return max(allowed) if len(allowed) > 1 else None


_OWN_FRAME = re.compile(
    r"\s*at (java\.base/(jdk\.internal|java\.lang)\.reflect\.|java\.base/java\.lang\.Class\.|apet\."
    r"|(Apet\w+|ProfileRun|Harness|KernelTimer)\.)"
)
"""Lines of a stack trace that name how a task was called, and not the task."""


def run_java(
    jdk: Jdk, arguments: Sequence[str], what: str, limit: float, core: int | None = None, advice: str = ""
) -> str:
    """What a JVM prints. `limit` is in seconds; at its end the JVM is killed with its children."""
    with tempfile.TemporaryDirectory(prefix="apet-") as reports:
        # A session of its own: `end` kills the JVM with whatever it has started.
        running: subprocess.Popen[str] = children.start(
            [*pinned(core), *jdk.machine(reports), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            out, err = running.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            end(running)
            raise ApetError(errors.TooSlow(None, None, what, limit)) from None
        except BaseException:
            end(running)
            raise

    if running.returncode:
        reported = err or (out if out.startswith("Error") else "")  # what else is printed is no reason
        words = [line.strip() for line in reported.splitlines() if not _OWN_FRAME.match(line)]
        raise ApetError(errors.RunFailed(None, None, what, running.returncode, _reason(words), advice, printed=out))
    return out


def _reason(words: Sequence[str]) -> str:
    """What a JVM reports, each line once; of a trace the places in the program, or else those in the library."""
    of_library = [line.startswith("at java.base/") for line in words]
    in_program = any(line.startswith("at ") and not other for line, other in zip(words, of_library, strict=True))
    shown = [line for line, other in zip(words, of_library, strict=True) if not (other and in_program)]
    text = " ".join(" ".join(dict.fromkeys(shown)).split()).removeprefix('Exception in thread "main" ')
    return text[:MOST_SAID] or SILENT


def end(running: subprocess.Popen[str]) -> None:
    """Kill a process and all that it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(running.pid, signal.SIGKILL)
    running.communicate()
