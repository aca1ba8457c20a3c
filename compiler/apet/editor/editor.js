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

  paint(answer.mistakes);
  if (answer.page) find("page").src = find("share").href = answer.page;
  find("state").textContent = answer.mistakes.length ? "the prediction shown is the last one that worked" : `predicted in ${Math.round(took)} ms`;
  document.body.dataset.shown = String(Number(document.body.dataset.shown || 0) + 1);
};

// Code points to UTF-16: columns from the server count characters.
const units = (line, column) => [...line].slice(0, column).join("").length;

let spansOf = () => [];

// The text again behind the transparent one that is edited: with colours, and with what is wrong marked.
const paint = (mistakes) => {
  const text = find("model").value, lines = text.split("\n");
  const wrong = mistakes.filter((m) => m.line).map((m) => {
    const line = lines[m.line - 1] || "", start = lines.slice(0, m.line - 1).reduce((sum, l) => sum + l.length + 1, 0);
    const from = start + units(line, m.column - 1);
    return [from, Math.max(start + units(line, m.end - 1), from + 1)];
  }).sort((a, b) => a[0] - b[0]);

  const pieces = document.createDocumentFragment();
  const put = (from, to, name, marked) => {
    if (from >= to) return;
    const piece = text.slice(from, to), shown = marked && piece === "\n" ? " \n" : piece;
    const inner = name ? Object.assign(document.createElement("span"), { className: name, textContent: shown }) : shown;
    if (!marked) return pieces.append(inner);
    const mark = document.createElement("mark");
    mark.append(inner);
    pieces.append(mark);
  };
  const coloured = (from, to, name) => {
    for (const [start, end] of wrong) {
      if (end <= from || start >= to) continue;
      put(from, Math.max(from, start), name, false);
      put(Math.max(from, start), Math.min(to, end), name, true);
      from = Math.min(to, end);
    }
    put(from, to, name, false);
  };
  let at = 0;
  for (const [from, to, name] of spansOf(text)) {
    coloured(at, from, "");
    coloured(from, to, name);
    at = to;
  }
  coloured(at, text.length, "");
  if (wrong.some(([from]) => from >= text.length)) pieces.append(Object.assign(document.createElement("mark"), { textContent: " " }));
  pieces.append("\n");
  find("marks").replaceChildren(pieces);
  find("numbers").textContent = lines.map((_, k) => k + 1).join("\n") + "\n";
  follow();
};

const follow = () => {
  find("marks").scrollTop = find("numbers").scrollTop = find("model").scrollTop;
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
  paint([]);
  clearTimeout(timer);
  timer = setTimeout(predict, 250);
};

for (const name of [...fields, "thorough"]) find(name).addEventListener("input", changed);
find("model").addEventListener("scroll", follow);

// Completion: words of the language, of the machine file and of the text that begin as the one before the caret

let words = [];

const offered = () => {
  const field = find("model"), at = field.selectionStart, text = field.value;
  const begun = (text.slice(0, at).match(/[A-Za-z_]\w*$/) || [""])[0];
  if (begun.length < 2 || /\w/.test(text[at] || "")) return [begun, []];
  const own = text.replace(/\/\/.*/g, "").match(/[A-Za-z_]\w*/g) || [];
  const fitting = [...new Set([...own, ...words])].filter((word) => word.startsWith(begun) && word !== begun);
  return [begun, fitting.sort().slice(0, 8)];
};

const offer = () => {
  const [begun, fitting] = offered(), list = find("offers");
  list.replaceChildren(...fitting.map((word) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: word, tabIndex: -1 });
    button.addEventListener("click", () => complete(word.slice(begun.length)));
    return button;
  }));
  list.hidden = !fitting.length;
};

const complete = (rest) => {
  const field = find("model"), at = field.selectionStart;
  field.focus();
  field.setRangeText(rest, at, at, "end");
  find("offers").hidden = true;
  changed();
};

find("model").addEventListener("input", offer);
find("model").addEventListener("blur", ({ relatedTarget }) => {
  if (!find("offers").contains(relatedTarget)) find("offers").hidden = true;
});
find("model").addEventListener("keydown", (key) => {
  if (find("offers").hidden || (key.key !== "Tab" && key.key !== "Escape")) return;
  key.preventDefault();
  if (key.key === "Tab") find("offers").firstChild.click();
  find("offers").hidden = true;
});

// Examples, saving

let untouched = "";

const write = (text) => {
  find("model").value = untouched = text;
  find("model").setSelectionRange(0, 0);
  changed();
};

find("examples").addEventListener("change", async ({ target }) => {
  const name = target.value, mine = find("model").value !== untouched;
  target.selectedIndex = 0;
  if (mine && !confirm(`Replace your text by ${name}?`)) return;
  try {
    write((await ask("/example", { name })).model);
    find("settings").value = "";
  } catch (error) {
    find("state").textContent = `no answer: ${error.message}`;
  }
});

const save = () => {
  const link = Object.assign(document.createElement("a"), { download: "model.pam" });
  link.href = URL.createObjectURL(new Blob([find("model").value], { type: "text/plain" }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

find("save").addEventListener("click", save);
document.addEventListener("keydown", (key) => {
  if (!(key.ctrlKey || key.metaKey) || key.key !== "s") return;
  key.preventDefault();
  save();
});

ask("/start", {}).then((start) => {
  spansOf = Colours.painter(start.grammar);
  words = start.words;
  find("machines").value = start.machines;
  find("examples").append(...start.examples.map((name) => new Option(name)));
  write(start.model);
}, (error) => {
  find("state").textContent = `no answer: ${error.message}`;
});
