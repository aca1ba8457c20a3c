"""All verbs, with what each does, and how the help groups them; their modules are imported when they are called.

A new verb is a line in `VERBS`, its name in `GROUPS`, and an example.
"""

from __future__ import annotations

VERBS = {
    "run": "run a program here and forecast it, with a page",
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
    "jobs": "predict a Spark, Dask or Hadoop job on other numbers of cores from its log",
    "queue": "solve a queueing network, or jobs with precedence",
    "extrapolate": "predict larger inputs from a few measured runs",
    "speedup": "predict more processors from a few measured runs",
    "fit": "predict over several parameters, by call path, from measured runs",
    "measure": "run a command at growing sizes and write the runs down",
    "format": "lay out models and task graphs in one way",
    "lsp": "serve an editor: mistakes, costs, places, renaming",
    "completion": "print a script that completes words in bash, zsh or fish",
    "check": "find mistakes and give advice",
    "samples": "list, show or copy the samples that come with APET",
    "machines": "list or show the machine files that come with APET",
}

GROUPS = {
    "Begin": ("run",),
    "Predict": ("predict", "explain", "solve", "compare", "regions", "sweep", "simulate", "report"),
    "Measured runs": ("measure", "extrapolate", "speedup", "fit"),
    "MPI traces and job logs": ("trace", "jobs"),
    "Services and queues": ("queue",),
    "Models": ("compile", "inspect", "check", "format", "translate", "serve"),
    "Machines": ("machines", "benchmark", "profile", "validate"),
    "Around it": ("samples", "completion", "lsp"),
}
"""The sections of `apet --help`; names that are no verb yet are skipped."""
EXAMPLES = {
    "run": "apet run -- mpirun -n 8 ./program",
    "predict": "apet predict pi -m join-2005 -P 2:32:2x",
    "explain": "apet explain pi -m join-2005 -P 32",
    "solve": "apet solve pi -m join-2005 --deadline 1min",
    "compare": "apet compare pi -m join-2005 cluster-64",
    "regions": "apet regions pi -m join-2005 --for P --for n=1e3..1e9",
    "sweep": "apet sweep pi -m join-2005 --vary P=1:32 -o pi.csv",
    "simulate": "apet simulate pi -m join-2005 -P 4 --set n=1e6",
    "report": "apet report pi -m join-2005 -o pi.html",
    "measure": "apet measure --from 1000 -o runs.json -- ./program {n}",
    "extrapolate": "apet extrapolate kmeans --to 64000",
    "speedup": "apet speedup sp-openmp --to 16",
    "fit": "apet fit samples/runs/nbody.csv --to n=100000,P=64",
    "trace": "apet trace replay ring --platform samples/traces/cluster.xml",
    "jobs": "apet jobs samples/joblogs/nightly.json --cores 32",
    "queue": "apet queue terminals",
    "compile": "apet compile pi --emit latex",
    "inspect": "apet inspect pi",
    "check": "apet check pi",
    "format": "apet format --check model.pam",
    "translate": "apet translate Task.java -o task.pam",
    "serve": "apet serve pi -m join-2005",
    "machines": "apet machines show join-2005",
    "benchmark": "apet benchmark -o this.toml",
    "profile": "apet profile Task.java --set n=1000,2000",
    "validate": "apet validate Task.java --machines this",
    "samples": "apet samples copy pi .",
    "completion": "source <(apet completion bash)",
    "lsp": "apet lsp",
}
"""One call of each verb, for the help."""


def overview() -> str:
    """What `apet --help` prints: the verbs by task, with an example each."""
    rows = [
        "usage: apet VERB ... [options]",
        "",
        "Predict how long parallel programs take on machines you may not have.",
    ]
    for title, group in GROUPS.items():
        verbs = [name for name in group if name in VERBS]
        if verbs:
            rows += ["", f"{title}:"]
        for name in verbs:
            rows += [f"  {name:<12}{VERBS[name]}", f"{'':16}{EXAMPLES[name]}"]

    return "\n".join([*rows, "", *ENDING, ""])


ENDING = (
    "A file is a path, - for standard input, or the name of a shipped sample: apet samples.",
    "Options of a verb: apet help VERB. Of all verbs: --quiet (no advice, no progress), --debug (traceback",
    "if APET itself fails). apet --version prints the version. NO_COLOR turns colours off.",
)
