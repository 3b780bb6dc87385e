// Which conversation wrote a line, said on hover, wherever the line has gone since.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { Origins } from "../../src/changes/stored-origins.ts";
import { createProvenance } from "../../src/editor/review/internal/line-origin-hover.ts";
import { patchOf, put, show, type, uriOf } from "./support/files.ts";
import { reviewForEach } from "./support/review-fixture.ts";

describe("a line written by a turn", () => {
  let provenance: vscode.Disposable;

  const review = reviewForEach(() => {
    const { library } = review;
    provenance = createProvenance({
      sets: () => review.desk.allChangeSets,
      kept: new Origins({ list: () => library.list(), changes: library.changes.bind(library) }),
      nameOfModel: (id) => (id === "svc-k3" ? "K3" : id),
    });
  });

  afterEach(() => provenance.dispose());

  async function said(row: number, path = "lines.txt"): Promise<string> {
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      "vscode.executeHoverProvider",
      uriOf(path),
      new vscode.Position(row, 1),
    );
    const texts = hovers.flatMap(({ contents }) =>
      contents.map((each) => (typeof each === "string" ? each : each.value)),
    );
    return texts.join("\n").replaceAll("&nbsp;", " ");
  }

  it("shows its origin on hover until it is rewritten", async () => {
    await put("lines.txt", "one\ntwo\nthree\nfour\n");
    await review.propose(
      patchOf("*** Update File: lines.txt", "@@", " one", "-two", "+zwei", "+drittens", " three"),
    );
    await review.desk.accept(review.target("lines.txt"));
    await show("lines.txt");
    assert.match(await said(1), /From Patchbay: .*, K3, .*Open/);
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

  it("shows its origin in a closed conversation, and links to the turn", async () => {
    await put("kept.txt", "one\ntwo\nthree\n");
    const { turn } = await review.propose(
      patchOf("*** Update File: kept.txt", "@@", " one", "-two", "+zwei"),
    );
    await review.desk.accept(review.target("kept.txt"));
    const { id } = review.session.state;
    await review.newConversation();
    await show("kept.txt");
    const words = await said(1, "kept.txt");
    assert.match(words, /From Patchbay: Change it\., K3, /);
    const [, place = ""] = /command:patchbay\.chat\.open\?([^)]+)\)/.exec(words) ?? [];
    assert.deepEqual(JSON.parse(decodeURIComponent(place)), [id, turn.id]);
  });
});
