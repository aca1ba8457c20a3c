"""Where APET keeps what it can make again."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """$XDG_CACHE_HOME/apet, else as the system has it."""
    home = os.environ.get("XDG_CACHE_HOME") or (os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else None)
    usual = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    return (Path(home) if home else usual).absolute() / "apet"


def only_ours(place: Path) -> bool:
    """Whether nobody else may write to a file or folder."""
    about = place.stat()
    return about.st_uid == os.getuid() and not about.st_mode & 0o022
