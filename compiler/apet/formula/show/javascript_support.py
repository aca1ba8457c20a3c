"""The small functions that generated JavaScript needs around its expressions."""

from __future__ import annotations

SUPPORT = {
    "once": """const once = (make) => {
  // what is not needed is not computed
  let made;
  return () => (made === undefined ? (made = make()) : made);
};""",
    "product": """const product = (...factors) => {
  // 0 times what has no value is 0
  let result = 1, reason;
  for (const factor of factors) {
    try {
      const value = factor();
      if (value === 0) return 0;
      result *= value;
    } catch (error) {
      if (error instanceof RangeError) throw error;
      reason = error;
    }
  }
  if (reason) throw reason;
  return result;
};""",
    "total": """const total = (terms) => terms.reduce((sum, term) => sum + term, 0);""",
    "greatest": """const greatest = (values) => values.reduce((best, value) => (value > best ? value : best));""",
    "least": """const least = (values) => values.reduce((best, value) => (value < best ? value : best));""",
    "power": """const power = (base, exponent) => Math.pow(base, exponent);""",
    "same": """const same = (a, b) => Math.abs(a - b) <= 1e-13 * Math.max(Math.abs(a), Math.abs(b));""",
    "atMost": """const atMost = (a, b) => Number(a <= b || same(a, b));""",
    "below": """const below = (a, b) => Number(a < b && !same(a, b));""",
    "equal": """const equal = (a, b) => Number(same(a, b));""",
    "unequal": """const unequal = (a, b) => Number(!same(a, b));""",
    "nearly": """const nearly = (x) => {
  // the integer that a double stands for, or the double
  const near = Math.round(x);
  return Math.abs(x - near) <= 1e-13 * Math.max(1, Math.abs(x)) ? near : x;
};""",
    "floor": """const floor = (x) => Math.floor(nearly(x));""",
    "ceil": """const ceil = (x) => Math.ceil(nearly(x));""",
    "mod": """const mod = (left, right) => {
  if (Number.isInteger(left) && Number.isInteger(right)) return ((left % right) + right) % right;
  return left - right * floor(left / right);
};""",
    "each": """const each = (low, high, act) => {
  const last = floor(high);
  for (let k = ceil(low); k <= last; k++) {
    if (++turns > most) throw new RangeError("too many turns of loops");
    act(k);
  }
};""",
    "sumOver": """const sumOver = (low, high, body) => {
  // with Neumaier's compensation
  let sum = 0, lost = 0;
  each(low, high, (k) => {
    const term = body(k), next = sum + term;
    lost += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
    sum = next;
  });
  return Number.isFinite(lost) ? sum + lost : sum;
};""",
    "maxOver": """const maxOver = (low, high, body) => {
  let best = 0;
  each(low, high, (k) => { const value = body(k); if (value > best) best = value; });
  return best;
};""",
    "minOver": """const minOver = (low, high, body) => {
  let best = Infinity;
  each(low, high, (k) => { const value = body(k); if (value < best) best = value; });
  return best;
};""",
    "gather": """const gather = (loads) => {
  // per member of a resource family: total load, least head, least tail, whether it is used in every run
  const uses = new Map();
  loads((member, load, head, tail, certain) => {
    const key = member.join();
    let old = uses.get(key);
    if (!old) uses.set(key, (old = { member, load: 0, head: Infinity, tail: Infinity, certain: false }));
    old.load += load;
    old.head = Math.min(old.head, head);
    old.tail = Math.min(old.tail, tail);
    old.certain ||= certain;
  });
  return uses;
};""",
    "peak": """const peak = (loads, servers) => {
  let best = 0;
  for (const { member, load, head, tail, certain } of gather(loads).values()) {
    if (certain || load > 0) best = Math.max(best, head + load / servers(...member) + tail);
  }
  return best;
};""",
    "others": """const others = (own, everyone, servers) => {
  const theirs = gather(everyone);
  let sum = 0;
  for (const [key, mine] of gather(own)) {
    const all = theirs.get(key);
    if (all && all.load !== mine.load) sum += (all.load - mine.load) / servers(...mine.member);
  }
  return sum;
};""",
}
"""The small functions that a generated function may need, in the order in which they are put into it."""

NEEDED_BY = {
    "atMost": ("same",),
    "below": ("same",),
    "equal": ("same",),
    "unequal": ("same",),
    "floor": ("nearly",),
    "ceil": ("nearly",),
    "mod": ("floor", "nearly"),
    "each": ("floor", "ceil", "nearly"),
    "sumOver": ("each", "floor", "ceil", "nearly"),
    "maxOver": ("each", "floor", "ceil", "nearly"),
    "minOver": ("each", "floor", "ceil", "nearly"),
    "peak": ("gather",),
    "others": ("gather",),
}
