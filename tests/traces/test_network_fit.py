"""Laws of measured networks: pieces are found, a platform replays what was measured, intervals enclose it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.traces.mpi_programs import SAMPLES, needs_mpi, needs_simgrid, program, simgrid_seconds

from apet import api
from apet.cli.main import main
from apet.cli.trace_calibrate import volumes_in
from apet.ground.diagnostics import ApetError
from apet.traces.mpi import Order, rates
from apet.traces.mpi.network import HEADER, NetworkFit, fit, read_samples, sizes_to_measure
from apet.traces.mpi.platform_text import enclosing_line, machine_toml, platform_xml
from apet.traces.mpi.rates import Rate

SIZES = sizes_to_measure(1 << 22, 50)
RATE = Rate(1e9, 0.8e9, 1.2e9, 3, 1.0)


def pieces(cuts: list[int], fixed: list[float], rates: list[float]) -> list[tuple[int, float]]:
    def seconds(size: int) -> float:
        k = sum(size > cut for cut in cuts)
        return fixed[k] + (size + HEADER) / rates[k]

    return [(size, seconds(size)) for size in SIZES]


THREE = pieces([1000, 60_000], [2e-6, 9e-6, 80e-6], [1e9, 0.4e9, 4e9])


def test_sizes_grow_evenly_up_to_the_largest() -> None:
    assert SIZES[0] == 1
    assert SIZES[-1] == 1 << 22
    assert sorted(set(SIZES)) == SIZES


def test_pieces_are_found_where_they_are() -> None:
    found = fit(THREE)
    assert len(found.pieces) == 3
    assert found.error < 1e-9
    assert [p.per_byte for p in found.pieces] == pytest.approx([1e-9, 2.5e-9, 0.25e-9])
    assert found.latency == pytest.approx(2e-6)
    assert found.bandwidth == pytest.approx(4e9)


def test_breaks_that_are_given_are_taken() -> None:
    assert len(fit(THREE, [1000]).pieces) == 2
    assert len(fit(THREE, []).pieces) == 1


noise = st.lists(st.floats(0.8, 1.25), min_size=len(SIZES), max_size=len(SIZES))


@settings(max_examples=20)
@given(noise)
def test_noise_moves_the_fit_no_more_than_itself_and_intervals_enclose_it(factors: list[float]) -> None:
    noisy = [(n, t * f) for (n, t), f in zip(THREE, factors, strict=True)]
    found = fit(noisy)
    assert len(found.pieces) <= len(SIZES) // 4
    assert all(p.fixed >= 0 and p.per_byte >= 0 for p in found.pieces)
    assert found.error < 0.5
    latency, bandwidth = enclosing_line(found)
    for size, seconds in noisy:
        assert latency[0] + size / bandwidth[1] <= seconds * (1 + 1e-9)
        assert seconds <= (latency[1] + size / bandwidth[0]) * (1 + 1e-9)


def written(tmp_path: Path, network: NetworkFit) -> Path:
    path = tmp_path / "p.xml"
    path.write_text(platform_xml(RATE, network, 2, 1, ["measured -- by: a test"]))
    return path


def test_the_spread_of_a_calibration_is_in_the_interval(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    network, trace = fit(THREE), tmp_path / "t.txt"
    trace.write_text(
        "0 init\n0 compute 1e8\n0 send 1 0 100000 6\n0 finalize\n1 init\n1 recv 0 0 100000 6\n1 finalize\n"
    )
    call = ["trace", "predict", str(trace), "--platform", str(written(tmp_path, network)), "--json"]
    assert main(call) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["lower_s"] <= 0.1 / 1.2 * 1.02
    assert found["upper_s"] >= 0.1 / 0.8
    assert main([*call, "--set", "speed=1"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert 0.099 <= found["lower_s"] <= found["upper_s"] <= 0.11


@needs_simgrid
def test_simgrid_reads_a_platform_with_a_spread(tmp_path: Path) -> None:
    network, hosts = fit(THREE), tmp_path / "hosts"
    path = written(tmp_path, network)
    hosts.write_text("host-0\nhost-1\n")
    platform, places = api.read_platform(path)
    true = api.replay(message(tmp_path, 70_000), platform, places).makespan_s
    assert simgrid_seconds(message(tmp_path, 70_000), 2, path, hosts) == pytest.approx(true, abs=2e-6)


def message(tmp_path: Path, size: int) -> Path:
    path = tmp_path / "m.txt"
    path.write_text(f"0 init\n0 send 1 0 {size} 6\n0 finalize\n1 init\n1 recv 0 0 {size} 6\n1 finalize\n")
    return path


@pytest.mark.parametrize("size", [1, 500, 5000, 50_000, 70_000, 1_000_000])
def test_a_platform_replays_what_was_measured(size: int, tmp_path: Path) -> None:
    network = fit(THREE)
    platform, hosts = api.read_platform(written(tmp_path, network))
    found = api.replay(message(tmp_path, size), platform, hosts).makespan_s
    assert found == pytest.approx(network.seconds(size), rel=1e-4)


@pytest.mark.parametrize("size", [500, 1_000_000])
def test_a_platform_is_corrected_by_what_undisturbed_runs_take_longer(size: int, tmp_path: Path) -> None:
    network, path = fit(THREE), tmp_path / "p.xml"
    path.write_text(platform_xml(RATE, network, 2, 1, [], (1.2, 1.25)))
    platform, hosts = api.read_platform(path)
    seconds = api.replay(message(tmp_path, size), platform, hosts).makespan_s
    assert seconds == pytest.approx(network.seconds(size) * 1.5**0.5, rel=1e-4)
    assert platform.ranges["speed"][1] / platform.ranges["speed"][0] == pytest.approx(
        1.08 / 0.76 * 1.25 / 1.2, rel=1e-3
    )


@pytest.mark.parametrize(
    ("times", "runs", "elapsed"),
    [
        ([1.0, 1.02, 1.01, 5.0], 3, (1.0, 1.02)),
        ([4.0, 1.0, 3.0, 2.0, 1.02, 9.0, 1.01, 5.0], 7, (1.0, 1.02)),
        ([float(2**k) for k in range(40)], rates.MOST_RUNS, (1.0, 4.0)),
    ],
)
def test_runs_go_on_until_the_shortest_agree(
    times: list[float], runs: int, elapsed: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    left = iter(times)
    recorded = rates.TotalVolumes([3e9], {}), rates.TotalVolumes([1e9], {})

    def acquired(order: Order) -> tuple[rates.TotalVolumes, SimpleNamespace]:
        return recorded[1], SimpleNamespace(parts=[SimpleNamespace(seconds=next(left))])

    monkeypatch.setattr(rates, "acquire_volumes", acquired)
    rate = rates.measure_rate(Order(("program",), 1), recorded[0], runs=3)
    assert (rate.runs, rate.elapsed, rate.per_second) == (runs, elapsed, 3e9)


def test_what_libraries_sleep_is_not_time_of_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.txt"
    path.write_text(
        "# volumes: instructions; libraries sleep for their CPU time\n0 compute 3e9\n0 sleep 0.5\n0 sleep 0.25\n"
    )
    volumes = volumes_in(str(path))
    assert volumes.asleep == [0.75]

    run = SimpleNamespace(parts=[SimpleNamespace(seconds=1.0)])
    monkeypatch.setattr(rates, "acquire_volumes", lambda order: (rates.TotalVolumes([1e9], {}), run))
    assert rates.measure_rate(Order(("program",), 1), volumes, runs=3).per_second == 12e9


@needs_simgrid
@pytest.mark.parametrize("size", [500, 70_000, 4_000_000])
def test_simgrid_replays_what_was_measured(size: int, tmp_path: Path) -> None:
    network = fit(THREE)
    hosts = tmp_path / "hosts"
    hosts.write_text("host-0\nhost-1\n")
    found = simgrid_seconds(message(tmp_path, size), 2, written(tmp_path, network), hosts)
    assert found == pytest.approx(network.seconds(size), rel=1e-4, abs=1.5e-6)


def test_the_machine_file_is_one(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text(machine_toml(RATE, fit(THREE), 4, 1, ["measured by: a test", 'program: "x" \\ y']))
    machines = api.load_machines(path)
    assert machines.operations == {"flop"}


@pytest.mark.parametrize("text", ["", "1 2 3\n" * 9, "x 1\n", "1 -1\n", "1 1e-6\n" * 20, "1 inf\n"])
def test_measurements_that_cannot_be_used_are_told(text: str) -> None:
    with pytest.raises(ApetError, match="cannot be used"):
        read_samples(text)


@needs_mpi
def test_calibrating_writes_a_platform(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    counting, plain = program(SAMPLES / "cg.c"), program(SAMPLES / "cg.c", counting=False)
    trace, measured, platform = (str(tmp_path / name) for name in ("t.txt", "pp.txt", "p.xml"))
    Path(measured).write_text("".join(f"{n} {t:.9g}\n" for n, t in THREE))
    call = ["-n", "2", "--runs", "2", "--pingpong", measured, "-o", platform, "--machine", str(tmp_path / "m.toml")]
    assert main(["trace", "acquire", "-n", "2", "-o", trace, "--", counting, "20000", "5"]) == 0
    assert main(["trace", "calibrate", *call, "--trace", trace, "--json", "--", plain, "20000", "5"]) == 0
    found = json.loads(capfd.readouterr().out.partition("\n")[2])
    assert found["speed_by_rank_per_s"][0] <= found["speed_by_rank_per_s"][1]
    assert 1e8 < found["speed_per_s"] < 1e12
    assert len(found["pieces"]) == 3
    assert api.replay(trace, *api.read_platform(platform)).makespan_s > 0
    assert "piece above 0 bytes" in Path(platform).read_text()
    assert main(["trace", "calibrate", *call, "--trace", trace, "-n", "3", "--", plain, "20000", "5"]) == 2
    assert "-n 3: it should be 2" in capfd.readouterr().err


@needs_mpi
def test_a_network_is_measured(tmp_path: Path) -> None:
    plain = program(SAMPLES / "cg.c", counting=False)
    platform, saved = tmp_path / "p.xml", tmp_path / "pp.txt"
    call = [
        "-n",
        "2",
        "--runs",
        "1",
        "--most",
        "4096",
        "--sizes",
        "10",
        "-o",
        str(platform),
        "--save-pingpong",
        str(saved),
    ]
    assert main(["trace", "calibrate", *call, "--", plain, "2000", "2"]) == 0
    samples = read_samples(saved.read_text())
    assert samples[0][0] == 1
    assert samples[-1][0] == 4096
    [speed] = re.findall(r'speed="(.*?)f"', platform.read_text())
    assert float(speed) == 1e9 or "instructions" in platform.read_text()  # else nanoseconds of CPU time
