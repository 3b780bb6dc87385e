// Composition root: builds everything, in order, and hands it to VS Code. Reads no file and no network.
import * as vscode from "vscode";

export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(vscode.window.createOutputChannel("Patchbay", { log: true }));
}
