"""Answers: what was found, as data and blocks, and how terminals, pages, notebooks and programs are shown it.

In: an `Answer` that a package made. Out: text, HTML, JSON, a picture; one renderer each. Begin with `answer.py`.
"""
