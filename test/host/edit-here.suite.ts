// An edit that is asked for between the lines: what its thread shows while it is answered and after it, and what its
// buttons do at each moment.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { createEditHere } from "../../src/shell/actions/edit-here.ts";
import type { Companion } from "../../src/shell/actions/list-context.ts";
import { editorInUse } from "../../src/shell/editors.ts";
import { holdBefore } from "../sim/delivery-faults.ts";
import { failed, patchCall, text } from "../sim/script.ts";
import { patchOf, put, show, uriOf } from "./support/files.ts";
import { reviewForEach, type TestReview } from "./support/review-desk.ts";

const source = "one\ntwo\nthree\n";
const path = "here/file.txt";

describe("an edit asked for between the lines", function () {
  this.timeout(120_000);
  let review: TestReview;
  let here: ReturnType<typeof createEditHere>;
  let continued: unknown[] = [];
  let released = 0;

  reviewForEach(async (opened) => {
    review = opened;
    continued = [];
    released = 0;
    here = createEditHere({
      threads: review.threads,
      settings: () => ({ editModel: "svc-k3", outputTokens: 1000, listsContext: false }),
      task: () => ({ session: review.session, release: () => void released++ }),
      review: () => ({ say: () => false, dispose: () => undefined }),
      sessionAt: () => undefined,
      continueInChat: async (session) => void continued.push(session),
      weigh: async () => 420,
      report: (error) => assert.fail(String(error)),
    });
    await put(path, source);
  });
  afterEach(() => here.dispose());

  async function ask(
    words?: string,
    companions = async (): Promise<readonly Companion[]> => [],
  ): Promise<void> {
    const { document } = await show(path);
    const wanted = { title: "Edit Here", command: "", companions };
    const range = new vscode.Range(0, 0, 2, 0);
    await here.begin({ document, range }, words === undefined ? wanted : { ...wanted, words });
  }
  const bodyOf = ({ body }: vscode.Comment) => (typeof body === "string" ? body : body.value);
  const isRead = (thread: vscode.CommentThread | undefined) => thread?.comments.map(bodyOf).join("\n") ?? "";
  /** The thread, once it is in this state and says this. */
  async function untilIt(state: string, words: string | RegExp = ""): Promise<vscode.CommentThread> {
    const isSo = ([one]: readonly vscode.CommentThread[]) =>
      one?.contextValue === state && new RegExp(words).test(isRead(one));
    const [thread] = await review.untilThreads(isSo);
    assert(thread !== undefined);
    return thread;
  }
  const untilGone = () => review.untilThreads(({ length }) => length === 0);

  it("names its lines and the context before anything is sent, and sends nothing when it is left", async () => {
    await ask();
    const [thread] = await review.untilThreads(([one]) => one?.label?.includes("≈420 tokens") === true);
    assert.match(thread?.label ?? "", /^Edit Here: lines 1–2 · /);
    assert(review.threads.isAsking(thread as vscode.CommentThread));
    assert.equal(editorInUse()?.document.uri.toString(), uriOf(path).toString(), "the box is no file");
    await here.commands["patchbay.thread.close"](undefined);
    await untilGone();
    assert.equal(review.sim.requests.length, 0);
  });

  it("shows the response while it arrives", async () => {
    const held = holdBefore(8);
    review.sim.reply(text("This part is there, and this one is still on its way to the reader."), held);
    const asked = ask("Why?");
    const thread = await untilIt("here.running", /This part/);
    assert.doesNotMatch(isRead(thread), /reader/);
    held.release();
    await asked;
    await untilIt("here.said", /to the reader\.$/);
  });

  it("is stopped by its button, and what had arrived stays", async () => {
    review.sim.reply(text("This part is there, and this one never comes to its end."), holdBefore(8));
    const asked = ask("Why?");
    const thread = await untilIt("here.running", /This part/);
    await here.commands["patchbay.thread.stop"](thread);
    await asked;
    await untilIt("here.said", /This part/);
  });

  it("says why it failed, and asks the same again", async () => {
    review.sim.reply(failed("The model is tired."));
    await ask("Why?");
    const thread = await untilIt("here.failed", /The model is tired\./);
    review.sim.reply(text("Because."));
    await here.commands["patchbay.thread.retry"](thread);
    await untilIt("here.said", /Because\./);
    assert.match(JSON.stringify(review.sim.requests.at(-1)?.body["input"]), /Why\?/);
  });

  it("is continued in the chat, and has no thread after that", async () => {
    review.sim.reply(text("Because."));
    await ask("Why?");
    await here.commands["patchbay.thread.continueInChat"](await untilIt("here.said"));
    await untilGone();
    assert.deepEqual(continued, [review.session]);
  });

  it("can be closed while it is answered: nothing more is shown, and nothing is asked for any more", async () => {
    review.sim.reply(text("This part is there, and this one never comes to its end."), holdBefore(8));
    const asked = ask("Why?");
    await here.commands["patchbay.thread.close"](await untilIt("here.running", /This part/));
    await asked;
    await untilGone();
    assert.equal(review.session.isRunning, false);
    assert.equal(released, 1);
  });

  for (const button of ["close", "stop"] as const)
    it(`sends nothing after ${button} while its context is still being gathered`, async () => {
      let gathered = (_: readonly Companion[]) => {};
      const asked = ask("Why?", () => new Promise((resolve) => (gathered = resolve)));
      await here.commands[`patchbay.thread.${button}`](await untilIt("here.running"));
      gathered([]);
      await asked;
      await untilGone();
      assert.equal(review.sim.requests.length, 0);
    });

  it("has no thread any more where its context could not be gathered, and says why once", async () => {
    await assert.rejects(
      ask("Why?", async () => {
        await untilIt("here.running");
        throw new Error("No context");
      }),
      /No context/,
    );
    await untilGone();
  });

  it("is gone once all it has proposed is decided, and not before", async () => {
    const patch = patchOf(`*** Update File: ${path}`, "@@", "-two", "+TWO", " three");
    review.sim.reply(patchCall(patch));
    review.sim.reply(text("In capitals."));
    await ask("In capitals");
    const thread = await untilIt("here.proposed", /In capitals\./);
    await review.until(() => review.desk.files.length === 1);
    assert.equal(released, 0);
    await review.desk.accept(review.target(path));
    await review.untilThreads((all) => !all.includes(thread));
    assert.equal(released, 1);
  });
});
