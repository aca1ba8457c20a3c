// Pictures that are drawn in the page: intervals against one quantity, and which term is the greatest where.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const UNITS = [[3600, "h"], [1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]];

Apet.element = (name, attributes, parent, text) => {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  if (parent) parent.append(node);
  return node;
};

Apet.unit = "s"; // of what is predicted: seconds have larger and smaller units, others have not

Apet.unitFor = (seconds) => {
  if (Apet.unit !== "s") return [1, Apet.unit];
  const size = Math.abs(seconds) || 1;
  return UNITS.find(([factor]) => size >= factor * (factor > 1 ? 24 : 1)) || UNITS[UNITS.length - 1];
};

Apet.shownNumber = (x) => {
  if (x === 0) return "0";
  if (Number.isInteger(x) && Math.abs(x) < 1e15) return x.toLocaleString("en-US");
  const size = Math.abs(x);
  return size >= 1e6 || size < 1e-4 ? x.toExponential(3).replace("e+", "e") : String(Number(x.toPrecision(5)));
};

Apet.shownTime = (seconds) => {
  const [factor, unit] = Apet.unitFor(seconds);
  return `${Apet.shownNumber(Number((seconds / factor).toPrecision(4)))} ${unit}`.trim();
};

Apet.shownInterval = (low, high) => {
  const [factor, unit] = Apet.unitFor(high);
  const ends = [low, high].map((x) => Apet.shownNumber(Number((x / factor).toPrecision(4))));
  return (ends[0] === ends[1] ? `${ends[0]} ${unit}` : `${ends[0]} … ${ends[1]} ${unit}`).trim();
};

// The same, rounded outward: what lies within stays within.
Apet.shownOutward = (low, high) => {
  const [factor, unit] = Apet.unitFor(high);
  const outward = (x, round) => {
    if (!(x > 0) || !Number.isFinite(x)) return x;
    const step = 10 ** (Math.floor(Math.log10(x)) - 3), nearest = Number(x.toPrecision(4));
    return Math.abs(nearest - x) <= 1e-12 * x ? nearest : Number((round(x / step) * step).toPrecision(4));
  };
  const ends = [outward(low / factor, Math.floor), outward(high / factor, Math.ceil)].map(Apet.shownNumber);
  return (ends[0] === ends[1] ? `${ends[0]} ${unit}` : `${ends[0]} … ${ends[1]} ${unit}`).trim();
};

// A scale from values to pixels with round ticks.
Apet.scale = (low, high, from, to, logarithmic) => {
  const f = logarithmic ? Math.log10 : (x) => x;
  const a = f(low), b = f(high) === a ? a + 1 : f(high);
  const place = (x) => from + ((f(x) - a) / (b - a)) * (to - from);
  const back = (y) => (logarithmic ? 10 ** (a + ((y - from) / (to - from)) * (b - a)) : a + ((y - from) / (to - from)) * (b - a));
  return { place, back, ticks: logarithmic ? Apet.powers(low, high) : Apet.round(a, b) };
};

Apet.round = (low, high) => {
  const rough = (high - low) / 5, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((m) => m * power >= rough) || 10);
  const ticks = [];
  for (let k = Math.ceil(low / step); k * step <= high * (1 + 1e-12); k++) ticks.push(Number((k * step).toPrecision(12)));
  return ticks;
};

Apet.powers = (low, high) => {
  const steps = high / low > 1e3 ? [1] : high / low > 20 ? [1, 3] : [1, 2, 5];
  const ticks = [];
  for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++) {
    for (const s of steps) if (s * 10 ** e >= low * 0.999 && s * 10 ** e <= high * 1.001) ticks.push(Number((s * 10 ** e).toPrecision(3)));
  }
  return ticks;
};

