"use strict";
// Starts `apet lsp` and connects it to the editor; all knowledge of the languages is in the server.

const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

const start = async () => {
  const settings = workspace.getConfiguration("apet");
  const server = { command: settings.get("command") || "apet", args: ["lsp", "--stdio"] };
  client = new LanguageClient("apet", "APET", { run: server, debug: server }, {
    documentSelector: [{ language: "pamela" }, { language: "pasl" }],
    initializationOptions: { machines: settings.get("machines") },
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    window.showErrorMessage(
      `APET: '${server.command} lsp' does not start${error ? ` (${error.message})` : ""}. ` +
        "Install it with pip install 'apet[editor]', or name it in the setting apet.command.",
    );
  }
};

const stop = async () => {
  const running = client;
  client = undefined;
  if (running) await running.stop();
};

const restart = async () => {
  await stop();
  await start();
};

exports.activate = async (context) => {
  context.subscriptions.push(
    commands.registerCommand("apet.restart", restart),
    workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("apet") && restart()),
  );
  await start();
};

exports.deactivate = stop;
