// Machine configurations: the P fastest machines, what anything costs on them, how tasks are dealt.
"use strict";

const Apet = {};

// The processors of a configuration: groups in file order with their first and last number.
Apet.configure = (machines, P) => {
  const counts = machines.groups.map(() => 0);
  let wanted = P;
  const order = machines.groups.map((_, k) => k).sort((a, b) => machines.groups[b].factor - machines.groups[a].factor || a - b);
  for (const k of order) {
    counts[k] = Math.min(wanted, machines.groups[k].count);
    wanted -= counts[k];
  }
  const groups = [];
  let first = 1;
  machines.groups.forEach((group, k) => {
    if (counts[k]) {
      groups.push({ first, last: first + counts[k] - 1, number: counts[k], weight: BigInt(group.weight), group });
      first += counts[k];
    }
  });
  return { P, groups };
};

Apet.groupOf = (machines, configuration, p) => {
  if (p === 0) return machines.coordinator;
  const used = configuration.groups.find((g) => p <= g.last);
  if (!Number.isInteger(p) || p < 0 || !used) throw new RangeError(`there is no processor ${p}`);
  return used.group;
};

// Hamilton's method over groups of equal processors: [tasks, how many have one more] for each group.
Apet.dealtStatically = (groups, tasks) => {
  const total = groups.reduce((sum, g) => sum + BigInt(g.number) * g.weight, 0n);
  const floors = groups.map((g) => (tasks * g.weight) / total);
  const rests = groups.map((g) => (tasks * g.weight) % total);
  let left = tasks - groups.reduce((sum, g, k) => sum + BigInt(g.number) * floors[k], 0n);
  const more = groups.map(() => 0n);
  const order = groups.map((_, k) => k).sort((a, b) => (rests[a] === rests[b] ? a - b : rests[a] > rests[b] ? -1 : 1));
  for (const k of order) {
    more[k] = left < BigInt(groups[k].number) ? left : BigInt(groups[k].number);
    left -= more[k];
  }
  return floors.map((floor, k) => [floor, more[k]]);
};

Apet.staticShares = (groups, tasks) => {
  const shares = [];
  Apet.dealtStatically(groups, tasks).forEach(([floor, more], k) => {
    for (let n = 0; n < groups[k].number; n++) shares.push(Number(n < more ? floor + 1n : floor));
  });
  return shares;
};

// Half of the tasks statically, each other one to the processor that is free first; ties to the smaller number.
Apet.joinShares = (groups, tasks) => {
  const half = Apet.dealtStatically(groups, tasks / 2n);
  const processors = BigInt(groups.reduce((sum, g) => sum + g.number, 0));
  const total = groups.reduce((sum, g) => sum + BigInt(g.number) * g.weight, 0n);
  const level = tasks - processors < tasks / 2n ? 0n : tasks - processors;
  const held = [];
  groups.forEach((g, k) => {
    const begun = (level * g.weight + total - 1n) / total;
    for (let n = 0; n < g.number; n++) {
      const dealt = n < half[k][1] ? half[k][0] + 1n : half[k][0];
      held.push({ tasks: begun > dealt ? begun : dealt, weight: g.weight, at: held.length });
    }
  });
  let left = tasks - held.reduce((sum, h) => sum + h.tasks, 0n);
  const before = (a, b) => {
    const mine = a.tasks * b.weight, theirs = b.tasks * a.weight;
    return mine < theirs || (mine === theirs && a.at < b.at);
  };
  const heap = [...held].sort((a, b) => (before(a, b) ? -1 : 1));
  for (; left > 0n; left--) {
    heap[0].tasks += 1n;
    let k = 0;
    for (;;) {
      let least = k;
      for (const child of [2 * k + 1, 2 * k + 2]) if (child < heap.length && before(heap[child], heap[least])) least = child;
      if (least === k) break;
      [heap[k], heap[least]] = [heap[least], heap[k]];
      k = least;
    }
  }
  return held.map((h) => Number(h.tasks));
};

Apet.shares = (configuration, tasks, schedule) => {
  if (!(tasks >= 0)) throw new RangeError(`${tasks} tasks cannot be dealt`);
  const whole = BigInt(Math.floor(tasks));
  return (schedule === "join" ? Apet.joinShares : Apet.staticShares)(configuration.groups, whole);
};

// The quantities of a formula at one end ("tmin" or "tmax") of the operation times.
Apet.quantities = (machines, configuration, parameters, end, names, dealt) => {
  const k = end === "tmin" ? 0 : 1;
  const group = (p) => Apet.groupOf(machines, configuration, p);
  const link = (from, to) => {
    let figures = machines.network; // the last link that covers both ends counts, each of its figures by itself
    for (const l of machines.network.links) {
      if ((l.sender === "*" || l.sender === from.name) && (l.receiver === "*" || l.receiver === to.name)) {
        figures = { latency: l.latency || figures.latency, bandwidth: l.bandwidth || figures.bandwidth };
      }
    }
    return figures;
  };
  const sharesOf = (tasks) => {
    if (!dealt.has(tasks)) dealt.set(tasks, Apet.shares(configuration, tasks, machines.schedule));
    return dealt.get(tasks);
  };
  const special = {
    t_send: (p, q, size) => {
      const from = group(p), to = group(q);
      if (p === q) return 0;
      const { latency, bandwidth } = link(from, to);
      return latency[k] + size / bandwidth[1 - k];
    },
    share: (p, m) => {
      const tasks = sharesOf(m === undefined ? parameters.tasks : Math.floor(m))[p - 1];
      if (tasks === undefined) throw new RangeError(`there is no processor ${p}`);
      return tasks;
    },
    cores: (p) => group(p).cores,
  };
  const plain = (name) => {
    const seconds = (g) => {
      const ends = g.times[name.slice(2)];
      if (!ends) throw new RangeError(`no time of ${name}`);
      return ends[k];
    };
    // times by number, so that a loop over processors only looks them up
    const table = [seconds(machines.coordinator)];
    for (const g of configuration.groups) for (let p = g.first; p <= g.last; p++) table.push(seconds(g.group));
    return (p) => {
      const time = table[p];
      if (time === undefined) throw new RangeError(`there is no processor ${p}`);
      return time;
    };
  };

  const quantities = Object.create(null);
  for (const name of names) quantities[name] = special[name] || plain(name);
  return quantities;
};

// All roots of the formulas at both ends, with defaults put in: { tmin: […], tmax: […], parameters }.
Apet.evaluate = (data, values) => {
  const parameters = Object.assign(Object.create(null), values);
  for (const [name, compute] of Apet.defaults) {
    if (!(name in parameters)) parameters[name] = compute(parameters, Object.create(null), data.most)[0];
  }
  const configuration = Apet.configure(data.machines, parameters.P);
  const dealt = new Map();
  const result = { parameters };
  for (const end of ["tmin", "tmax"]) {
    const quantities = Apet.quantities(data.machines, configuration, parameters, end, data.quantities, dealt);
    result[end] = Apet.costs(parameters, quantities, data.most);
  }
  return result;
};
