"""A campaign over Java that nobody prepared: whatever `translate` prints compiles, passes `check` and predicts."""
