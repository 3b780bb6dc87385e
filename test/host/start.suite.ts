// The walkthrough's sample review: the real desk, no service, no file.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { emptyConversation } from "../../src/core/conversation/reduce.ts";
import { Emitter } from "../../src/core/util/emitter.ts";
import { Desk, type ReviewedAssistant } from "../../src/shell/review/desk.ts";
import { hunksOf } from "../../src/shell/review/patches.ts";
import { textAfter } from "../../src/shell/review/sides.ts";
import { sampleAfter, sampleText } from "../../src/shell/start/sample-code.ts";
import { withSample } from "../../src/shell/start/sample-review.ts";

describe("the sample review", () => {
  it("lies on the desk like any patch, is decided hunk by hunk, and touches neither file nor assistant", async () => {
    const decided: string[] = [];
    const assistant: ReviewedAssistant = {
      conversation: emptyConversation("c"),
      decide: (call) => void decided.push(call),
      proposal: () => undefined,
      onEvent: new Emitter<never>().on,
      onReset: new Emitter<void>().on,
    };
    const sample = withSample(assistant);
    const folder = vscode.workspace.workspaceFolders?.[0]?.name ?? "";
    const desk = new Desk(() => [folder]);
    const following = desk.follow(sample);
    const changed = () =>
      new Promise<void>((resolve) => {
        const listening = desk.onDidChange(() => {
          listening.dispose();
          resolve();
        });
      });
    await sample.begin(folder);
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
    const [first, ...rest] = hunksOf(patch).map(({ id }) => id);
    desk.settle({ call: patch.call, hunks: [first ?? ""] }, true);
    assert.equal(desk.pending.length, 1);
    desk.settle({ call: patch.call, hunks: rest }, false);
    while (desk.patches.length > 0) await changed();
    assert.deepEqual(decided, []);
    assert.deepEqual(await vscode.workspace.findFiles("**/patchbay-sample*"), []);
    following.dispose();
    desk.dispose();
  });
});
