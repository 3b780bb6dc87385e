// The walkthrough's sample review: the real desk, no service, no file.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { silentLog } from "../../src/core/util/log.ts";
import { textAfter } from "../../src/shell/review/diff-sides.ts";
import { createReviewDocuments } from "../../src/shell/review/documents.ts";
import { ReviewModel, type ReviewSet } from "../../src/shell/review/review-model.ts";
import { showFile } from "../../src/shell/review/show-patches.ts";
import { sampleText } from "../../src/shell/start/sample-code.ts";
import { createSampleReview } from "../../src/shell/start/sample-review.ts";
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

  it("goes with its tab, undecided as it is, and can be tried again", async () => {
    const desk = new ReviewModel(() => open, { report, log: silentLog });
    const documents = createReviewDocuments(desk);
    const sample = createSampleReview(
      {
        async try(set) {
          const lying = desk.lay(set);
          await set.changes.refresh();
          const [file] = desk.files;
          assert(file !== undefined);
          await showFile(file, desk, documents);
          return lying;
        },
      },
      silentLog,
      report,
    );
    for (let time = 0; time < 2; time++) {
      await sample.begin(open);
      const tab = await activeTab(({ input }) => input instanceof vscode.TabInputTextDiff);
      assert.equal(desk.files.length, 1);
      const gone = heard(() => desk.files.length === 0 || undefined, desk.onDidChange);
      await vscode.window.tabGroups.close(tab);
      await gone;
    }
    documents.dispose();
    desk.dispose();
  });

  async function review(folders: readonly string[]): Promise<void> {
    const desk = new ReviewModel(() => folders, { report, log: silentLog });
    const lay = async (set: ReviewSet) => {
      const lying = desk.lay(set);
      await set.changes.refresh();
      return lying;
    };
    await createSampleReview({ try: lay }, silentLog, report).begin(folders);
    const [file] = desk.files;
    assert(file !== undefined);
    assert.equal(file.pending.hunks.length, 3);
    assert.equal(desk.waiting, 0, "it counts nowhere");
    assert.equal(textAfter(file.change), sampleAfter);
    assert.notEqual(sampleAfter, sampleText);
    const [first, ...rest] = file.pending.hunks.map(({ id }) => id);
    await desk.accept({ set: file.set, hunks: [first ?? ""] });
    assert.equal(desk.files[0]?.pending.hunks.length, 2);
    await desk.reject({ set: file.set, hunks: rest });
    assert.deepEqual(desk.files, []);
    assert.deepEqual(await vscode.workspace.findFiles("**/patchbay-sample*"), []);
    desk.dispose();
  }
});
