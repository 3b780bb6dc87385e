import { strict as assert } from "node:assert";
import * as vscode from "vscode";

const id = "patchbay.patchbay";

describe("activation", () => {
  it("completes without an error", async () => {
    const extension = vscode.extensions.getExtension(id);
    assert(extension !== undefined, `${id} is not there`);
    await extension.activate();
    assert(extension.isActive);
  });

  it("registers every command that the manifest contributes", async () => {
    const manifest = vscode.extensions.getExtension(id)?.packageJSON as {
      contributes?: { commands?: { command: string }[] };
    };
    const known = new Set(await vscode.commands.getCommands(true));
    const contributed = (manifest.contributes?.commands ?? []).map(({ command }) => command);
    assert.deepEqual(
      contributed.filter((command) => !known.has(command)),
      [],
    );
  });
});
