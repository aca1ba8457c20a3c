"""Programs that run here, whatever language they are in: counted, calibrated, and compared with their predictions.

In: sources in Java, C and PASL, machine models, sizes. Out: values of parameters, machine models that a run has
corrected, measured times beside predicted ones. It joins `java`, `c` and `pasl`, which ignore each other. Start at
`programs`.
"""
