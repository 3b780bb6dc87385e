// What goes on while nobody waits for it: where it fails, that is told or stands in the log, and VS Code hears of no
// promise that was left alone.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { ChangeSet } from "../../src/core/changes/change-set.ts";
import type { ConversationEvent } from "../../src/core/conversation/events.ts";
import type { Session } from "../../src/core/session/session.ts";
import { silentLog } from "../../src/core/util/log.ts";
import { createContextNote } from "../../src/shell/actions/context-note.ts";
import { ReviewModel } from "../../src/shell/review/review-model.ts";
import { createSampleReview } from "../../src/shell/start/sample-review.ts";
import { type FollowDeps, followConversation } from "../../src/shell/status/follow-conversation.ts";

const nothing = { dispose: () => {} };
const broken = new Error("It is broken.");
const fails = async () => {
  throw broken;
};

describe("what nobody waits for", () => {
  const { showInformationMessage, showTextDocument } = vscode.window;
  /** What was told to a person, or stands in the log. */
  let said: Promise<unknown>;
  let say: (error: unknown) => void;
  const report = (error: unknown) => say(error);

  beforeEach(() => {
    said = new Promise((resolve) => {
      say = resolve;
    });
  });
  afterEach(() => Object.assign(vscode.window, { showInformationMessage, showTextDocument }));

  /** A person presses the button of whatever they are told. */
  const pressAll = () =>
    Object.assign(vscode.window, { showInformationMessage: async (_: string, button: string) => button });

  it("tells that the chat could not be shown, to whoever was told of a response and wants to see it", async () => {
    pressAll();
    let hear = (_: ConversationEvent): void => {};
    const turn = { id: "1", at: 0, prompt: "How long?", status: "done", parts: [] };
    const session = {
      id: "gone",
      state: { id: "gone", turns: [turn] },
      draft: { contents: [] },
      choices: { route: "responses" },
      onEvent(listener: typeof hear) {
        hear = listener;
        return nothing;
      },
      onReread: () => nothing,
    } as unknown as Session;
    const following = followConversation({
      surfaces: { session, follow: () => nothing },
      registry: {
        follow(listener: (each: Session) => void) {
          listener(session);
          return nothing;
        },
        onChange: () => nothing,
        sessions: [session],
      } as unknown as FollowDeps["registry"],
      when: () => "always",
      isChatVisible: () => false,
      badge: () => {},
      statusChanged: () => {},
      open: fails,
      report,
    });
    hear({ type: "ended", turn: "1", at: 60_000, ending: "done" });
    assert.equal(await said, broken);
    following.dispose();
  });

  it("tells that an action's note could not be kept, and the action goes on", async () => {
    const note = createContextNote(
      { get: () => undefined, update: fails } as unknown as vscode.Memento,
      report,
    );
    await note();
    assert.equal(await said, broken);
  });

  it("tells that the sample's result could not be shown", async () => {
    pressAll();
    const desk = new ReviewModel(() => [], { report, log: silentLog });
    const sample = createSampleReview({ try: async (set) => desk.lay(set) }, silentLog, report);
    await sample.begin([]);
    const [file] = desk.files;
    assert(file !== undefined);
    Object.assign(vscode.window, { showTextDocument: fails });
    await desk.rejectAll(file.set);
    assert.equal(await said, broken);
    desk.dispose();
  });

  it("tells what was typed into a proposed text and could not be taken over", async () => {
    const desk = new ReviewModel(() => [], { report, log: silentLog });
    const sample = createSampleReview({ try: async (set) => desk.lay(set) }, silentLog, report);
    await sample.begin([]);
    const [file] = desk.files;
    assert(file !== undefined);
    file.set.changes.edit = fails;
    desk.edit(file, "typed", "before");
    assert.equal(await said, broken);
    desk.dispose();
  });

  it("writes into the log that what is proposed could not be looked at again, and asks nobody about it", async () => {
    const told: unknown[] = [];
    const log = { ...silentLog, error: (_: string, cause: unknown) => say(cause) };
    const desk = new ReviewModel(() => [], { report: (error) => told.push(error), log });
    const changes = { pending: [], onDidChange: () => nothing, refresh: fails } as unknown as ChangeSet;
    desk.lay({ name: "Broken", changes, isSample: false });
    desk.refresh();
    assert.equal(await said, broken);
    assert.deepEqual(told, []);
    desk.dispose();
  });
});
