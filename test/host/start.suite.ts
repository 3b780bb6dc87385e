// The walkthrough's sample review: the real desk, no service, no file.

import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { createReviewDocuments } from "../../src/editor/review/internal/proposed-files.ts";
import { ReviewModel } from "../../src/editor/review/internal/review-model.ts";
import type { ReviewSet } from "../../src/editor/review/internal/review-targets.ts";
import { showFile } from "../../src/editor/review/internal/show-changes.ts";
import { createSampleReview, sampleText } from "../../src/editor/walkthrough/samples.ts";
import { textAfter } from "../../src/patch/edits.ts";
import { silentLog } from "../../src/util/log.ts";
import { activeTab, heard } from "./support/heard.ts";

/** What it makes of the sample. */
const sampleAfter = sampleText
  .replace(
    / {2}let sum = 0;\n.*\n {2}return sum;/,
    "  return lines.reduce((sum, { cents, quantity }) => sum + cents * quantity, 0);",
  )
  .replace("(cents * percent) / 100;", "Math.round((cents * percent) / 100);")
  .replace('cents / 100 + " €"', "`$" + "{(cents / 100).toFixed(2)} €`");

/** Nothing fails in these. */
const report = (error: unknown) => {
  throw error;
};

describe("the sample review", () => {
  const open = (vscode.workspace.workspaceFolders ?? []).map(({ name }) => name);
  const lies =
    "lies on the desk like any change, is decided hunk by hunk, counts nowhere and touches no file";
  it(lies, () => review(open));
  it(`${lies}, also where no folder is open`, () => review([]));
  it(`${lies}, also among several folders`, () => review([...open, "another"]));

  it("is removed undecided with its tab, and can be tried again", async () => {
    const fixture = new ReviewModel(() => open, { report, log: silentLog });
    const documents = createReviewDocuments(fixture);
    const sample = createSampleReview(
      {
        async try(set) {
          const lying = fixture.addChangeSet(set);
          await set.changes.refresh();
          const [file] = fixture.files;
          assert(file !== undefined);
          await showFile(file, fixture, documents);
          return lying;
        },
      },
      silentLog,
      report,
    );
    for (let time = 0; time < 2; time++) {
      await sample.begin(open);
      const tab = await activeTab(({ input }) => input instanceof vscode.TabInputTextDiff);
      assert.equal(fixture.files.length, 1);
      const gone = heard(() => fixture.files.length === 0 || undefined, fixture.onDidChange);
      await vscode.window.tabGroups.close(tab);
      await gone;
    }
    documents.dispose();
    fixture.dispose();
  });

  async function review(folders: readonly string[]): Promise<void> {
    const fixture = new ReviewModel(() => folders, { report, log: silentLog });
    const lay = async (set: ReviewSet) => {
      const lying = fixture.addChangeSet(set);
      await set.changes.refresh();
      return lying;
    };
    await createSampleReview({ try: lay }, silentLog, report).begin(folders);
    const [file] = fixture.files;
    assert(file !== undefined);
    assert.equal(file.pending.hunks.length, 3);
    assert.equal(fixture.waiting, 0, "it counts nowhere");
    assert.equal(textAfter(file.change), sampleAfter);
    assert.notEqual(sampleAfter, sampleText);
    const [first, ...rest] = file.pending.hunks.map(({ id }) => id);
    await fixture.accept({ set: file.set, hunks: [first ?? ""] });
    assert.equal(fixture.files[0]?.pending.hunks.length, 2);
    await fixture.reject({ set: file.set, hunks: rest });
    assert.deepEqual(fixture.files, []);
    assert.deepEqual(await vscode.workspace.findFiles("**/patchbay-sample*"), []);
    fixture.dispose();
  }
});
