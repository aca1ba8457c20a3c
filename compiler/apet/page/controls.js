// The page comes alive: sliders, switches, values under the pointer and by the keyboard.
"use strict";

const MOST_TERMS = 8; // as many as fit on a screen

Apet.start = (data) => {
  const find = (id) => document.getElementById(id);
  const state = { values: { P: data.P }, along: "P", bounds: false, log: false, along2: "" };
  for (const p of data.parameters) if (!p.computed) state.values[p.name] = p.value;
  const live = find("live"), chart = find("chart"), map = find("map");
  if (!live || !Apet.costs || !(data.processors || data.parameters.length)) return;
  live.hidden = false;
  state.bounds = find("bounds").checked = data.wide;
  find("caption").textContent = data.caption;
  Apet.unit = data.unit;
  const most = data.machines.processors;
  const processors = { name: "P", value: data.P, low: 1, high: most, whole: true, log: most >= 16, declared: true, allowed: [1, most] };
  const knobs = [...(data.processors ? [processors] : []), ...data.parameters];
  const byName = new Map(knobs.map((k) => [k.name, k]));
  const rows = new Map();

  // Evaluation

  const evaluate = (changes) => {
    const result = Apet.evaluate(data, { ...state.values, ...changes });
    const count = data.terms.length, low = result.tmin, high = result.tmax;
    if (![...low, ...high].slice(0, 3 + count).every((v) => !Number.isNaN(v))) throw new RangeError("no number");

    // the greatest term, with the slack that rounding needs; T0 comes first, and loses a tie against a resource
    const terms = high.slice(3, 3 + count);
    const term = terms.reduce((best, v, k) => (v > terms[best] * (1 + 1e-12) || (best === 0 && v >= terms[0] * (1 - 1e-12)) ? k : best), 0);
    const wrong = data.requirements.filter((_, k) => low[3 + count + k] < 0);
    return { estimate: [low[0], high[0]], lower: [low[1], high[1]], upper: [low[2], high[2]], terms, term, wrong, parameters: result.parameters };
  };
  Apet.here = (changes) => evaluate(changes || {});

  const spread = (knob, count) => {
    const values = [];
    for (let k = 0; k < count; k++) {
      const share = count > 1 ? k / (count - 1) : 0;
      const value = knob.log ? knob.low * (knob.high / knob.low) ** share : knob.low + share * (knob.high - knob.low);
      values.push(knob.whole ? Math.round(value) : value);
    }
    return [...new Set(values)];
  };

  // Showing

  const showNumbers = () => {
    const start = performance.now();
    let here;
    try {
      here = evaluate({});
    } catch (error) {
      find("now").textContent = `cannot be computed in the page: ${error.message}`;
      return null;
    }

    const pair = state.bounds ? [here.lower[0], here.upper[1]] : here.estimate;
    find("now").textContent = (state.bounds ? Apet.shownOutward : Apet.shownInterval)(...pair);
    find("what").textContent = state.bounds ? data.bracket : "estimate";
    find("both").textContent = `estimate ${Apet.shownInterval(...here.estimate)} · ${data.bracket} ${Apet.shownOutward(here.lower[0], here.upper[1])}`;
    find("limit").textContent = `limited by ${data.terms[here.term]}`;
    const wrong = here.wrong.length ? `outside what the model allows: ${[...new Set(here.wrong)].join(", ")}` : "";
    find("warning").textContent = [state.refused, wrong].filter(Boolean).join(" · ");

    const greatest = new Set([...here.terms.keys()].sort((a, b) => here.terms[b] - here.terms[a]).slice(0, MOST_TERMS));
    for (const [k, name] of data.terms.entries()) {
      const row = rows.get(name);
      if (!row) continue;
      row.value.textContent = Apet.shownTime(here.terms[k]);
      row.value.parentElement.hidden = !greatest.has(k) || (k === 0 && here.terms[0] === 0); // of runs and traces nothing is T0
      row.bar.setAttribute("width", `${Math.max(0, Math.min(100, (100 * here.terms[k]) / here.estimate[1]))}%`);
    }
    for (const knob of knobs) if (knob.computed && !(knob.name in state.values)) setKnob(knob, here.parameters[knob.name]);

    const cost = performance.now() - start; // the least of the last ones: the first runs are not compiled yet
    state.cost = Math.min(cost, 2 * (state.cost || cost));
    return here;
  };

  // How many points can be computed within a budget of milliseconds.
  const affordable = (most, budget) => Math.max(6, Math.min(most, Math.floor(budget / Math.max(state.cost || 0.2, 0.02))));

  const showChart = (budget) => {
    const knob = byName.get(state.along);
    const points = [];
    for (const x of spread(knob, affordable(61, budget))) {
      try {
        points.push({ x, ...evaluate({ [knob.name]: x }) });
      } catch (error) {
        continue; // a value that the model does not allow leaves a gap
      }
    }

    chart.parentElement.querySelector(".empty").hidden = points.length > 1;
    if (points.length < 2) {
      chart.replaceChildren();
      return;
    }

    const here = knob.name in state.values ? state.values[knob.name] : NaN;
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

    const limiting = [...new Set(cells.flat().filter((t) => t !== null))];
    map.setAttribute("aria-label", `Which term limits over ${first.name} and ${second.name}: ${limiting.map((t) => data.terms[t]).join(", ")}`);
    showLegend(find("legend2"), limiting);
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
    knob.box.value = Number(Number(value).toPrecision(knob.whole ? 15 : 10)); // more digits than fit into the box
    knob.slider.setAttribute("aria-valuetext", Apet.shownNumber(value));
  };
  const turn = (knob, value) => {
    state.refused = "";
    state.values[knob.name] = value;
    setKnob(knob, value);
    refresh();
  };

  // What the command line refuses is refused here: the box goes back to the value that the numbers are for.
  const allowed = (knob) => {
    const kind = knob.whole ? "whole numbers" : "numbers";
    return knob.allowed ? `${kind} from ${knob.allowed.map(Apet.shownNumber).join(" to ")}` : kind;
  };
  const fits = (knob, value) =>
    Number.isFinite(value) && (!knob.whole || Number.isInteger(value)) && (!knob.allowed || (value >= knob.allowed[0] && value <= knob.allowed[1]));
  const typed = (knob) => {
    const text = knob.box.value.trim(), value = Number(text);
    if (text !== "" && fits(knob, value)) {
      turn(knob, value);
      return;
    }
    const kept = knob.name in state.values ? state.values[knob.name] : evaluate({}).parameters[knob.name];
    state.refused = `${knob.name} = ${text || "nothing"} is refused: ${allowed(knob)}; ${knob.name} stays ${Apet.shownNumber(kept)}`;
    if (text !== "") setKnob(knob, kept); // an empty box is about to be filled
    showNumbers();
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
    // whole numbers by keys in steps of 1 %: the slider's own steps of a thousandth would often round to no change
    knob.slider.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (!step || !knob.whole) return;
      event.preventDefault();
      const now = Number(knob.box.value), by = Math.max(1, Math.round(Math.abs(now) / 100));
      turn(knob, Math.min(knob.high, Math.max(Math.ceil(knob.low), now + step * by)));
    });
    knob.box.addEventListener("change", () => typed(knob));

    row.append(label, knob.slider, knob.box);
    controls.append(row);
    setKnob(knob, knob.value);
  }
  find("reset").addEventListener("click", () => {
    state.refused = "";
    for (const knob of knobs) {
      if (knob.computed) delete state.values[knob.name];
      else {
        state.values[knob.name] = knob.value;
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

  // Where values of x are spread by factors, so are the times.
  const followAxis = () => {
    state.log = find("log").checked = Boolean(byName.get(state.along).log);
  };
  find("along").addEventListener("change", followAxis, { capture: true });
  followAxis();
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
  for (let k = 0; k < 5; k++) showNumbers(); // until the code is compiled, and its cost is known
  refresh();
};
