// Which conversation wrote a line, said on hover, wherever the line has gone since.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { createProvenance } from "../../src/shell/review/provenance.ts";
import { patchOf, put, show, type, uriOf } from "./support/files.ts";
import { reviewForEach, type TestReview } from "./support/review-desk.ts";

describe("a line that a turn has written", () => {
  let review: TestReview;
  let provenance: vscode.Disposable;

  reviewForEach((opened) => {
    review = opened;
    provenance = createProvenance({ sets: () => review.desk.laid });
  });

  afterEach(() => provenance.dispose());

  async function said(row: number): Promise<string> {
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      "vscode.executeHoverProvider",
      uriOf("lines.txt"),
      new vscode.Position(row, 1),
    );
    const texts = hovers.flatMap(({ contents }) =>
      contents.map((each) => (typeof each === "string" ? each : each.value)),
    );
    return texts.join("\n").replaceAll("&nbsp;", " ");
  }

  it("says so, and no longer when somebody has rewritten it", async () => {
    await put("lines.txt", "one\ntwo\nthree\nfour\n");
    await review.propose(
      patchOf("*** Update File: lines.txt", "@@", " one", "-two", "+zwei", "+drittens", " three"),
    );
    await review.desk.accept(review.target("lines.txt"));
    await show("lines.txt");
    assert.match(await said(1), /From Patchbay: .*svc-k3.*Open/);
    assert.match(await said(2), /From Patchbay/);
    assert.doesNotMatch(await said(0), /Patchbay/);
    assert.doesNotMatch(await said(3), /Patchbay/);
    await type("lines.txt", 0, "typed\ntyped\n");
    assert.match(await said(3), /From Patchbay/);
    assert.doesNotMatch(await said(1), /Patchbay/);
    await type("lines.txt", 3, "mine ");
    assert.doesNotMatch(await said(3), /Patchbay/);
    assert.match(await said(4), /From Patchbay/);
  });
});
