"""One self-contained page about a prediction, and what notebooks show.

In: an application with its predictions and answers. Out: HTML without a single outside reference; all text escaped.
Start at `build`; `numbers` holds what the page's script evaluates, `sections` the parts of the page.
"""
