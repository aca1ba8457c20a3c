"""`python -m apet`: the command `apet`."""

import sys

from apet.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
