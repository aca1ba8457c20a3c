"""One self-contained page about a prediction: numbers to turn, formulas, reasons, costs by line, provenance."""
