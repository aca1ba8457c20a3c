"""All verbs in the order of the help, with what each does; their modules are imported when they are called."""

from __future__ import annotations

VERBS = {
    "compile": "compile a model to formulas",
    "inspect": "show what a model and its formulas are made of",
    "predict": "predict the run time on a machine model",
    "explain": "say why the predicted time is what it is",
    "regions": "map which term of the time decides where",
    "solve": "find what meets a deadline",
    "sweep": "predict every point of a design space",
    "compare": "two predictions side by side",
    "report": "one self-contained page: sliders, formulas, reasons, provenance",
    "serve": "a local page to write a model in and see its prediction",
    "simulate": "run the model event by event",
    "translate": "make an application model from source code",
    "benchmark": "measure the operations of this machine",
    "profile": "run a Java task with counters: values of its model's parameters",
    "validate": "run programs here and compare with their predictions",
    "trace": "replay, bound, compile or check a time-independent MPI trace",
    "queue": "solve a queueing network, or jobs with precedence",
    "extrapolate": "predict larger inputs from a few measured runs",
    "speedup": "predict more processors from a few measured runs",
    "measure": "run a command at growing sizes and write the runs down",
    "format": "lay out models and task graphs in one way",
    "lsp": "serve an editor: mistakes, costs, places, renaming",
    "completion": "print a script that completes words in bash, zsh or fish",
    "check": "find mistakes and give advice",
}
