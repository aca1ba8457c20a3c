"""What operations of Java cost on this machine: the content of a machine file.

In: a JDK. Out: intervals per operation, with provenance.
Start at `measuring`; `cases` lists what is timed, `sampling` runs it, `figures` and `flat_figures` draw conclusions.
"""
