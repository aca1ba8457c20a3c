"""Runs a command and writes its wall seconds, processor seconds and peak resident bytes as the last line of stderr."""

import os
import sys
import time

begun = time.perf_counter()
number = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, used = os.wait4(number, 0)
wall = time.perf_counter() - begun
per_unit = 1 if sys.platform == "darwin" else 1024
sys.stderr.write(f"\n{wall} {used.ru_utime + used.ru_stime} {used.ru_maxrss * per_unit}\n")
sys.exit(os.waitstatus_to_exitcode(status) != 0)
