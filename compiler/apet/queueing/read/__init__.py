"""Queueing networks and jobs with precedence, from TOML or JSON files.

In: a path or a text. Out: a `QueueFile`, or every error of the file with its place.
Start at `reader`.
"""

from apet.queueing.read.reader import QueueFile, file_of_ours, parse_queue_file, read_queue

__all__ = ["QueueFile", "file_of_ours", "parse_queue_file", "read_queue"]
