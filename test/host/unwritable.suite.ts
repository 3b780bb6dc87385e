// A file that cannot be written, among others that can: those are accepted, it says why in its row, and everything that counts
// says the same.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { threadPlaces } from "../../src/editor/review/internal/hunk-thread-contents.ts";
import { itemOf } from "../../src/editor/review/internal/review-tree.ts";
import { statusFace } from "../../src/editor/status/status-text.ts";
import { text as answer, call } from "../sim/script.ts";
import { onDisk, open, patchOf, put, show, type } from "./support/files.ts";
import { activeTab, configured } from "./support/heard.ts";
import { reviewForEach } from "./support/review-fixture.ts";

const text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
const update = (path: string) => [`*** Update File: ${path}`, "@@", " one", "-two", "+zwei", " three"];

describe("accepting changes", () => {
  const review = reviewForEach();

  const row = (path: string) =>
    itemOf({ kind: "file", file: review.file(path) }, review.desk.files, review.references, review.evidence);

  async function readOnly<T>(glob: string | undefined, work: () => Promise<T>): Promise<T> {
    const files = vscode.workspace.getConfiguration("files");
    const value = glob === undefined ? undefined : { [glob]: true };
    await files.update("readonlyInclude", value, vscode.ConfigurationTarget.Workspace);
    const isSo = () => {
      const now = vscode.workspace.getConfiguration("files").inspect("readonlyInclude")?.workspaceValue;
      return JSON.stringify(now) === JSON.stringify(value);
    };
    await configured(isSo);
    try {
      return await work();
    } finally {
      await files.update("readonlyInclude", undefined, vscode.ConfigurationTarget.Workspace);
    }
  }

  it("writes the other files when one is read-only, and shows the reason in its row until retried", async () => {
    const paths = ["one", "two", "locked", "three"].map((name) => `unwritable/${name}.txt`);
    for (const path of paths) await put(path, text);
    await review.propose(patchOf(...paths.flatMap(update)));
    const after = text.replace("two", "zwei");
    await readOnly("unwritable/locked.txt", () =>
      review.commands["patchbay.review.acceptAll"](undefined).then(() => undefined),
    );
    const contents = await Promise.all(paths.map(onDisk));
    assert.deepEqual(contents, [after, after, text, after]);
    const [, , locked = ""] = paths;
    assert.deepEqual(
      review.desk.files.map(({ path }) => path),
      [locked],
    );
    assert.match(
      String(row(locked).description),
      /^unwritable\/locked\.txt is read-only by your settings\. · /,
    );
    await review.commands["patchbay.review.acceptAll"](undefined);
    assert.equal(await onDisk(locked), after);
    assert.equal(review.desk.files.length, 0);
  });

  it("shows why a single file cannot be accepted in a message, in its row and in its thread", async () => {
    const path = "unwritable/alone.txt";
    await put(path, text);
    await review.propose(patchOf(...update(path)));
    const why = "unwritable/alone.txt is read-only by your settings.";
    await show(path);
    const label = (opened: readonly vscode.CommentThread[]) => String(opened[0]?.label);
    const opened = await review.untilThreads(({ length }) => length === 1);
    assert.doesNotMatch(label(opened), /read-only/);
    await readOnly(path, async () => {
      await review.commands["patchbay.review.acceptHunk"](opened[0]);
      await review.untilThreads((threads) => label(threads).startsWith(why));
    });
    assert.deepEqual(review.said, [why]);
    assert.match(String(row(path).description), /^unwritable\/alone\.txt is read-only by your settings\. · /);
    const card = review.session.waiting?.flagged.map(({ flags }) => flags.map(({ code }) => code));
    assert.deepEqual(card, [["changeRefused"]]);
    await type(path, 0, "typed ");
    await review.untilThreads((threads) => !label(threads).includes(why));
    assert.doesNotMatch(String(row(path).description), /read-only/);
  });

  it("refuses a patch on a file with invalid bytes, which are reported to the model", async () => {
    await put("unwritable/cafe.txt", Buffer.from("caf\xe9\ntwo\n", "latin1"));
    await put("unwritable/real.txt", "caf\uFFFD\ntwo\n");
    for (const name of ["cafe", "real"])
      review.sim.reply(call("read_file", { path: `unwritable/${name}.txt` }));
    review.sim.reply(answer("Seen."));
    await review.session.send({ prompt: "Look at them." });
    const [cafe = "", real = ""] = outputs();
    assert.match(cafe, /not valid UTF-8/);
    assert.doesNotMatch(real, /not valid/);
    const { turn } = await review.propose(
      patchOf("*** Update File: unwritable/cafe.txt", "@@", "-two", "+zwei"),
    );
    assert.deepEqual(
      turn.parts.flatMap((part) => (part.type === "patch" ? [part.status] : [])),
      ["failed"],
    );
    assert.match(review.answer(), /bytes that are not valid UTF-8/);
    assert.equal(review.desk.files.length, 0);
  });

  const outputs = () => {
    const input = review.sim.requests.at(-1)?.body["input"] as { output?: unknown }[];
    return input.flatMap(({ output }) => (output === undefined ? [] : [String(output)]));
  };

  it("shows the same counts in status bar, chat, list, badge and titles despite conflicts", async () => {
    const path = "unwritable/counted.txt";
    await put(path, text);
    await put("unwritable/missing.txt", text);
    await review.propose(
      patchOf(
        ...[...update(path), "@@", " five", "-six", "+sechs", " seven"],
        ...[...update("unwritable/missing.txt"), "*** Add File: unwritable/added.txt", "+new"],
      ),
    );
    await vscode.workspace.fs.delete(vscode.Uri.joinPath((await open(path)).uri, "..", "missing.txt"));
    await type(path, 1, "typed ");
    await review.until(() => review.desk.conflicts === 2);
    const { desk: fixture, session } = review;
    const bar = session.waiting;
    assert.deepEqual([bar?.files, bar?.changes, bar?.conflicts], [3, 4, 2]);
    assert.deepEqual([fixture.waiting, fixture.conflicts], [4, 2]);
    const { set } = review.file();
    const item = itemOf({ kind: "set", set }, fixture.files, review.references, review.evidence);
    assert.equal(item.description, "4 changes in 3 files · +2 −1 · 2 conflicts");
    const face = statusFace(
      {
        ...{ toReview: fixture.waiting, conflicts: fixture.conflicts, isConnected: true },
        ...{ others: { running: 0, waiting: 0, failed: 0 } },
      } as unknown as Parameters<typeof statusFace>[0],
      { t: vscode.l10n.t, say: String } as unknown as Parameters<typeof statusFace>[1],
    );
    assert.match(face.text, /review 4 · 2 conflicts/);
    const here = threadPlaces(await open(path), fixture, review.references, review.evidence).filter(
      ({ isConflict }) => isConflict,
    );
    const stuck = fixture.files.filter(({ pending }) => pending.problem !== undefined);
    assert.equal(here.length + stuck.length, 2);
    assert.match(
      String(row("unwritable/missing.txt").description),
      /^conflict · The file no longer exists\./,
    );
    await review.commands["patchbay.review.open"](undefined);
    await activeTab(({ label }) => label.startsWith("4 proposed changes · 2 conflicts"));
  });
});
