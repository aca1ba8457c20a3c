"""How many instructions each counted block has, from the program's machine code.

`__sanitizer_cov_trace_pc` is called at the beginning of each block. An instruction counts for the last such call before
it in its function, those before the first call for that one; the call itself and padding do not count. So volumes are
the program's own instructions but for blocks that the compiler split or moved after it put the calls in.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import struct
import subprocess
from array import array
from pathlib import Path

from apet.ground.source_files import read_bytes
from apet.ground.tools import run_tool
from apet.ground.user_cache import cache_folder

CALL = "__sanitizer_cov_trace_pc"
PADDING = ("nop", "data16", "cs nop", "xchg   %ax,%ax", "endbr64")
MOST = 65535
LONGEST = 300
SYSTEM = ("/lib", "/usr/lib")
"""Where no library counts."""


def counts_blocks(program: str) -> bool:
    """Whether a program was built to count its blocks."""
    return CALL.encode() in read_bytes(program)


def weights_files(program: str) -> str:
    """Lines `FILE=TABLE` for the counter: the program first, then its shared libraries that count as well."""
    ldd = shutil.which("ldd") or "true"
    listing = run_tool([ldd, program]).stdout
    libraries = [line.rpartition("=> ")[2].partition(" (")[0].strip() for line in listing.splitlines()]
    own = [each for each in libraries if each.startswith("/") and not each.startswith(SYSTEM) and counts_blocks(each)]
    return "\n".join(f"{os.path.realpath(each)}={weights_file(each) or ''}" for each in (program, *own))


def weights_file(program: str) -> Path | None:
    """A table for the counter, kept in the user's cache; None where the program cannot be taken apart."""
    command = shutil.which("objdump")
    if command is None:
        return None
    content = read_bytes(program)
    start = _first_address(content)
    if start is None:
        return None

    folder = cache_folder()
    file = folder / f"mpi-weights-{hashlib.sha256(content).hexdigest()[:20]}"
    if file.exists():
        return file

    try:
        process = run_tool([command, "-d", "--no-show-raw-insn", "-w", program], LONGEST)
    except (OSError, subprocess.TimeoutExpired):
        return None
    weights = block_weights(process.stdout)
    if not weights:
        return None

    table = array("H", bytes(2 * (max(weights) - start + 1)))
    for address, count in weights.items():
        if address >= start:
            table[address - start] = min(count, MOST)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = file.with_suffix(".part")
    temporary.write_bytes(table.tobytes())
    temporary.replace(file)
    return file


def block_weights(listing: str) -> dict[int, int]:
    """Instructions by the address that the call at a block's beginning returns to, from a disassembly."""
    weights: dict[int, int] = {}
    block, before, called = -1, 0, False
    for line in listing.splitlines():
        place, colon, text = line.partition(":")
        if not line.startswith(" "):
            if line.endswith(">:"):
                block, before, called = -1, 0, False
            continue
        instruction = text.strip()
        if not colon or instruction.startswith(PADDING):
            continue
        if called:
            block, called = int(place, 16), False
            weights[block], before = before, 0
        if CALL in instruction:
            called = True
        elif block < 0:
            before += 1
        else:
            weights[block] += 1

    return weights


def _first_address(content: bytes) -> int | None:
    """The lowest address that an ELF program of 64 bits is loaded at."""
    if content[:6] != b"\x7fELF\x02\x01":
        return None
    (table,) = struct.unpack_from("<Q", content, 32)
    size, number = struct.unpack_from("<HH", content, 54)
    loads = [
        struct.unpack_from("<Q", content, table + k * size + 16)[0]
        for k in range(number)
        if struct.unpack_from("<I", content, table + k * size)[0] == 1
    ]
    return min(loads, default=None)
