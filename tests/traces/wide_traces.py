"""More random cases for `random_traces`: more ranks, shapes of platforms, collectives, and orders of requests."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.traces.random_traces import Case

SIZES = (0, 1, 3, 4, 100, 511, 512, 1023, 1024, 9000, 40_000, 65_535, 65_536, 200_000, 262_143, 262_144, 1_500_000)
RANKS = (2, 3, 4, 6, 7, 8, 12, 13, 16, 17, 20, 24, 32, 33)
CODES = {0: 8, 1: 4, 3: 2, 6: 1, -1: 0}
HEAD = '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n<platform version="4.1">\n'
Lines = list[list[str]]


def wide_case(seed: int) -> Case:
    """The case of a seed."""
    random = Random(seed)
    ranks = random.choice(RANKS)
    inside, names = _platform(random)
    hosts = random.sample(names, min(len(names), random.choice((ranks, ranks, (ranks + 1) // 2, (ranks + 2) // 3))))
    if random.random() < 0.15:
        hosts += hosts[:1]
    return Case(_trace(random, ranks), f"{HEAD}{inside}\n</platform>\n", "".join(f"{h}\n" for h in hosts), ranks)


def _platform(random: Random) -> tuple[str, list[str]]:
    kind = random.choice(("flat", "torus", "tree", "clusters", "Full", "Floyd", "Dijkstra"))
    if kind == "clusters":
        return _clusters(random), [f"{p}{k}" for p in "abc" for k in range(6)]
    if kind in ("Full", "Floyd", "Dijkstra"):
        return _zone(random, kind), [f"n{k}" for k in range(8)]
    shapes = {
        "flat": [("", 20)],
        "torus": [("5", 5), ("3,4", 12), ("2,2,2,2", 16), ("1,6,2", 12), ("4,4", 16)],
        "tree": [("2;4,4;1,2;1,2", 16), ("1;12;1;1", 12), ("2;3,4;2,2;2,1", 12), ("3;2,2,3;1,2,2;1,3,1", 12)],
    }
    shape, number = random.choice(shapes[kind])
    topology = {"flat": "FLAT", "torus": "TORUS", "tree": "FAT_TREE"}[kind]
    return _cluster(random, "n", number, topology, shape), [f"n{k}" for k in range(number)]


def _cluster(random: Random, prefix: str, number: int, topology: str = "FLAT", shape: str = "") -> str:
    bandwidth, latency = random.choice((0.125, 1, 10)), random.choice((0.5, 10, 100))
    text = f'<cluster id="{prefix}c" prefix="{prefix}" suffix="" radical="0-{number - 1}"'
    text += f' speed="{random.choice((0.5, 1, 3))}Gf" core="{random.choice((1, 1, 2, 4))}" bw="{bandwidth}GBps"'
    text += f' lat="{latency}us" sharing_policy="{random.choice(("SPLITDUPLEX", "SPLITDUPLEX", "SHARED"))}"'
    if shape:
        text += f' topology="{topology}" topo_parameters="{shape}"'
    elif random.random() < 0.6:
        kind = random.choice(("SHARED", "FATPIPE"))
        backbone = random.choice((0.5, 1, 2)) * bandwidth
        text += f' bb_bw="{backbone}GBps" bb_lat="{random.choice((0, 1))}us" bb_sharing_policy="{kind}"'
    if random.random() < 0.1:
        text += f' limiter_link="{random.choice((0.5, 1.5)) * bandwidth}GBps"'
    if shape or random.random() < 0.4:  # SimGrid knows no way from such a host to itself
        text += f' loopback_bw="{random.choice((1, 5)) * bandwidth}GBps" loopback_lat="{random.choice((0, 0.2))}us"'
    return text + "/>"


def _clusters(random: Random) -> str:
    """Three clusters, two by two over links of their own, or around one that all share; or in a row."""
    parts = [_cluster(random, prefix, 6) for prefix in "abc"]
    routing, shared = random.choice(("Full", "Floyd", "Dijkstra")), random.random() < 0.5
    pairs = ("ab", "ac", "bc") if routing == "Full" or random.random() < 0.3 else ("ab", "bc")
    for name in ["w"] if shared else [f"w{pair}" for pair in pairs]:
        kind, far, bandwidth = random.choice(("SHARED", "FATPIPE")), random.choice((50, 3000)), random.choice((0.1, 1))
        parts.append(f'<link id="{name}" bandwidth="{bandwidth}GBps" latency="{far}us" sharing_policy="{kind}"/>')
    for source, target in map(tuple, pairs):
        gateways = f'gw_src="{source}{source}c_router" gw_dst="{target}{target}c_router"'
        way = f'<link_ctn id="{"w" if shared else f"w{source}{target}"}"/>'
        parts.append(f'<zoneRoute src="{source}c" dst="{target}c" {gateways}>{way}</zoneRoute>')
    return f'<zone id="top" routing="{routing}">\n' + "\n".join(parts) + "</zone>"


def _zone(random: Random, routing: str) -> str:
    """Eight hosts: a link for every two of them, or a ring with some chords."""
    parts = [f'<host id="n{k}" speed="{random.choice((1, 2))}Gf" core="{random.choice((1, 2))}"/>' for k in range(8)]
    pairs = [(i, j) for i in range(8) for j in range(i)]
    if routing != "Full":
        ring = [(i, (i + 1) % 8) for i in range(8)]
        pairs = ring + random.sample([p for p in pairs if p not in ring and p[::-1] not in ring], 3)
    number = random.choice((3, len(pairs))) if routing == "Full" else len(pairs)  # few links: shared by many routes
    for k in range(number):
        policy = random.choice(("SHARED", "SHARED", "FATPIPE", "SPLITDUPLEX"))
        bandwidth, latency = random.choice((0.125, 1, 10)), random.choice((0, 1, 10, 300))
        parts.append(f'<link id="l{k}" bandwidth="{bandwidth}GBps" latency="{latency}us" sharing_policy="{policy}"/>')
    split = {k for k in range(number) if "SPLITDUPLEX" in parts[8 + k]}
    for at, (i, j) in enumerate(pairs):
        used = {at % number} if routing != "Full" else {at % number, random.randrange(number)}
        ways = {k: ' direction="UP"' if k in split else "" for k in used}
        way = "".join(f'<link_ctn id="l{k}"{direction}/>' for k, direction in ways.items())
        parts.append(f'<route src="n{i}" dst="n{j}">{way}</route>')
    return f'<zone id="top" routing="{routing}">\n' + "\n".join(parts) + "</zone>"


def _trace(random: Random, ranks: int) -> str:
    lines: Lines = [["init"] for _ in range(ranks)]
    few = ranks > 16
    for step in range(random.randrange(2, 6 if few else 12)):
        kind = random.random()
        if kind < 0.2:
            for mine in lines:
                if random.random() < 0.8:
                    mine.append(f"compute {random.choice((1e3, 2e5, 3e6, 2.5e7)) * random.random():.6f}")
        elif kind < 0.25:
            lines[random.randrange(ranks)].append(f"sleep {random.random() / 1000:.6f}")
        elif kind < 0.55:
            _exchange(random, lines, step)
        elif kind < 0.65:
            _sendrecv(random, lines)
        else:
            _collective(random, lines)
    for mine in lines:
        mine.append("finalize")
    return "".join(f"{r} {action}\n" for r, mine in enumerate(lines) for action in mine)


def _sendrecv(random: Random, lines: Lines) -> None:
    """A permutation of the ranks, each message of a size of its own."""
    ranks = len(lines)
    target = random.sample(range(ranks), ranks)
    source = {t: r for r, t in enumerate(target)}
    sizes = [random.choice(SIZES) for _ in range(ranks)]
    for r, mine in enumerate(lines):
        mine.append(f"sendRecv {sizes[r]} {target[r]} {sizes[source[r]]} {source[r]} 6 6")


def _exchange(random: Random, lines: Lines, step: int) -> None:
    """Blocking messages one after the other; or all requests are posted, some work done, and each rank waits for them
    in an order of its own, or for all."""
    ranks = len(lines)
    if random.random() < 0.3:
        for _ in range(random.randrange(1, 6)):
            source, target = random.sample(range(ranks), 2)
            count, code = random.choice(SIZES[:14]), random.choice(list(CODES))
            lines[source].append(f"{random.choice(('send', 'isend'))} {target} {step} {count} {code}")
            lines[target].append(f"recv {source} {step} {count} {code}")
            if "isend" in lines[source][-1]:
                lines[source].append(f"wait {source} {target} {step}")
        return
    tags = [step, step + 100] if random.random() < 0.3 else [step]
    pool = [(random.randrange(ranks), random.randrange(ranks)) for _ in range(random.choice((1, ranks, 2 * ranks)))]
    posted = [(*random.choice(pool), random.choice(tags), random.choice(SIZES)) for _ in pool]
    waits: Lines = [[] for _ in range(ranks)]
    for source, target, tag, size in posted:
        lines[target].append(f"irecv {source} {tag} {size} 6")
        lines[source].append(f"isend {target} {tag} {size} 6")
        for r in (source, target):
            waits[r].append(f"wait {source} {target} {tag}")
    for mine, own in zip(lines, waits, strict=True):
        if random.random() < 0.4:
            mine.append(f"compute {3e6 * random.random():.6f}")
        random.shuffle(own)
        mine += own if random.random() < 0.6 else ["waitall"]


def _collective(random: Random, lines: Lines) -> None:
    ranks = len(lines)
    size, root, flops = random.choice(SIZES[:16]), random.randrange(ranks), random.choice((0, 1e5))
    code = random.choice((1, 6))
    unequal = [random.choice((0, 1, 500, 20_000, 70_000)) for _ in range(ranks)]
    sizes = [random.choice(SIZES[:13]) for _ in range(ranks)]
    listed, table = " ".join(map(str, sizes)), [[random.choice(SIZES[:12]) for _ in range(ranks)] for _ in range(ranks)]
    if random.random() < 0.3:
        table = [[0 if random.random() < 0.7 else n for n in row] for row in table]
    column = [" ".join(str(row[r]) for row in table) for r in range(ranks)]
    forms: dict[str, Callable[[int], str]] = {
        "barrier": lambda r: "barrier",
        "bcast": lambda r: f"bcast {size} {root} {code}",
        "reduce": lambda r: f"reduce {size} {flops} {root} {code}",
        "allreduce": lambda r: f"allreduce {size} {flops} {code}",
        "scan": lambda r: f"scan {size} {flops} {code}",
        "exscan": lambda r: f"exscan {size} {flops} {code}",
        "gather": lambda r: f"gather {size} {size} {root} {code} {code}",
        "scatter": lambda r: f"scatter {size} {size} {root} {code} {code}",
        "allgather": lambda r: f"allgather {size} {size} {code} {code}",
        "alltoall": lambda r: f"alltoall {size} {size} 6 6",
        "alltoall of a threshold": lambda r: f"alltoall {size} {size} 6 6",
        "gatherv": lambda r: f"gatherv {sizes[r]} {listed} {root} 6 6",
        "scatterv": lambda r: f"scatterv {listed} {sizes[r]} {root} 6 6",
        "allgatherv": lambda r: f"allgatherv {sizes[r]} {listed} 6 6",
        "alltoallv": lambda r: (
            f"alltoallv {sum(table[r])} {' '.join(map(str, table[r]))} {sum(t[r] for t in table)} {column[r]} 6 6"
        ),
        "reducescatter": lambda r: f"reducescatter {' '.join([str(min(size, 40_000))] * ranks)} {flops} {code}",
        "unequal reducescatter": lambda r: f"reducescatter {' '.join(map(str, unequal))} {flops} {code}",
    }
    form = forms[random.choice(list(forms))]
    for r, mine in enumerate(lines):
        mine.append(form(r))
