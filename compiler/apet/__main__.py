"""`python -m apet`: the command `apet`."""

import sys

from apet.cli.main import command

if __name__ == "__main__":
    sys.exit(command())
