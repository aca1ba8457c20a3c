"""Large inputs that readers do not refuse at their first line: by reader, and by what is large in them."""

from __future__ import annotations

import json
from collections.abc import Callable

BYTES = 10_000_000
Numbered = Callable[[int], str]


def _many(line: Numbered, head: str = "", tail: str = "") -> bytes:
    """As many numbered lines as 10 MB hold."""
    many = BYTES // (len(line(100_000)) + 1)
    return (head + "".join(map(line, range(many))) + tail).encode()


def _nested(opening: str, closing: str, inside: str, levels: int) -> str:
    return opening * levels + inside + closing * levels


MODEL = "L = f[1];\nf[p] = {{ {} }};\n"
JAVA = "public class A {{ static double f(double x, int n) {{ {} return x; }} }}\n"
MACHINES = '[[machine]]\nname = "a{}"\n[machine.op_s]\nsum_int = [1e-9, 2e-9]\n'
STATIONS = '[[stations]]\nname = "s{}"\nservers = 2\n'
JOB = '[[stations]]\nname = "s"\n[[classes]]\nname = "q"\npopulation = 4\n[classes.job]\nop = "S"\n'
CLASSES = '[[classes]]\nname = "c{}"\npopulation = 1\ndemands = {{ s = 1.0 }}\n'
ZONE = '<?xml version="1.0"?>\n<platform version="4.1">\n<zone id="z" routing="Full">\n'
CLUSTER = '<cluster id="c{}" prefix="n{}-" suffix="" radical="0-9" speed="1Gf" bw="1GBps" lat="20us"/>\n'
POINTS = '{"id": "k", "kind": "size", "points": [\n'
TAU = '"f{}" 1 0 4 4 0 GROUP="X"\n'

