"""Nothing is lost: commands that write a file are killed, starved and cut off at random moments.

`python -m tests.loss --kills 1000` does it as often as is wanted and writes the figures into the page about trust; a
few of each kind run with the tests. Start at `commands` (what is run, and when its file is whole), then `kills`.
"""
