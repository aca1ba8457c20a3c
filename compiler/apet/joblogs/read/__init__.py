"""Logs of engines, compressed and rolled or not, as one neutral job log. Start at `reader`."""

from apet.joblogs.read.reader import read_job_log as read_job_log
from apet.joblogs.read.reader import read_job_logs as read_job_logs
