"""Efficiencies of a run: products of each other, and equal to what their definitions say."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.traces.random_traces import random_case, written

from apet import api
from apet.traces.critical.efficiency import efficiency, ideal

PLATFORM = """<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<config><prop id="smpi/lat-factor" value="1"/></config>
<cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" bw="1e12Bps" lat="5ms"/>
</platform>
"""


@pytest.mark.parametrize("seed", range(20))
def test_each_is_the_product_of_its_parts_and_all_of_them_the_share_of_computing(seed: int, tmp_path: Path) -> None:
    trace, platform_file, hosts_file = written(random_case(seed), tmp_path)
    platform, hosts = api.read_platform(platform_file, hosts_file)
    replayed = api.replay(trace, platform, hosts)
    found = efficiency(replayed, api.replay(trace, ideal(platform), hosts))

    computed = [rank.compute_s for rank in replayed.ranks]
    if not any(computed):
        assert found is None
        return
    assert found is not None
    assert found.parallel == pytest.approx(sum(computed) / len(computed) / replayed.makespan_s, rel=1e-12)
    assert found.communication == pytest.approx(max(computed) / replayed.makespan_s, rel=1e-12)
    assert found.parallel == pytest.approx(found.load_balance * found.serialization * found.transfer, rel=1e-12)
    assert 0 < found.load_balance <= 1
    assert 0 < found.serialization <= 1 + 1e-9


def test_ranks_that_take_turns_lose_by_order_and_the_way_by_transfer(tmp_path: Path) -> None:
    # rank 0 computes 10 ms, tells rank 1 (10 ms on the way), which computes 10 ms
    (tmp_path / "t.txt").write_text("0 compute 10000000\n0 send 1 0 0 6\n1 recv 0 0 0 6\n1 compute 10000000\n")
    (tmp_path / "p.xml").write_text(PLATFORM)
    platform, hosts = api.read_platform(tmp_path / "p.xml")
    found = efficiency(*(api.replay(tmp_path / "t.txt", p, hosts) for p in (platform, ideal(platform))))

    assert found is not None
    assert found.load_balance == pytest.approx(1.0)
    assert found.serialization == pytest.approx(0.5, rel=1e-6)
    assert found.transfer == pytest.approx(2 / 3, rel=1e-5)
