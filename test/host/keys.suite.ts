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
  /patchbay\.((chat|composer)Focused|reviewActive|changeAtCursor)|commentController == '?patchbay|focusedView == '?patchbay\.|resourceScheme == '?patchbay-/;
/** Ours are off where a terminal, the debug console, a notebook's list of cells or the editor of keys has the focus. */
const offForUs = /(?<!!)\b(terminalFocus|inDebugRepl|notebookCellListFocused|inKeybindings)\b/;

/** In the text of an editor, as far as its condition says: the box for a new name has the focus itself. */
const isInText = (when: string): boolean =>
  /(?<!!)\b(editorTextFocus|textInputFocus|editorFocus)\b|^$/.test(when) &&
  !/(?<!!)renameInputVisible/.test(when);

async function allBindings(): Promise<readonly Binding[]> {
  const uri = vscode.Uri.parse("vscode://defaultsettings/keybindings.json");
  const text = (await vscode.workspace.openTextDocument(uri)).getText();
  return JSON.parse(text.replace(/^\s*\/\/.*$/gm, "")) as readonly Binding[];
}

describe("the default keys", () => {
  it("conflict with no other key, not even with the first half of a chord", async () => {
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

  it("replace only Insert Line Below at a change, and only in the text of an editor", async () => {
    const all = await allBindings();
    const inEditor = all.filter(
      ({ command, when = "" }) => ofOurs.test(command) && /changeAtCursor/.test(when),
    );
    assert.deepEqual(inEditor.map(({ key }) => key).sort(), ["ctrl+enter", "ctrl+shift+backspace"]);
    // The last of each is the command's own. A box in a diff is an editor to VS Code, too.
    const onAChange = [
      ["!notebookEditorFocused", "editorTextFocus", "patchbay.changeAtCursor", "patchbay.hasPendingPatch"],
      [
        "!commentEditorFocused",
        "!notebookEditorFocused",
        "editorTextFocus",
        "patchbay.hasPendingPatch",
        "patchbay.reviewActive",
      ],
    ];
    for (const { when = "" } of inEditor)
      assert.deepEqual(
        when.split(" || ").map((place) => place.split(" && ").sort()),
        onAChange,
      );
    const others = (wanted: string) =>
      all.filter(({ key, command, when = "" }) => key === wanted && !ofOurs.test(command) && isInText(when));
    assert.deepEqual(
      [...new Set(others("ctrl+enter").map(({ command }) => command))],
      ["editor.action.insertLineAfter"],
    );
    assert.deepEqual([...new Set(others("ctrl+shift+backspace").map(({ command }) => command))], []);
  });

  it("accept all of a file only in its diff, where the key would insert a line above", async () => {
    const all = (await allBindings()).filter(({ key }) => key === "ctrl+shift+enter");
    const [own, ...more] = all.filter(({ command }) => ofOurs.test(command));
    assert.deepEqual([own?.command, more.length], ["patchbay.review.acceptFile", 0]);
    assert.match(own?.when ?? "", /^(?!.*\|\|).*patchbay\.reviewActive/);
    const others = all.filter(({ command, when = "" }) => !ofOurs.test(command) && isInText(when));
    assert.deepEqual([...new Set(others.map(({ command }) => command))], ["editor.action.insertLineBefore"]);
  });
});
