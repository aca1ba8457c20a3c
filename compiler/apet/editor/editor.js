"use strict";

const find = (id) => document.getElementById(id);
const token = new URLSearchParams(location.search).get("token") || "";
history.replaceState(null, "", "/"); // the token does not stay in the address bar

const ask = async (path, request) => {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Apet-Token": token },
    body: JSON.stringify(request),
  });
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer.json();
};

const fields = ["model", "machines", "settings", "branches", "schedule"];
let wanted = 0, busy = false, timer = 0;

const show = (answer, took) => {
  const list = find("mistakes"), lines = find("model").value.split("\n");
  list.replaceChildren();
  for (const m of answer.mistakes) {
    const item = document.createElement("li");
    if (m.line) {
      const jump = document.createElement("button");
      jump.type = "button";
      jump.textContent = `line ${m.line}, column ${m.column}`;
      jump.addEventListener("click", () => {
        const at = lines.slice(0, m.line - 1).reduce((sum, l) => sum + l.length + 1, 0);
        find("model").focus();
        const line = lines[m.line - 1];
        find("model").setSelectionRange(at + units(line, m.column - 1), at + units(line, m.end - 1));
      });
      item.append(jump, ": ");
    }
    item.append(m.text);
    if (m.advice) item.append(Object.assign(document.createElement("small"), { textContent: m.advice }));
    list.append(item);
  }

  mark(lines, answer.mistakes);
  if (answer.page) find("page").src = answer.page;
  find("state").textContent = answer.mistakes.length ? "the prediction beside is the last one that worked" : `predicted in ${Math.round(took)} ms`;
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
  const request = Object.fromEntries(fields.map((name) => [name, find(name).value]));
  try {
    const answer = await ask("/page", { ...request, thorough: find("thorough").checked });
    if (mine === wanted) show(answer, performance.now() - begun); // an outdated answer would flicker
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
