"""Samples that are short enough to stand here: what the tools that APET reads would write."""

from __future__ import annotations

import json

HOSTS = "# hosts of a cluster\nnode-0\nnode-1:4\nnode-2 # one rank\n"
CALL_SITES = "# apet call sites 1 of a trace of 24 bytes\nsite 1 halo.c:118 exchange\nlines\n1\n0\n"
LIBALLPROF = """# collprof 0.9 output file
MPI_Init:-:140737488343500:140737488344604:1000.0
MPI_Irecv:1010.0:5000:10:11,8,8:0:7:91,0,1:8000:1011.0
MPI_Send:1020.0:5000:10:2,8,8:0:7:91,0,1:1030.0
MPI_Waitall:1030.0:1:8000:9000:1040.0
MPI_Allreduce:1050.0:1:2:4:11,8,8:3:91,0,1:1060.0
MPI_Finalize:1100.0:-
"""
GOAL = """num_ranks 2
rank 0 {
l1: recv 100b from 1 tag 1 cpu 0
l2: calc 2500 // beside it
l2 requires l1
l3: send 8b to 1 tag 7
l3 irequires l2
}
rank 1 {
l1: send 100b to 0 tag 1
l2: recv 8b from 0 tag 7
}
"""
PING_PONG = "\n".join(f"{2**k} {1e-6 + 2**k * 1e-9}" for k in range(20))
POINTS = "n,P,a\n1,2,0.5\n1000,4,1e-9\n2e6,8,3/4\n"
MEASURED = json.dumps(
    {"command": ["true", "{n}"], "kind": "size", "points": [{"n": 1, "reps": [1.0], "cpu_s": [1.0], "peak_bytes": [9]}]}
)
HYPERFINE = """{"results": [{"command": "a", "times": [1.5, 1.6], "parameters": {"n": "100", "P": "4"}},
 {"command": "b", "median": 2, "parameters": {"n": "200", "P": "4"}}]}"""
GOOGLE = """{"benchmarks": [{"name": "BM_f/n:1024/8/threads:4", "run_type": "iteration", "real_time": 5.5,
 "time_unit": "us", "threads": 4}, {"name": "BM_f_mean", "run_type": "aggregate", "time_unit": "us"}]}"""
JMH = """[{"benchmark": "a.B.c", "threads": 2, "params": {"n": "8"}, "primaryMetric": {"scoreUnit": "us/op",
 "rawData": [[1.5, 1.25], [2]]}}, {"benchmark": "a.B.c", "primaryMetric": {"score": 7, "scoreUnit": "ops/s"}}]"""
PYTEST = """{"benchmarks": [{"name": "f[1]", "params": {"n": 1}, "stats": {"median": 0.5, "data": [0.5]}}]}"""

PERF = (
    "# To display the perf.data header info\n# Overhead  Command\n# Event count (approx.): 12345\n"
    "    60.00%  a  b  [.] f\n"
)
NVPROF = (
    '==1== Profiling result:\n"Type","Time(%)","Time","Calls","Avg","Min","Max","Name"\n,%,ms,,ms,ms,ms,\n'
    '"GPU activities",60.0,3.0,1,3.0,3.0,3.0,"f(int)"\n'
)
PRINTED = "   12 function calls in 1.5 seconds\n\n   ncalls  tottime  percall\n   1 1.0 1.0 1.5 1.5 a.py:1(f)\n"

PERF_STAT = (
    "# started on Mon Nov 23 2026\n\n Performance counter stats for './a 4' (3 runs):\n\n"
    "         0.0514070 +- 0.0000356 seconds time elapsed  ( +-  0.07% )\n"
)
PERF_STAT_CSV = "0.86,msec,task-clock,3.55%,862140,100.00,0.917,CPUs utilized\n51270575,ns,duration_time,1,100.00,,\n"
CALIPER = """{"data": [[0, 1.5, 0], [0, 0.5, 1]], "columns": ["mpi.rank", "time", "path"], "column_metadata":
 [{"is_value": true}, {"is_value": true, "attribute.unit": "sec"}, {"is_value": false}], "nodes": [{"label": "main",
 "column": "path"}, {"label": "solve", "column": "path", "parent": 0}], "problem_size": "30", "jobsize": 4}"""
SLURM = (
    "JobID|JobName|State|Elapsed|AllocCPUS|NTasks\n7|a_n100|COMPLETED|1-00:10:20|2|\n7.0|a|COMPLETED|00:10:18|2|1\n"
    "8|a_n200|COMPLETED|00:41:20|4|\n8.0|a|COMPLETED|00:41:18|4|2\n"
)

OTLP = """{"resourceSpans": [{"resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "web"}}]},
 "scopeSpans": [{"spans": [{"traceId": "t", "spanId": "a", "name": "GET", "startTimeUnixNano": "0",
 "endTimeUnixNano": "90000000"}, {"traceId": "t", "spanId": "b", "parentSpanId": "a", "name": "SELECT",
 "startTimeUnixNano": "10000000", "endTimeUnixNano": "60000000"}]}]}]}"""
JAEGER = """{"data": [{"traceID": "t", "processes": {"p": {"serviceName": "web"}}, "spans": [{"traceID": "t",
 "spanID": "a", "processID": "p", "operationName": "GET", "startTime": 0, "duration": 90, "references": []},
 {"traceID": "t", "spanID": "b", "processID": "p", "operationName": "SELECT", "startTime": 10, "duration": 50,
 "references": [{"refType": "CHILD_OF", "traceID": "t", "spanID": "a"}]}]}]}"""
UTILIZATIONS = "time,throughput,utilization[cpu],utilization[disk]\n0,10,0.1,0.2\n60,20,0.2,0.4\n120,30,0.3,0.6\n"
TWO_CLASSES = "throughput[a],throughput[b],utilization[cpu]\n1,2,0.5\n2,1,0.4\n3,3,0.9\n"
PROMETHEUS = """{"status": "success", "data": {"resultType": "matrix", "result": [
 {"metric": {"class": "a"}, "values": [[0, "10"], [60, "20.5"]]},
 {"metric": {"station": "cpu"}, "values": [[0, "0.1"], [60, "0.25"]]}]}}"""
TABLE_OF_MODEL = "step,size\n1,4\n2,8 kB\n3,15\n"
TABLES_OF_MODEL = 'size = [4, 8, "15 kB"]\nother = "a"\n'
