// Evidence in the Pending Changes view: what a response claims against the facts stands first, and the set can be copied as
// the text of a pull request.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { createCopyEvidence } from "../../src/editor/review/internal/copy-evidence.ts";
import { evidenceBelow, evidenceItem } from "../../src/editor/review/internal/set-evidence.ts";
import { text } from "../sim/script.ts";
import { patchOf, put } from "./support/files.ts";
import { reviewForEach } from "./support/review-fixture.ts";

describe("the evidence of pending changes", () => {
  const review = reviewForEach();
  const kept = { writtenIn: async () => [] };

  async function claim(words: string): Promise<void> {
    await put("evidence/cart.txt", "one\ntwo\nthree\n");
    await review.propose(
      patchOf("*** Update File: evidence/cart.txt", "@@", " one", "-two", "+zwei", " three"),
    );
    review.sim.reply(text(words));
    await review.session.send({ prompt: "What have you done?" });
  }

  it("puts a contradicted claim first, and the others below one line", async () => {
    await claim("I added a regression test. All tests pass.");
    const { set } = review.file();
    const [first, line, ...more] = evidenceBelow(set, review.evidence);
    assert.deepEqual(more, []);
    assert.ok(first && line);
    assert.equal(
      evidenceItem(first).label,
      "The response says “I added a regression test”. It changes no file of tests.",
    );
    const { label, description } = evidenceItem(line);
    assert.equal(label, "Evidence");
    assert.equal(description, "1 claim contradicted · 1 not checked · 0 of 1 changes seen in the editor");
    assert.deepEqual(line.kind === "evidence" && line.below, ["Not checked: “All tests pass”"]);
  });

  it("is copied as pull request text", async () => {
    await claim("Only `evidence/cart.txt` was changed.");
    const { desk: reviewModel, evidence } = review;
    const { commands } = createCopyEvidence({ ...{ reviewModel, evidence, kept }, nodeOf: () => undefined });
    await commands["patchbay.review.copyPullRequest"](undefined);
    const copied = await vscode.env.clipboard.readText();
    assert.match(
      copied,
      /^# Conversation\n\n## Evidence\n\n- No check has run on this proposal\.\n- Proven: “Only `evidence\/cart\.txt` was changed” /,
    );
    assert.match(copied, /\n\n## Changes\n\n- evidence\/cart\.txt:2: /);
  });

  it("finds what was written in the files of a commit", async () => {
    await claim("Done.");
    await review.desk.acceptAll(review.file().set);
    const { desk: reviewModel, evidence } = review;
    const { ofFiles } = createCopyEvidence({ ...{ reviewModel, evidence, kept }, nodeOf: () => undefined });
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const uri = vscode.Uri.joinPath(folder?.uri ?? assert.fail(), "evidence/cart.txt");
    assert.deepEqual(await ofFiles([uri]), [], "nothing was checked");
  });
});
