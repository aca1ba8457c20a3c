"""A program that uses every public function: never run, but read by mypy, for which nothing in it may be `Any`."""

# mypy: disallow-any-expr

from __future__ import annotations

import apet

app = apet.compile("samples/pamela/pi.pam")
text = apet.compile_text("param workers = 2; L = delay(workers);")
runs_model = apet.load_model("samples/runs/kmeans.json")
lab = apet.load_machines("join-2005")
translation = apet.translate("samples/java/Sum.java")
print(app.T_total)
print(translation.text)

prediction = apet.predict(app, lab, P=32, values={"n": 10**9}, q=0.5)
print(prediction.estimate.lo)
print(apet.predictor(app, lab).predict(4, {"n": 10}).dominant)
print(apet.quantiles(app, lab, 4, values={"n": (1, 2)}).quantities)
print(apet.simulate(app, lab, 4, values={"n": 1000}).makespan)

print(apet.explain(app, lab, P=4, values={"n": "1e9"}).tmax.elasticities)
print(apet.solve(app, lab, 60, "n", values={"q": 0.5}, within=(1, 100)).enough_from)
print(apet.compare((app, lab), (text, lab), [2], values={"n": 3}).pairs)
print(apet.regions(app, lab, {"n": (1, 100)}).terms)
print(apet.sweep(app, lab, {"P": [1, 2]}, values={"n": 3}).best)
print(apet.report_page(app, lab, values={"n": 3}))

runs = apet.read_runs("samples/runs/kmeans.json")
print(apet.extrapolate(runs.curve, [1000.0]).predictions)
experiment = apet.read_experiment("samples/runs/nbody.csv", parameters=("n", "P")).experiment
print(apet.fit_surface(experiment, [(8192, 64)]).predictions)
file = apet.read_queue("samples/queueing/terminals.toml")
print(apet.queue(file.problem))
print(apet.queue_formulas(file.problem).formulas)
print(apet.predict_jobs("samples/joblogs/nightly.json", [8, 16]).predictions)

trace = apet.read_trace("samples/traces/ring.txt")
platform, hosts = apet.read_platform("samples/traces/cluster.xml")
print(apet.convert_trace("samples/traces/ring.txt").events)
print(apet.check_trace(trace).findings)
print([gap.text for gap in apet.trace_gaps("samples/traces/ring.txt")])
print(apet.replay(trace, platform, hosts).makespan_s)
print(apet.flat_trace("samples/traces/ring.txt").name)
print(apet.trace_bounds(trace, platform, hosts).upper_s)
print(apet.replay(apet.side_by_side([apet.flat_trace("samples/traces/ring.txt")] * 2), platform, hosts).messages)
print(apet.replay_many("samples/traces/ring.txt", ["samples/traces/cluster.xml"], {"latency": [1, 2]}).points)
print(apet.replay_by_site("samples/traces/ring.txt", platform, hosts)[1])
print(apet.compile_trace(trace, platform, hosts).lower)
print(apet.explain_trace(trace, platform, hosts).length_s)
print(apet.fold_trace(trace).kinds)
print(apet.trace_sites("samples/traces/ring.txt").at(0, 1))
model = apet.trace_model(["samples/traces/ring.txt"])
print(apet.extrapolate_trace(model, {"P": 4}).ranks)