LARGE: dict[str, dict[str, Callable[[], bytes]]] = {
    "model": {
        "parameters": lambda: _many("param a{} = 3;\n".format, tail=MODEL.format("sum_int[p];")),
        "equations": lambda: _many("f{}[p] = sum_int[p];\n".format, tail="L = f1[1];\n"),
        "steps": lambda: MODEL.format("sum_int[p]; " * (BYTES // 12)).encode(),
        "operations": lambda: _many("op{}[p];\n".format, "L = f[1];\nf[p] = {\n", "};\n"),
        "branches": lambda: MODEL.format("if (0.5) a[p]; else b[p]; " * (BYTES // 26)).encode(),
        "loops": lambda: _many("seq (i = 1, {}) a[p];\n".format, "L = f[1];\nf[p] = {\n", "};\n"),
        "sum": lambda: MODEL.format("delay(" + "1 + " * (BYTES // 4) + "1);").encode(),
        "brackets": lambda: MODEL.format("delay(" + _nested("(", ")", "1", BYTES // 2) + ");").encode(),
        "digits": lambda: MODEL.format("delay(" + "7" * BYTES + ");").encode(),
        "comment": lambda: ("//" + "x" * BYTES + "\n" + MODEL.format("a[p];")).encode(),
    },
    "task-graph": {
        "parameters": lambda: _many("param a{} = 3;\n".format, "application m;\n"),
        "batches": lambda: _many("batch b{}[3] {{ sum_int; }}\n".format, "application m;\n"),
    },
    "java": {
        "statements": lambda: JAVA.format("x = x + 1.0; " * (BYTES // 13)).encode(),
        "methods": lambda: _many("static double g{}(double x) {{ return x; }}\n".format, "class A {\n", "}\n"),
        "calls": lambda: _many(
            lambda k: f"static double g{k}(double x) {{ return g{k + 1}(x); }}\n", "class A {\n", "}\n"
        ),
        "variables": lambda: _many("int v{} = 3;\n".format, "class A { static void f() {\n", "} }\n"),
        "loops": lambda: _many(
            lambda k: f"for (int i{k} = 0; i{k} < n; i{k}++) x += 1;\n", "class A { static void f(int n, int x) {", "}}"
        ),
        "conditions": lambda: _many(
            "if (x > {}) x = x + 1;\n".format, "class A { static double f(double x) {", "return x; }}"
        ),
        "sum": lambda: JAVA.format("x = " + "1 + " * (BYTES // 4) + "1;").encode(),
        "fields": lambda: _many("int v{} = 3;\n".format, "class A {\n", "static void f() {} }\n"),
        "array": lambda: JAVA.format("int[] a = {" + "1, " * (BYTES // 3) + "1};").encode(),
        "text": lambda: JAVA.format('String a = "' + "x" * BYTES + '";').encode(),
    },
    "machines": {
        "machines": lambda: _many(MACHINES.format, 'schema = 1\nname = "m"\n'),
        "operations": lambda: _many(
            "op{} = [1e-9, 2e-9]\n".format, 'schema = 1\nname = "m"\n[[machine]]\nname = "a"\n[machine.op_s]\n'
        ),
        "samples": lambda: (
            'schema = 1\nname = "m"\n[[machine]]\nname = "a"\n[machine.op_s]\nsum_int = { samples = ['
            + "1e-9, " * (BYTES // 6)
            + "1e-9] }\n"
        ).encode(),
        "count": lambda: (
            MACHINES.format(1)
            .replace("[machine.op", "count = 99999999\n[machine.op")
            .join(('schema = 1\nname = "m"\n', ""))
            .encode()
        ),
    },
    "queue": {
        "stations": lambda: _many(STATIONS.format, 'name = "q"\n', '[[classes]]\nname = "c"\npopulation = 4\n'),
        "classes": lambda: _many(CLASSES.format, '[[stations]]\nname = "s"\n'),
        "steps": lambda: (
            JOB
            + '[[classes.job.children]]\nname = "a"\nsteps = ['
            + '{ station = "s", demand = 1.0 }, ' * (BYTES // 34)
            + "]\n"
        ).encode(),
        "children": lambda: _many(
            '[[classes.job.children]]\nname = "a{}"\nsteps = [{{ station = "s", demand = 1.0 }}]\n'.format, JOB
        ),
    },
    "trace": {
        "ranks": lambda: _many("{} compute 5\n".format),
        "lines": lambda: b"0 compute 5\n" * (BYTES // 12),
        "volumes": lambda: _many("0 compute {}\n".format),
        "messages": lambda: _many(lambda k: f"0 isend 1 {k % 9} 8\n1 irecv 0 {k % 9} 8\n"),
    },
    "platform": {
        "hosts": lambda: _many('<host id="h{}" speed="1Gf"/>\n'.format, ZONE, "</zone></platform>\n"),
        "links": lambda: _many(
            '<link id="l{}" bandwidth="1GBps" latency="1us"/>\n'.format, ZONE, "</zone></platform>\n"
        ),
        "clusters": lambda: _many(lambda k: CLUSTER.format(k, k), ZONE.replace("Full", "None"), "</zone></platform>\n"),
        "attribute": lambda: (ZONE + f'<host id="{"h" * BYTES}" speed="1Gf"/></zone></platform>').encode(),
        "comment": lambda: (ZONE + f'<!-- {"h" * BYTES} --><host id="h" speed="1Gf"/></zone></platform>').encode(),
    },
    "hosts": {"hosts": lambda: b"node-0\n" * (BYTES // 7), "counts": lambda: b"node-0:999999\n" * (BYTES // 14)},
    "ping-pong": {"sizes": lambda: _many(lambda k: f"{k} {1e-6 + k * 1e-9}\n")},
    "runs": {
        "rows": lambda: _many(lambda k: f"{k + 1},{1 / (k + 1)}\n", "threads,time [s]\n"),
        "repetitions": lambda: b"threads,time [s]\n" + b"1,2.5\n2,1.5\n3,1.2\n" * (BYTES // 18),
        "columns": lambda: ("threads," + ",".join(f"c{k}" for k in range(BYTES // 8)) + "\n1\n2\n3\n").encode(),
    },
    "runs-json": {
        "points": lambda: _many(lambda k: f'{{"n": {k + 1}, "t": 0.5}},\n', POINTS, '{"n": 0.5, "t": 1}]}'),
        "phases": lambda: (
            POINTS + json.dumps({"n": 1, "t": 1.0, "phases": {f"p{k}": 0.5 for k in range(BYTES // 14)}}) + "]}"
        ).encode(),
    },
    "extra-p-lines": {
        "points": lambda: _many(lambda k: f'{{"params": {{"N": {k + 1}}}, "metric": "time", "value": 0.5}}\n'),
        "paths": lambda: _many(
            lambda k: f'{{"params": {{"N": {k % 9}}}, "callpath": "f{k}", "metric": "time", "value": 0.5}}\n'
        ),
    },
    "profile-text": {"functions": lambda: _many(TAU.format, "300000 templated_functions_MULTI_TIME\n# Name\n")},
    "points": {"rows": lambda: _many("{},2,0.5\n".format, "n,P,a\n")},
    "sizes": {"kernels": lambda: ("{" + ", ".join(f'"k{k}": [1, 2]' for k in range(BYTES // 16)) + "}").encode()},
}
