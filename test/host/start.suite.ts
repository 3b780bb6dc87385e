// The walkthrough's sample review: the real desk, no service, no file.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { emptyConversation } from "../../src/core/conversation/reduce.ts";
import { Emitter } from "../../src/core/util/emitter.ts";
import { Desk, type ReviewedSession } from "../../src/shell/review/desk.ts";
import { hunksOf } from "../../src/shell/review/patches.ts";
import { textAfter } from "../../src/shell/review/sides.ts";
import { sampleText } from "../../src/shell/start/sample-code.ts";
import { withSample } from "../../src/shell/start/sample-review.ts";

/** What it makes of the sample. */
const sampleAfter = sampleText
  .replace(
    / {2}let sum = 0;\n.*\n {2}return sum;/,
    "  return lines.reduce((sum, { cents, quantity }) => sum + cents * quantity, 0);",
  )
  .replace("(cents * percent) / 100;", "Math.round((cents * percent) / 100);")
  .replace('cents / 100 + " €"', "`$" + "{(cents / 100).toFixed(2)} €`");

describe("the sample review", () => {
  const open = (vscode.workspace.workspaceFolders ?? []).map(({ name }) => name);
  const lies =
    "lies on the desk like any patch, is decided hunk by hunk, and touches neither file nor session";
  it(lies, () => review(open));
  it(`${lies}, also where no folder is open`, () => review([]));
  it(`${lies}, also among several folders`, () => review([...open, "another"]));

  async function review(folders: readonly string[]): Promise<void> {
    const decided: string[] = [];
    const session: ReviewedSession = {
      state: emptyConversation("c"),
      decide: (call) => void decided.push(call),
      proposal: () => undefined,
      onEvent: new Emitter<never>().on,
      onSwitch: new Emitter<void>().on,
    };
    const sample = withSample(session);
    const desk = new Desk(() => folders);
    const following = desk.follow(sample);
    const changed = () =>
      new Promise<void>((resolve) => {
        const listening = desk.onDidChange(() => {
          listening.dispose();
          resolve();
        });
      });
    await sample.begin(folders);
    if (desk.waiting === 0) await changed();
    const [patch] = desk.pending;
    assert(patch !== undefined);
    assert.equal(desk.waiting, 3);
    const [shown] = desk.shown(patch.call);
    assert(shown !== undefined);
    assert.equal(
      textAfter(shown.change, () => true),
      sampleAfter,
    );
    assert.notEqual(sampleAfter, sampleText);
    // By the name that the list shows it is found again, as each button and each side of the diff does.
    const [file] = patch.files;
    assert(file !== undefined && desk.find(patch.call, file.path) !== undefined);
    assert.equal(desk.staleness(patch, file), undefined);
    const [first, ...rest] = hunksOf(patch).map(({ id }) => id);
    desk.settle({ call: patch.call, hunks: [first ?? ""] }, true);
    assert.equal(desk.pending.length, 1);
    desk.settle({ call: patch.call, hunks: rest }, false);
    while (desk.patches.length > 0) await changed();
    assert.deepEqual(decided, []);
    assert.deepEqual(await vscode.workspace.findFiles("**/patchbay-sample*"), []);
    following.dispose();
    desk.dispose();
  }
});
