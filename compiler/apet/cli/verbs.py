"""All verbs, with what each does, and how the help groups them; their modules are imported when they are called.

A new verb is a line in `VERBS`, its name in `GROUPS`, and an example.
"""

from __future__ import annotations

VERBS = {
    "run": "run a program here and forecast it, with a page",
    "predict": "predict the run time of a model, from runs, a trace, a job log, or a queue",
    "explain": "show what limits the predicted time, and what would change it",
    "regions": "map which term is the bottleneck where",
    "solve": "find what meets a deadline",
    "sweep": "predict every configuration of a design space",
    "compare": "compare two predictions",
    "simulate": "run a model or a queue event by event, or replay a trace",
    "report": "write a page with sliders, formulas, reasons and provenance",
    "measure": "run a command at growing sizes and record the times",
    "record": "record what an MPI program computes and sends, as a trace",
    "extrapolate": "predict more from measured runs, or write the trace of a larger run",
    "fold": "find loops and equal ranks of a trace",
    "import": "read event traces, access logs, metrics or spans into files of APET",
    "export": "write a trace or a job log in another form",
    "compile": "compile a model to formulas",
    "inspect": "show what a model and its formulas are made of",
    "check": "report errors and give advice",
    "format": "format models and task graphs",
    "translate": "make a model from source code",
    "serve": "open a local page for writing a model, with its prediction",
    "benchmark": "measure the operations of this machine",
    "calibrate": "measure speed and network of this machine for traces",
    "profile": "run a task in Java or C with counters, for the parameters of its model",
    "validate": "run programs here and compare them with their predictions",
    "list": "list the samples or the machine files that come with APET",
    "show": "print a sample or a machine file, or copy it",
    "completion": "print a completion script for bash, zsh or fish",
    "lsp": "language server for editors: diagnostics, costs, rename",
}

