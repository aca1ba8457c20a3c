"""Laws that may hold exactly: sums of a few terms, weighed by their evidence."""
