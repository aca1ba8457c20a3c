"""Answers: what was found, as data and blocks, and how terminals, pages, notebooks and programs are shown it.

In: an `Answer` that a package made. Out: text or JSON; one renderer each. Start at `answer` (data) and `blocks` (what
is shown), then `text` and `json_form`.
"""