GROUPS = {
    "Start here": ("run",),
    "Ask": ("predict", "explain", "solve", "compare", "regions", "sweep", "simulate", "report"),
    "Measure and record": ("measure", "record", "extrapolate", "fold", "import", "export"),
    "Models": ("compile", "inspect", "check", "format", "translate", "serve"),
    "Machines": ("benchmark", "calibrate", "profile", "validate"),
    "Tools": ("list", "show", "completion", "lsp"),
}
"""The sections of `apet --help`."""
EXAMPLES = {
    "run": "apet run -- mpirun -n 8 ./program",
    "predict": "apet predict pi -m zen5-openjdk17 -P 1,2",
    "explain": "apet explain pi -m zen5-openjdk17 -P 2",
    "solve": "apet solve pi -m zen5-openjdk17 --deadline 20s",
    "compare": "apet compare pi -m join-2005 -m zen5-openjdk17",
    "regions": "apet regions pi -m join-2005 --for P --for n=1e3..1e9",
    "sweep": "apet sweep pi -m zen5-openjdk17 --vary n=1e6..1e9:10x",
    "simulate": "apet simulate pi -m zen5-openjdk17 --set n=1e5",
    "report": "apet report pi -m zen5-openjdk17 -o pi.html",
    "measure": "apet measure --from 1000 -o runs.json -- ./program {n}",
    "record": "apet record -n 8 -o trace.txt -- ./program 1000",
    "extrapolate": "apet extrapolate small.txt large.txt --size n=100,200 --to n=1000,P=64 -o huge.txt",
    "fold": "apet fold ring",
    "import": "apet import access.log -o shop.toml",
    "export": "apet export ring -o ring.txt.gz",
    "compile": "apet compile pi --emit latex",
    "inspect": "apet inspect pi",
    "check": "apet check pi",
    "format": "apet format --check model.pam",
    "translate": "apet translate Task.java -o task.pam",
    "serve": "apet serve pi -m zen5-openjdk17",
    "benchmark": "apet benchmark -o this.toml",
    "calibrate": "apet calibrate -n 2 -o here.xml -- ./program 1000",
    "profile": "apet profile Task.java --set n=1000,2000",
    "validate": "apet validate Task.java --machines this",
    "list": "apet list samples",
    "show": "apet show pi -o pi.pam",
    "completion": "source <(apet completion bash)",
    "lsp": "apet lsp",
}
"""One call of each verb, for the help."""
_ON = "ring --platform samples/traces/cluster.xml"
OF_KINDS: dict[str, dict[str, str]] = {
    "predict": {
        "model": "pi -m zen5-openjdk17 -P 1,2",
        "runs": "kmeans --to 64000",
        "queue": "terminals",
        "trace": _ON,
        "jobs": "nightly --cores 32",
    },
    "explain": {
        "model": "pi -m zen5-openjdk17",
        "runs": "kmeans --set n=64000",
        "queue": "terminals",
        "trace": _ON,
        "jobs": "nightly --set cores=32",
    },
    "solve": {
        "model": "pi -m zen5-openjdk17 --deadline 20s",
        "runs": "kmeans --deadline 100ms",
        "queue": "terminals --deadline 2s",
        "trace": f"{_ON} --for bandwidth --deadline 9ms",
        "jobs": "nightly --deadline 30s",
    },
    "compare": {
        "model": "pi -m join-2005 -m zen5-openjdk17",
        "runs": "kmeans --with n=64000",
        "queue": "terminals --with N=10",
        "trace": f"{_ON} --with bandwidth=2",
        "jobs": "nightly --with cores=32",
    },
    "regions": {
        "model": "pi -m join-2005 --for n=1e3..1e9",
        "runs": "kmeans --for n",
        "queue": "terminals --for N",
        "trace": f"{_ON} --for bandwidth=0.01..100",
        "jobs": "nightly --for cores=1..64",
    },
    "sweep": {
        "model": "pi -m zen5-openjdk17 --vary n=1e6..1e9:10x",
        "runs": "kmeans --vary n=1000..64000:2x",
        "queue": "terminals --vary N=4..12:4",
        "trace": f"{_ON} --vary bandwidth=1..8:2x",
        "jobs": "nightly --vary cores=8..64:2x",
    },
    "simulate": {
        "model": "pi -m zen5-openjdk17 --set n=1e5",
        "queue": "thread-pool",
        "trace": _ON,
    },
    "report": {
        "model": "pi -m zen5-openjdk17",
        "runs": "kmeans",
        "queue": "terminals",
        "trace": _ON,
        "jobs": "nightly",
    },
    "compile": {
        "model": "pi --emit latex",
        "runs": "kmeans",
        "queue": "terminals",
        "trace": _ON,
        "jobs": "nightly",
    },
    "inspect": {
        "model": "pi",
        "runs": "kmeans",
        "queue": "terminals",
        "trace": _ON,
        "jobs": "nightly",
    },
    "check": {
        "model": "pi -m zen5-openjdk17",
        "runs": "kmeans",
        "queue": "terminals",
        "trace": "ring",
        "jobs": "nightly",
    },
    "export": {"trace": "ring -o ring.txt.gz", "jobs": "nightly --as pamela -o nightly.pam"},
    "extrapolate": {"runs": "kmeans --to 64000", "trace": "a.txt b.txt --size n=1,2 --to n=4,P=64 -o huge.txt"},
}
"""An example of each verb for each kind of file that it has an answer for."""
FORMS: dict[str, dict[str, str]] = {
    "predict": {"runs": "runs_prediction", "queue": "queue", "trace": "trace_prediction", "jobs": "jobs"},
    "explain": {"trace": "trace_explanation"},
    "compile": {"trace": "trace_formulas", "queue": "queue_formulas"},
    "check": {"trace": "trace_check", "jobs": "joblog_check"},
    "simulate": {"trace": "trace_replay", "queue": "queue_simulation"},
    "export": {"trace": "trace_export", "jobs": "joblog_export"},
    "extrapolate": {"runs": "runs_prediction"},
}
"""Modules of a verb for kinds of files, where they have one of their own."""
MODULES = {"import": "imports", "export": "trace_export", "extrapolate": "trace_extrapolate", "fold": "trace_fold"}
MODULES |= {"record": "trace_record", "calibrate": "trace_calibrate", "list": "listing", "show": "showing"}
"""Modules whose name is not that of their verb."""
INSTEAD = {
    ("simulate", "jobs"): "apet predict replays it, on any number of cores: apet predict LOG --cores 32",
    ("simulate", "runs"): "nothing tells how they came about; apet predict extrapolates them: apet predict RUNS --to N",
    ("extrapolate", "model"): "it takes measured runs, or traces; of a model ask apet predict",
    ("extrapolate", "jobs"): "apet predict LOG --cores 32",
    ("extrapolate", "queue"): "apet predict FILE --population 1..50",
}
"""Which verb has the answer that another one has not, for a kind of file."""
PLURALS = {
    "model": "models",
    "runs": "measured runs",
    "queue": "queues",
    "trace": "traces",
    "jobs": "job logs",
}
WHAT = {"": "of another kind", "model": "a model", "runs": "a file of measured runs", "queue": "a queue"}
WHAT |= {"trace": "a trace", "jobs": "a job log"}


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
    "An input file is a path, - for standard input, or the name of a sample (apet list samples).",
    "Verbs take files of every kind: apet help VERB FILE shows the options for that file.",
    "apet help VERB shows the options for models. For every verb: --quiet omits advice",
    "and progress, --debug shows a traceback if APET itself fails. apet --version",
    "prints the version; NO_COLOR turns colours off.",
)
