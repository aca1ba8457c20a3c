"""Queueing networks and jobs with precedence, from TOML or JSON files."""

from apet.frontends.queueing.reader import QueueFile, parse_queue_file, read_queue_file

__all__ = ["QueueFile", "parse_queue_file", "read_queue_file"]
