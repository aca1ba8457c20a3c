"""A local page to write a model in and see its prediction while typing."""
