// Remarks about several lines of a proposal: written one by one in threads, kept, and sent as one question.
import { strict as assert } from "node:assert";
import { rmSync } from "node:fs";
import * as vscode from "vscode";
import { showFile } from "../../src/editor/review/internal/show-changes.ts";
import { patchCall, text } from "../sim/script.ts";
import { leaveNothing, patchOf, put, show } from "./support/files.ts";
import { openReview, reviewFolder, reviewForEach, type TestReview } from "./support/review-fixture.ts";

const source = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";
const path = "threads/remarks.txt";
const twice = patchOf(
  ...[`*** Update File: ${path}`, "@@", "-two", "+TWO", "+and a half", " three"],
  ...["@@", "-nine", "+NINE", " ten"],
);

const isRead = (thread: vscode.CommentThread | undefined) =>
  thread?.comments.map(({ body }) => (typeof body === "string" ? body : body.value)).join("\n") ?? "";
const remarkIn = (thread: vscode.CommentThread | undefined) =>
  thread?.comments.find(({ contextValue }) => contextValue === "remark");
const isKept = (all: readonly vscode.CommentThread[]) => all.filter((each) => remarkIn(each) !== undefined);

async function write(review: TestReview, thread: vscode.CommentThread | undefined, words: string) {
  await review.commands["patchbay.review.ask"](thread);
  const box = thread?.comments.at(-1);
  assert(box !== undefined && review.threads.isAsking(thread as vscode.CommentThread));
  box.body = words;
  const before = isKept([...review.opened]).length;
  await review.commands["patchbay.remarks.save"](box);
  return review.untilThreads((all) => all.length > 0 && isKept(all).length > before);
}

/** What the last request contains that the service has not seen before. */
const sent = (review: TestReview) => JSON.stringify(review.sim.requests.at(-1)?.body["input"]);

