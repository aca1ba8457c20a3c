// The bundle against a stand-in for the editor: it starts the command of the settings, hands over the machine model, and
// says how to mend it where the command is missing. APET names the command: APET=.venv/bin/apet npm test
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import Module from "node:module";

const settings = { command: "/nowhere/apet", machines: "join-2005" };
const errors = [];
const disposable = { dispose() {} };

// A namespace of the editor: what is not named here is a function that does nothing.
const namespace = (named = {}) =>
  new Proxy(named, { get: (all, name) => (name in all ? all[name] : name === "then" ? undefined : () => disposable) });
class Plain {
  constructor(...values) { this.values = values; this.event = () => disposable; }
  fire() {}
  dispose() {}
}
const channel = namespace({ append() {}, appendLine() {}, show() {} });
const kind = { append: () => kind };
const named = {
  CodeActionKind: { Empty: kind, QuickFix: kind },
  commands: namespace(),
  languages: namespace(),
  env: { appName: "test", language: "en" },
  version: "1.82.0",
  window: namespace({
    showErrorMessage: async (text) => void errors.push(text),
    createOutputChannel: () => channel,
    tabGroups: { all: [], onDidChangeTabs: () => disposable },
    visibleTextEditors: [],
  }),
  workspace: namespace({
    getConfiguration: () => ({ get: (name) => settings[name] }),
    textDocuments: [],
    notebookDocuments: [],
    workspaceFolders: undefined,
  }),
};
const vscode = new Proxy(named, { get: (all, name) => (name in all ? all[name] : (all[name] = class extends Plain {})) });
const load = Module._load;
Module._load = (request, ...rest) => (request === "vscode" ? vscode : load(request, ...rest));

const extension = createRequire(import.meta.url)("./dist/extension.js");
const context = { subscriptions: [] };
await extension.activate(context);
assert.match(errors.join(), /'\/nowhere\/apet lsp' does not start.*pip install 'apet\[editor\]'/);
assert.equal(context.subscriptions.length, 2);
await extension.deactivate();

if (process.env.APET) {
  settings.command = process.env.APET;
  errors.length = 0;
  await extension.activate(context);
  assert.deepEqual(errors, []);
  await extension.deactivate();
}
console.log("the extension starts its server, or says what is missing");
process.exit(0);
