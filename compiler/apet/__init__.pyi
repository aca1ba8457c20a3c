"""What `import apet` offers is what `apet.api` lists."""

from apet.api import *  # noqa: F403  # the one list of names is there
