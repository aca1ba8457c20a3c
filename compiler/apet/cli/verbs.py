"""All verbs, with what each does, and how the help groups them; their modules are imported when they are called.

A new verb is a line in `VERBS`, its name in `GROUPS`, and an example.
"""

from __future__ import annotations

VERBS = {
    "run": "run a program here and forecast it, with a page",
    "compile": "compile a model to formulas",
    "inspect": "show what a model and its formulas are made of",
    "predict": "predict the run time on a machine model",
    "explain": "show what limits the predicted time, and what would change it",
    "regions": "map which term is the bottleneck where",
    "solve": "find what meets a deadline",
    "sweep": "predict every configuration of a design space",
    "compare": "compare two predictions",
    "report": "write a page with sliders, formulas, reasons and provenance",
    "serve": "open a local page for writing a model, with its prediction",
    "simulate": "run the model event by event",
    "translate": "make a model from source code",
    "benchmark": "measure the operations of this machine",
    "profile": "run a Java task with counters, for the parameters of its model",
    "validate": "run programs here and compare them with their predictions",
    "trace": "record, replay, bound or explain an MPI program",
    "jobs": "predict a Spark, Dask or Hadoop job from its log",
    "queue": "solve a queueing network, or jobs with precedence",
    "extrapolate": "predict larger inputs from a few measured runs",
    "speedup": "predict more processors from a few measured runs",
    "fit": "predict over several parameters from measured runs",
    "measure": "run a command at growing sizes and record the times",
    "format": "format models and task graphs",
    "lsp": "language server for editors: diagnostics, costs, rename",
    "completion": "print a completion script for bash, zsh or fish",
    "check": "report errors and give advice",
    "samples": "list, show or copy the samples that come with APET",
    "machines": "list or show the machine files that come with APET",
}

GROUPS = {
    "Start here": ("run",),
    "Predict": ("predict", "explain", "solve", "compare", "regions", "sweep", "simulate", "report"),
    "Measured runs": ("measure", "extrapolate", "speedup", "fit"),
    "MPI traces and job logs": ("trace", "jobs"),
    "Services and queues": ("queue",),
    "Models": ("compile", "inspect", "check", "format", "translate", "serve"),
    "Machines": ("machines", "benchmark", "profile", "validate"),
    "Tools": ("samples", "completion", "lsp"),
}
"""The sections of `apet --help`; names that are no verb yet are skipped."""
EXAMPLES = {
    "run": "apet run -- mpirun -n 8 ./program",
    "predict": "apet predict pi -m zen5-openjdk17 -P 1,2",
    "explain": "apet explain pi -m zen5-openjdk17 -P 2",
    "solve": "apet solve pi -m zen5-openjdk17 --deadline 20s",
    "compare": "apet compare pi -m join-2005 zen5-openjdk17",
    "regions": "apet regions pi -m join-2005 --for P --for n=1e3..1e9",
    "sweep": "apet sweep pi -m zen5-openjdk17 --vary n=1e6:1e9:10x",
    "simulate": "apet simulate pi -m zen5-openjdk17 --set n=1e5",
    "report": "apet report pi -m zen5-openjdk17 -o pi.html",
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
    "serve": "apet serve pi -m zen5-openjdk17",
    "machines": "apet machines show zen5-openjdk17",
    "benchmark": "apet benchmark -o this.toml",
    "profile": "apet profile Task.java --set n=1000,2000",
    "validate": "apet validate Task.java --machines this",
    "samples": "apet samples copy pi .",
    "completion": "source <(apet completion bash)",
    "lsp": "apet lsp",
    "trace replay": "apet trace replay ring --platform samples/traces/cluster.xml",
    "trace predict": "apet trace predict ring --platform samples/traces/cluster.xml --set latency=0.5..2",
    "trace explain": "apet trace explain ring --platform samples/traces/cluster.xml",
    "trace compile": "apet trace compile ring --platform samples/traces/cluster.xml",
    "trace check": "apet trace check ring",
    "trace acquire": "apet trace acquire -n 8 -o trace.txt -- ./program 1000",
    "trace cc": "apet trace cc -- mpicc -O2 program.c -o program",
    "trace score": "apet trace score -n 4 -- ./program 1000",
    "trace calibrate": "apet trace calibrate -n 2 -o here.xml -- ./program 1000",
    "trace convert": "apet trace convert ring -o ring.txt.gz",
    "trace fold": "apet trace fold ring",
    "trace extrapolate": "apet trace extrapolate small.txt large.txt --size n=100,200 --to n=1000,P=64 -o huge.txt",
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
    "An input file is a path, - for standard input, or the name of a sample (apet samples).",
    "apet help VERB shows the options of a verb. For every verb: --quiet omits advice",
    "and progress, --debug shows a traceback if APET itself fails. apet --version",
    "prints the version; NO_COLOR turns colours off.",
)
