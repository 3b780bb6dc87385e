// What leaves this computer, as the extension's own page says it.
import * as vscode from "vscode";

/** Packing writes the name of that page small. */
export async function showWhatLeaves(extension: vscode.Uri): Promise<void> {
  const names = (await vscode.workspace.fs.readDirectory(extension)).map(([name]) => name);
  const readme = names.find((name) => name.toLowerCase() === "readme.md") ?? "README.md";
  const place = vscode.Uri.joinPath(extension, readme).with({ fragment: "what-leaves-this-computer" });
  await vscode.commands.executeCommand("markdown.showPreview", place);
}