// Intervals against x. `points` are { x, estimate, lower, upper, term } with pairs of seconds.
Apet.drawIntervals = (figure, points, options) => {
  const width = 720, height = 340, left = 72, right = 12, top = 14, bottom = 62;
  figure.replaceChildren();
  figure.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const of = (p) => (options.bounds ? [p.lower[0], p.upper[1]] : p.estimate);
  const least = Math.min(...points.map((p) => of(p)[0])), most = Math.max(...points.map((p) => of(p)[1]));
  const low = options.log ? Math.max(least, most * 1e-12) || 1e-12 : 0;
  const [factor, unit] = Apet.unitFor(most);
  const y = Apet.scale(low / factor, (most || 1) / factor, height - bottom, top, options.log);
  const x = Apet.scale(points[0].x, points[points.length - 1].x, left, width - right, options.logX);

  for (const tick of y.ticks) {
    Apet.element("line", { x1: left, x2: width - right, y1: y.place(tick), y2: y.place(tick), class: "grid" }, figure);
    Apet.element("text", { x: left - 6, y: y.place(tick) + 4, "text-anchor": "end" }, figure, Apet.shownNumber(tick));
  }
  for (const tick of x.ticks) {
    Apet.element("line", { x1: x.place(tick), x2: x.place(tick), y1: height - bottom, y2: height - bottom + 4, class: "axis" }, figure);
    Apet.element("text", { x: x.place(tick), y: height - bottom + 17, "text-anchor": x.place(tick) > width - 40 ? "end" : "middle" }, figure, Apet.shownNumber(tick));
  }
  Apet.element("line", { x1: left, x2: width - right, y1: height - bottom, y2: height - bottom, class: "axis" }, figure);
  Apet.element("text", { x: (left + width - right) / 2, y: height - bottom + 36, "text-anchor": "middle" }, figure, options.name);
  Apet.element("text", { x: 14, y: (height - bottom + top) / 2, transform: `rotate(-90 14 ${(height - bottom + top) / 2})`, "text-anchor": "middle" }, figure, unit ? `${options.symbol}, ${unit}` : options.symbol);

  const area = (pair, kind) => {
    const at = (value) => y.place(Math.max(value, low) / factor);
    const there = points.map((p) => `${x.place(p.x)},${at(pair(p)[1])}`);
    const back = [...points].reverse().map((p) => `${x.place(p.x)},${at(pair(p)[0])}`);
    Apet.element("polygon", { points: [...there, ...back].join(" "), class: kind }, figure);
  };

  if (options.bounds) area((p) => [p.lower[0], p.upper[1]], "guaranteed");
  area((p) => p.estimate, "estimate");
  Apet.drawTerms(figure, points, x, height - 12, options.terms);
  Apet.drawHere(figure, x, options.here, top, height - bottom);
  return { x, y, left, right: width - right, top, bottom: height - bottom };
};

// A strip of colours: the term that is T at each point.
Apet.drawTerms = (figure, points, x, y, terms) => {
  points.forEach((p, k) => {
    const from = k ? (x.place(points[k - 1].x) + x.place(p.x)) / 2 : x.place(p.x);
    const to = k < points.length - 1 ? (x.place(points[k + 1].x) + x.place(p.x)) / 2 : x.place(p.x);
    const bar = Apet.element("rect", { x: from, y: y - 8, width: Math.max(to - from, 1), height: 8, class: `term${p.term % 8}` }, figure);
    Apet.element("title", {}, bar, `${terms[p.term]} limits`);
  });
};

Apet.drawHere = (figure, x, here, top, bottom) => {
  const at = x.place(here);
  if (Number.isFinite(at)) Apet.element("line", { x1: at, x2: at, y1: top, y2: bottom, class: "here" }, figure);
};

// A map over two quantities: one cell for each pair, in the colour of its greatest term.
Apet.drawMap = (figure, xs, ys, cells, options) => {
  const width = 720, height = 320, left = 72, right = 12, top = 8, bottom = 44;
  figure.replaceChildren();
  figure.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const w = (width - left - right) / xs.length, h = (height - top - bottom) / ys.length;
  cells.forEach((row, j) => {
    for (let from = 0; from < row.length; ) {
      let to = from; // neighbours of one term are one box: fewer elements, and no seams between them
      while (to < row.length && row[to] === row[from]) to++;
      const place = { x: left + from * w, y: height - bottom - (j + 1) * h, width: (to - from) * w + 0.3, height: h + 0.3 };
      const box = Apet.element("rect", { ...place, class: row[from] === null ? "unknown" : `term${row[from] % 8}` }, figure);
      Apet.element("title", {}, box, row[from] === null ? "not computed" : options.terms[row[from]]);
      from = to;
    }
  });
  const every = (list, count) => list.map((v, k) => [v, k]).filter(([, k]) => k % Math.ceil(list.length / count) === 0);
  for (const [value, k] of every(xs, 8)) Apet.element("text", { x: left + (k + 0.5) * w, y: height - bottom + 16, "text-anchor": "middle" }, figure, Apet.shownNumber(value));
  for (const [value, k] of every(ys, 6)) Apet.element("text", { x: left - 6, y: height - bottom - (k + 0.5) * h + 4, "text-anchor": "end" }, figure, Apet.shownNumber(value));
  Apet.element("text", { x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, figure, options.nameX);
  Apet.element("text", { x: 14, y: (height - bottom) / 2, transform: `rotate(-90 14 ${(height - bottom) / 2})`, "text-anchor": "middle" }, figure, options.nameY);
};
