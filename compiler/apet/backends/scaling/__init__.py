"""Predictions from a few measured runs, without a model of the application."""
