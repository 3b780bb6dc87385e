// What goes on while nobody waits for it: where it fails, that is told or stands in the log, and VS Code hears of no
// promise that was left alone.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { ChangeSet } from "../../src/changes/change-set.ts";
import type { ConversationEvent } from "../../src/conversation/events.ts";
import { createContextNote } from "../../src/editor/actions/ask.ts";
import { ReviewModel } from "../../src/editor/review/internal/review-model.ts";
import { type FollowDeps, followConversation } from "../../src/editor/status/notifications.ts";
import { createSampleReview } from "../../src/editor/walkthrough/samples.ts";
import type { Session } from "../../src/session/session.ts";
import { silentLog } from "../../src/util/log.ts";

const nothing = { dispose: () => {} };
const broken = new Error("It is broken.");
const fails = async () => {
  throw broken;
};

describe("a failure in the background", () => {
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

  it("is reported when the notification of a response cannot show the chat", async () => {
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
      onChange: () => nothing,
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

  it("is reported when the note of an action cannot be stored, and the action continues", async () => {
    const note = createContextNote(
      { get: () => undefined, update: fails } as unknown as vscode.Memento,
      report,
    );
    await note();
    assert.equal(await said, broken);
  });

  it("is reported when the sample's result cannot be shown", async () => {
    pressAll();
    const fixture = new ReviewModel(() => [], { report, log: silentLog });
    const sample = createSampleReview({ try: async (set) => fixture.addChangeSet(set) }, silentLog, report);
    await sample.begin([]);
    const [file] = fixture.files;
    assert(file !== undefined);
    Object.assign(vscode.window, { showTextDocument: fails });
    await fixture.rejectAll(file.set);
    assert.equal(await said, broken);
    fixture.dispose();
  });

  it("is reported when an edit of a proposed text cannot be applied", async () => {
    const fixture = new ReviewModel(() => [], { report, log: silentLog });
    const sample = createSampleReview({ try: async (set) => fixture.addChangeSet(set) }, silentLog, report);
    await sample.begin([]);
    const [file] = fixture.files;
    assert(file !== undefined);
    file.set.changes.edit = fails;
    fixture.edit(file, "typed", "before");
    assert.equal(await said, broken);
    fixture.dispose();
  });

  it("is only logged when a proposal cannot be refreshed", async () => {
    const told: unknown[] = [];
    const log = { ...silentLog, error: (_: string, cause: unknown) => say(cause) };
    const fixture = new ReviewModel(() => [], { report: (error) => told.push(error), log });
    const changes = {
      pending: [],
      names: [],
      onDidChange: () => nothing,
      refresh: fails,
    } as unknown as ChangeSet;
    fixture.addChangeSet({ name: "Broken", changes, isSample: false });
    fixture.refresh();
    assert.equal(await said, broken);
    assert.deepEqual(told, []);
    fixture.dispose();
  });
});
