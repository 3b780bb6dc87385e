// Our default keys against all that this VS Code has itself: none of ours takes another's, and none of ours is lost
// to another's. The editor's own list is asked, not a copy of it.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";

interface Binding {
  readonly key: string;
  readonly command: string;
  readonly when?: string;
}

const ofOurs = /^patchbay\./;
/** Where nothing but our own views and documents has the focus, a key means what we say. */
const onlyOurs =
  /patchbay\.((chat|composer)Focused|reviewActive)|commentController == '?patchbay|focusedView == '?patchbay\.|resourceScheme == '?patchbay-/;
/** Ours are off where a terminal, the debug console, a notebook's list of cells or the editor of keys has the focus. */
const offForUs = /(?<!!)\b(terminalFocus|inDebugRepl|notebookCellListFocused|inKeybindings)\b/;

async function allBindings(): Promise<readonly Binding[]> {
  const uri = vscode.Uri.parse("vscode://defaultsettings/keybindings.json");
  const text = (await vscode.workspace.openTextDocument(uri)).getText();
  return JSON.parse(text.replace(/^\s*\/\/.*$/gm, "")) as readonly Binding[];
}

describe("our default keys", function () {
  this.timeout(120_000);

  it("are bound by nobody else, and no first half of a chord of ours is a whole key of another", async () => {
    const all = await allBindings();
    assert(all.length > 500, `${all.length} bindings`);
    const ours = all.filter(({ command, when = "" }) => ofOurs.test(command) && !onlyOurs.test(when));
    assert.deepEqual([...new Set(ours.map(({ key }) => key))].sort(), [
      "ctrl+k ctrl+backspace",
      "ctrl+k ctrl+e",
      "ctrl+k ctrl+enter",
      "ctrl+k ctrl+y",
      "ctrl+k y",
    ]);
    const others = all.filter(
      ({ command, when = "" }) => !ofOurs.test(command) && !offForUs.test(when) && when !== "false",
    );
    const taken = ours.flatMap(({ key }) =>
      others.filter((other) => other.key === key || other.key === key.split(" ")[0]),
    );
    assert.deepEqual(taken, []);
  });
});
