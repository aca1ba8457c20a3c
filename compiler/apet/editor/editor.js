"use strict";

const find = (id) => document.getElementById(id);
const token = new URLSearchParams(location.search).get("token") || "";
history.replaceState(null, "", "/"); // the token does not stay in the address bar

const ask = async (path, given) => {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Apet-Token": token },
    body: JSON.stringify(given),
  });
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer.json();
};

const fields = ["model", "machines", "settings", "branches", "schedule"];
let wanted = 0, busy = false, timer = 0;

const show = (found, took) => {
  const list = find("mistakes"), lines = find("model").value.split("\n");
  list.replaceChildren();
  for (const m of found.mistakes) {
    const item = document.createElement("li");
    if (m.line) {
      const jump = document.createElement("button");
      jump.type = "button";
      jump.textContent = `line ${m.line}, column ${m.column}`;
      jump.addEventListener("click", () => {
        const at = lines.slice(0, m.line - 1).reduce((sum, l) => sum + l.length + 1, 0);
        find("model").focus();
        find("model").setSelectionRange(at + m.column - 1, at + m.end - 1);
      });
      item.append(jump, ": ");
    }
    item.append(m.text);
    if (m.advice) item.append(Object.assign(document.createElement("small"), { textContent: m.advice }));
    list.append(item);
  }
  mark(lines, found.mistakes);
  if (found.page) find("page").src = found.page;
  find("state").textContent = found.mistakes.length ? "the prediction beside is the last one that worked" : `predicted in ${Math.round(took)} ms`;
  document.body.dataset.shown = String(Number(document.body.dataset.shown || 0) + 1);
};

// Code points to UTF-16: columns from the server count characters.
const units = (line, column) => [...line].slice(0, column).join("").length;

const mark = (lines, mistakes) => {
  const marks = find("marks");
  marks.replaceChildren();
  const byLine = new Map(mistakes.filter((m) => m.line).map((m) => [m.line, m]));
  lines.forEach((line, k) => {
    const m = byLine.get(k + 1);
    if (m) {
      const from = units(line, m.column - 1), to = Math.max(units(line, m.end - 1), from + 1);
      marks.append(line.slice(0, from), Object.assign(document.createElement("mark"), { textContent: line.slice(from, to) || " " }), `${line.slice(to)}\n`);
    } else marks.append(`${line}\n`);
  });
  follow();
};

const follow = () => {
  find("marks").scrollTop = find("model").scrollTop;
  find("marks").scrollLeft = find("model").scrollLeft;
};

const predict = async () => {
  if (busy) return; // the last wish is looked at when this one is done
  busy = true;
  const mine = wanted, begun = performance.now();
  find("state").textContent = "predicting …";
  const given = Object.fromEntries(fields.map((name) => [name, find(name).value]));
  try {
    const found = await ask("/page", { ...given, thorough: find("thorough").checked });
    if (mine === wanted) show(found, performance.now() - begun);
  } catch (error) {
    find("state").textContent = `no answer: ${error.message}`;
  }
  busy = false;
  if (mine !== wanted) predict();
};

const changed = () => {
  wanted++;
  mark(find("model").value.split("\n"), []);
  clearTimeout(timer);
  timer = setTimeout(predict, 250);
};

for (const name of [...fields, "thorough"]) find(name).addEventListener("input", changed);
find("model").addEventListener("scroll", follow);
ask("/start", {}).then((start) => {
  find("model").value = start.model;
  find("machines").value = start.machines;
  changed();
}, (error) => {
  find("state").textContent = `no answer: ${error.message}`;
});
