"""What an editor asks of a model while it is written: mistakes, meanings, places. One language server answers it."""
