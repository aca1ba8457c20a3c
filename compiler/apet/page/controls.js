// The page comes alive: sliders, switches, values under the pointer and by the keyboard.
"use strict";

Apet.start = (data) => {
  const find = (id) => document.getElementById(id);
  const state = { given: { P: data.P }, along: "P", bounds: false, log: false, along2: "" };
  for (const p of data.parameters) if (!p.computed) state.given[p.name] = p.value;
  const live = find("live"), chart = find("chart"), map = find("map");
  if (!live || !Apet.costs || !(data.processors || data.parameters.length)) return;
  live.hidden = false;
  state.bounds = find("bounds").checked = data.wide;
  find("caption").textContent = data.caption;
  Apet.unit = data.unit;
  const most = data.machines.processors;
  const processors = { name: "P", value: data.P, low: 1, high: most, whole: true, log: most > 100, declared: true };
  const knobs = [...(data.processors ? [processors] : []), ...data.parameters];
  const byName = new Map(knobs.map((k) => [k.name, k]));
  const rows = new Map();

  // Evaluation

  const evaluate = (changes) => {
    const found = Apet.evaluate(data, { ...state.given, ...changes });
    const count = data.terms.length, low = found.tmin, high = found.tmax;
    if (![...low, ...high].slice(0, 3 + count).every((v) => !Number.isNaN(v))) throw new RangeError("no number");
    const terms = high.slice(3, 3 + count);
    const term = terms.reduce((best, v, k) => (v > terms[best] * (1 + 1e-12) || (best === 0 && v >= terms[0] * (1 - 1e-12)) ? k : best), 0);
    const wrong = data.requirements.filter((_, k) => low[3 + count + k] < 0);
    return { estimate: [low[0], high[0]], lower: [low[1], high[1]], upper: [low[2], high[2]], terms, term, wrong, parameters: found.parameters };
  };
  Apet.here = (changes) => evaluate(changes || {});

  const spread = (knob, count) => {
    const found = [];
    for (let k = 0; k < count; k++) {
      const share = count > 1 ? k / (count - 1) : 0;
      const value = knob.log ? knob.low * (knob.high / knob.low) ** share : knob.low + share * (knob.high - knob.low);
      found.push(knob.whole ? Math.round(value) : value);
    }
    return [...new Set(found)];
  };

  // Showing

  const showNumbers = () => {
    const start = performance.now();
    let found;
    try {
      found = evaluate({});
    } catch (error) {
      find("now").textContent = `cannot be computed in the page: ${error.message}`;
      return null;
    }
    const shown = state.bounds ? [found.lower[0], found.upper[1]] : found.estimate;
    find("now").textContent = (state.bounds ? Apet.shownOutward : Apet.shownInterval)(...shown);
    find("what").textContent = state.bounds ? data.bracket : "estimate";
    find("both").textContent = `estimate ${Apet.shownInterval(...found.estimate)} · ${data.bracket} ${Apet.shownOutward(found.lower[0], found.upper[1])}`;
    find("limit").textContent = `limited by ${data.terms[found.term]}`;
    find("warning").textContent = found.wrong.length ? `outside what the model allows: ${[...new Set(found.wrong)].join(", ")}` : "";
    for (const [k, name] of data.terms.entries()) {
      const row = rows.get(name);
      if (!row) continue;
      row.value.textContent = Apet.shownTime(found.terms[k]);
      row.bar.setAttribute("width", `${Math.max(0, Math.min(100, (100 * found.terms[k]) / found.estimate[1]))}%`);
    }
    for (const knob of knobs) if (knob.computed && !(knob.name in state.given)) setKnob(knob, found.parameters[knob.name]);
    const cost = performance.now() - start; // the least of the last ones: the first runs are not compiled yet
    state.cost = Math.min(cost, 2 * (state.cost || cost));
    return found;
  };

  const affordable = (most, budget) => Math.max(6, Math.min(most, Math.floor(budget / Math.max(state.cost || 0.2, 0.02))));

  const showChart = (budget) => {
    const knob = byName.get(state.along);
    const points = [];
    for (const x of spread(knob, affordable(61, budget))) {
      try {
        points.push({ x, ...evaluate({ [knob.name]: x }) });
      } catch (error) {
        continue;
      }
    }
    chart.parentElement.querySelector(".empty").hidden = points.length > 1;
    if (points.length < 2) {
      chart.replaceChildren();
      return;
    }
    const here = knob.name in state.given ? state.given[knob.name] : NaN;
    state.frame = Apet.drawIntervals(chart, points, {
      name: knob.name, symbol: data.symbol, bounds: state.bounds, log: state.log, logX: knob.log, here, terms: data.terms,
    });
    state.points = points;
    const first = points[0], last = points[points.length - 1];
    const range = (p) => Apet.shownInterval(...(state.bounds ? [p.lower[0], p.upper[1]] : p.estimate));
    chart.setAttribute("aria-label", `${data.symbol} against ${knob.name}: ${range(first)} at ${Apet.shownNumber(first.x)}, ${range(last)} at ${Apet.shownNumber(last.x)}. Arrow keys read values.`);
    showLegend(find("legend"), points.map((p) => p.term));
  };

  const showMap = () => {
    if (!state.along2 || state.along2 === state.along) {
      map.parentElement.hidden = true;
      return;
    }
    map.parentElement.hidden = false;
    const first = byName.get(state.along), second = byName.get(state.along2);
    const count = Math.sqrt(affordable(1200, 250));
    const xs = spread(first, Math.min(40, Math.round(count * 1.4))), ys = spread(second, Math.min(28, Math.round(count / 1.4)));
    const cells = ys.map((y) => xs.map((x) => {
      try {
        return evaluate({ [first.name]: x, [second.name]: y }).term;
      } catch (error) {
        return null;
      }
    }));
    Apet.drawMap(map, xs, ys, cells, { nameX: first.name, nameY: second.name, terms: data.terms });
    const found = [...new Set(cells.flat().filter((t) => t !== null))];
    map.setAttribute("aria-label", `Which term limits over ${first.name} and ${second.name}: ${found.map((t) => data.terms[t]).join(", ")}`);
    showLegend(find("legend2"), found);
  };

  const showLegend = (where, terms) => {
    where.replaceChildren();
    for (const t of [...new Set(terms)].sort((a, b) => a - b)) {
      const entry = document.createElement("span"), box = document.createElementNS(SVG, "svg");
      box.setAttribute("viewBox", "0 0 10 10");
      Apet.element("rect", { width: 10, height: 10, class: `term${t % 8}` }, box);
      entry.append(box, ` ${data.terms[t]} limits`);
      where.append(entry);
    }
  };

  let waiting = 0;
  const refresh = () => {
    const begun = performance.now();
    showNumbers();
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => {
      showChart(20);
      live.dataset.redraw = String(performance.now() - begun);
      clearTimeout(state.later);
      state.later = setTimeout(() => {
        showChart(400); // with all points, once nothing moves
        showMap();
        live.dataset.settled = String(Number(live.dataset.settled || 0) + 1);
      }, 120);
    });
  };

  // Knobs

  const toSlider = (knob, value) => (knob.log ? (1000 * Math.log(value / knob.low)) / Math.log(knob.high / knob.low) : (1000 * (value - knob.low)) / (knob.high - knob.low || 1));
  const fromSlider = (knob, place) => {
    const value = knob.log ? knob.low * (knob.high / knob.low) ** (place / 1000) : knob.low + (place / 1000) * (knob.high - knob.low);
    if (knob.whole) return Math.round(value);
    return Math.min(knob.high, Math.max(knob.low, Number(value.toPrecision(6))));
  };
  const setKnob = (knob, value) => {
    knob.slider.value = toSlider(knob, Math.min(knob.high, Math.max(knob.low, value)));
    knob.box.value = Number(Number(value).toPrecision(12));
    knob.slider.setAttribute("aria-valuetext", Apet.shownNumber(value));
  };
  const turn = (knob, value) => {
    if (!Number.isFinite(value) || (knob.whole && !Number.isInteger(value))) return;
    if (knob.name === "P" && (value < 1 || value > knob.high)) return;
    state.given[knob.name] = value;
    setKnob(knob, value);
    refresh();
  };
  const controls = find("knobs");
  for (const [k, knob] of knobs.entries()) {
    const row = document.createElement("div"), label = document.createElement("label");
    knob.slider = document.createElement("input");
    knob.box = document.createElement("input");
    Object.assign(knob.slider, { type: "range", min: 0, max: 1000, step: "any", id: `knob${k}` });
    Object.assign(knob.box, { type: "number", step: knob.whole ? 1 : "any", id: `box${k}` });
    knob.slider.dataset.name = knob.box.dataset.name = knob.name;
    label.htmlFor = knob.slider.id;
    label.textContent = knob.name;
    if (knob.computed) label.append(Object.assign(document.createElement("small"), { textContent: " (computed until set)" }));
    knob.box.setAttribute("aria-label", `value of ${knob.name}`);
    if (knob.low === knob.high) knob.slider.disabled = true;
    knob.slider.addEventListener("input", () => turn(knob, fromSlider(knob, Number(knob.slider.value))));
    knob.slider.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (!step || !knob.whole) return;
      event.preventDefault();
      const now = Number(knob.box.value), by = Math.max(1, Math.round(Math.abs(now) / 100));
      turn(knob, Math.min(knob.high, Math.max(Math.ceil(knob.low), now + step * by)));
    });
    knob.box.addEventListener("change", () => turn(knob, Number(knob.box.value)));
    row.append(label, knob.slider, knob.box);
    controls.append(row);
    setKnob(knob, knob.value);
  }
  find("reset").addEventListener("click", () => {
    for (const knob of knobs) {
      if (knob.computed) delete state.given[knob.name];
      else {
        state.given[knob.name] = knob.value;
        setKnob(knob, knob.value);
      }
    }
    refresh();
  });

  // Switches

  const choose = (id, key, none) => {
    const select = find(id);
    if (none) select.append(new Option(none, ""));
    for (const knob of knobs) if (knob.low < knob.high) select.append(new Option(knob.name, knob.name));
    select.addEventListener("change", () => {
      state[key] = select.value;
      refresh();
    });
    if (!none) state[key] = select.value;
  };
  choose("along", "along");
  choose("along2", "along2", "none");
  if (!state.along) state.along = knobs[0].name;
  for (const key of ["bounds", "log"]) {
    find(key).addEventListener("change", () => {
      state[key] = find(key).checked;
      refresh();
    });
  }

  // Values under the pointer and by the keyboard

  const tip = find("tip");
  let at = 0;
  const read = (k) => {
    if (!state.points || !state.points[k]) return;
    at = k;
    const p = state.points[k], pair = state.bounds ? [p.lower[0], p.upper[1]] : p.estimate;
    tip.textContent = `${state.along} = ${Apet.shownNumber(p.x)}: ${Apet.shownInterval(...pair)}, limited by ${data.terms[p.term]}`;
    chart.querySelectorAll(".cursor").forEach((c) => c.remove());
    const x = state.frame.x.place(p.x);
    Apet.element("line", { x1: x, x2: x, y1: state.frame.top, y2: state.frame.bottom, class: "cursor" }, chart);
  };
  chart.addEventListener("pointermove", (event) => {
    if (!state.points) return;
    const box = chart.getBoundingClientRect(), x = ((event.clientX - box.left) * 720) / box.width;
    const distance = (p) => Math.abs(state.frame.x.place(p.x) - x);
    read(state.points.reduce((best, p, k) => (distance(p) < distance(state.points[best]) ? k : best), 0));
  });
  chart.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || !state.points) return;
    event.preventDefault();
    read(Math.max(0, Math.min(state.points.length - 1, at + step)));
  });

  // Terms

  const table = find("terms");
  for (const [k, name] of data.terms.entries()) {
    if (k >= 40) break;
    const row = table.insertRow(), bar = document.createElementNS(SVG, "svg");
    row.insertCell().textContent = name;
    const value = row.insertCell(), drawn = row.insertCell();
    bar.setAttribute("class", "bar");
    bar.setAttribute("aria-hidden", "true");
    const fill = Apet.element("rect", { height: "100%", width: "0%", class: `term${k % 8}` }, bar);
    drawn.append(bar);
    rows.set(name, { value, bar: fill });
  }
  for (let k = 0; k < 5; k++) showNumbers();
  refresh();
};