describe("remarks about a proposal", () => {
  const review = reviewForEach();

  async function propose() {
    await put(path, source);
    await show(path);
    await review.propose(twice);
    return review.untilThreads(({ length }) => length === 2);
  }

  it("wait in their threads, and are sent as one question with the lines that they quote", async () => {
    const [first, second] = await propose();
    const requests = review.sim.requests.length;
    await write(review, first, "One line is enough.");
    const all = await write(review, second, "Why in capitals?");
    assert.equal(review.sim.requests.length, requests, "nothing is sent yet");
    const [one, other] = isKept(all);
    for (const each of [one, other]) {
      assert.match(each?.label ?? "", / · 2 remarks not sent$/);
      assert.match(each?.contextValue ?? "", /^hunk\.ask.*\.remarks/);
    }
    assert.deepEqual(
      review.session.remarks.list.map(({ first: from, last, quoted, words }) => [from, last, quoted, words]),
      [
        [2, 3, "-two\n+TWO\n+and a half", "One line is enough."],
        [10, 10, "-nine\n+NINE", "Why in capitals?"],
      ],
    );
    const revised = patchOf(`*** Update File: ${path}`, "@@", "-TWO", "-and a half", "+Two", " three");
    review.sim.reply(patchCall(revised));
    review.sim.reply(text("Both are done."));
    await review.commands["patchbay.remarks.send"](one);
    const [answered] = await review.untilThreads((now) =>
      now.some((each) => isRead(each).includes("Both are done.")),
    );
    assert.equal(review.sim.requests.length, requests + 2, "one question and the answer to its call");
    for (const each of ["One line is enough.", "Why in capitals?", "+and a half", "-nine", `${path}:2–3`])
      assert.ok(sent(review).includes(each), each);
    assert.deepEqual(review.session.remarks.list, []);
    assert.equal(isKept([...review.opened]).length, 0);
    assert.doesNotMatch(answered?.label ?? "", /not sent/);
  });

  it("quote the selected lines of the proposed text", async () => {
    await propose();
    await showFile(review.file(), review.desk, review.documents);
    const isInDiff = ({ uri, range }: vscode.CommentThread) =>
      uri.scheme === "patchbay-review" && range?.start.line === 2;
    const thread = (await review.untilThreads((all) => all.some(isInDiff))).find(isInDiff);
    const editor = vscode.window.visibleTextEditors.find(
      ({ document }) => document.uri.toString() === thread?.uri.toString(),
    );
    assert(editor !== undefined && review.threads.editor?.document === editor.document);
    editor.selection = new vscode.Selection(2, 0, 2, 5);
    await write(review, thread, "Not this one.");
    const [remark] = review.session.remarks.list;
    assert.deepEqual([remark?.first, remark?.last, remark?.quoted], [3, 3, "+and a half"]);
  });

  it("can be edited and deleted", async () => {
    const [first] = await propose();
    const [kept] = isKept(await write(review, first, "One lin."));
    await review.commands["patchbay.remarks.edit"](remarkIn(kept));
    const box = kept?.comments.at(-1);
    assert(box !== undefined);
    assert.deepEqual([box.body, box.contextValue], ["One lin.", "editing"]);
    box.body = "One line.";
    await review.commands["patchbay.remarks.save"](box);
    const [edited] = await review.untilThreads((all) => all.some((each) => /One line\./.test(isRead(each))));
    assert.deepEqual(
      review.session.remarks.list.map(({ words }) => words),
      ["One line."],
    );
    await review.commands["patchbay.remarks.delete"](
      remarkIn([edited, ...review.opened].find((each) => remarkIn(each) !== undefined)),
    );
    await review.untilThreads((all) => all.length === 2 && isKept(all).length === 0);
    assert.deepEqual(review.session.remarks.list, []);
  });

  it("can be edited while the box of their thread is open", async () => {
    const [first] = await propose();
    const [kept] = isKept(await write(review, first, "One lin."));
    const remark = remarkIn(kept);
    await review.commands["patchbay.review.ask"](kept);
    await review.commands["patchbay.remarks.edit"](remark);
    const [thread] = [...review.opened].filter((each) => review.threads.isAsking(each));
    const box = thread?.comments.at(-1);
    assert.deepEqual([box?.body, box?.contextValue], ["One lin.", "editing"]);
  });

  it("stay in the box when there are too many", async () => {
    const [first] = await propose();
    const remark = {
      id: "",
      hunk: "h",
      path: "elsewhere.txt",
      first: 1,
      last: 1,
      quoted: "+x",
      words: "Why?",
    };
    for (let at = 0; at < 100; at += 1) await review.session.remarks.put({ ...remark, id: `${at}` });
    await review.commands["patchbay.review.ask"](first);
    const [thread] = [...review.opened].filter((each) => review.threads.isAsking(each));
    const box = thread?.comments.at(-1);
    assert(box !== undefined);
    box.body = "One more.";
    await assert.rejects(
      async () => review.commands["patchbay.remarks.save"](box),
      /There are already 100 remarks/,
    );
    assert.deepEqual(
      [thread !== undefined && review.threads.isAsking(thread), box.body],
      [true, "One more."],
    );
    await review.threads.cancel();
  });

  it("are sent with the lines that they quoted, and say so, when these are gone", async () => {
    const [first, second] = await propose();
    await write(review, first, "One line is enough.");
    await review.commands["patchbay.review.rejectHunk"](
      [...review.opened].find((each) => remarkIn(each) !== undefined),
    );
    const [left] = await review.untilThreads((all) => all.length === 1 && isKept(all).length === 1);
    assert.equal(left?.uri.toString(), second?.uri.toString());
    assert.match(remarkIn(left)?.label ?? "", /no longer in the proposal/);
    review.sim.reply(text("I see."));
    await review.commands["patchbay.remarks.send"](left);
    const body = sent(review);
    assert.match(body, /threads\/remarks\.txt:2–3 \(these lines are no longer in the proposal\)/);
    assert.match(body, /\+and a half/);
  });
});

describe("remarks that were not sent", () => {
  it("are there again after a reload", async () => {
    const at = reviewFolder();
    const window = await openReview(undefined, { at });
    try {
      await put(path, source);
      await show(path);
      await window.propose(twice);
      const [first] = await window.untilThreads(({ length }) => length === 2);
      await write(window, first, "One line is enough.");
      const { id } = window.session;
      await window.close();
      const later = await openReview(undefined, { at });
      try {
        await later.open(id);
        const [thread] = isKept(await later.untilThreads((all) => isKept(all).length === 1));
        assert.match(isRead(thread), /One line is enough/);
        assert.match(remarkIn(thread)?.label ?? "", /^Line 2–3$/);
      } finally {
        await later.close();
      }
    } finally {
      rmSync(at, { recursive: true, force: true });
      await leaveNothing();
    }
  }).timeout(120_000);
});
