// A review with everything behind it – sessions, service client, simulator – in the real editor, without the panel.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { followSession } from "../../../src/chat-surface.ts";
import { createServiceClient } from "../../../src/core/api/service-client.ts";
import type { Turn } from "../../../src/core/conversation/state.ts";
import { type AppliedPatches, createAppliedPatches } from "../../../src/core/session/applied-patches.ts";
import { defaultConversationSettings } from "../../../src/core/session/conversation-settings.ts";
import { conversationStore, openLibrary } from "../../../src/core/session/conversation-store.ts";
import type { Session } from "../../../src/core/session/session.ts";
import { silentLog } from "../../../src/core/util/log.ts";
import type { Workspace } from "../../../src/core/workspace.ts";
import { Desk } from "../../../src/shell/review/desk.ts";
import { createReviewDocuments, type ReviewDocuments } from "../../../src/shell/review/documents.ts";
import { watchEditorUndo } from "../../../src/shell/review/editor-undo.ts";
import { createReviewCommands } from "../../../src/shell/review/review-commands.ts";
import { ScratchFiles } from "../../../src/shell/review/scratch-files.ts";
import { hostTools } from "../../../src/shell/tools/host-tools.ts";
import { patchCall, text } from "../../sim/script.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";
import { type Shown, showLatest } from "../../support/desk.ts";
import { leaveNothing, testWorkspace } from "./files.ts";

export interface TestReview {
  readonly desk: Desk;
  readonly documents: ReviewDocuments;
  readonly commands: ReturnType<typeof createReviewCommands>;
  readonly session: Session;
  readonly prompts: Shown["prompts"];
  readonly registry: Shown["registry"];
  newConversation(): Promise<void>;
  open(id: string): Promise<void>;
  readonly applied: AppliedPatches;
  readonly sim: Simulator;
  /** Has the model propose a patch; resolves when it waits, with what its turn will come to. */
  propose(patch: string): Promise<{ readonly turn: Promise<Turn | undefined> }>;
  /** What the model was told about its last patch. */
  answer(): string;
  close(): Promise<void>;
}

/** Each test of a suite has a review of its own, and leaves nothing behind. */
export function reviewForEach(take: (review: TestReview) => unknown, workspace?: () => Workspace): void {
  let review: TestReview | undefined;
  beforeEach(async () => {
    review = await openReview(workspace?.());
    await take(review);
  });
  afterEach(async () => {
    await review?.close();
    await leaveNothing();
  });
}

export async function openReview(workspace = testWorkspace()): Promise<TestReview> {
  const sim = await startSimulator();
  const folder = mkdtempSync(join(tmpdir(), "patchbay-review-"));
  const client = createServiceClient({
    connection: async () => ({ baseUrl: sim.url, key: sim.key }),
    settings: () => ({}),
    log: silentLog,
  });
  const library = openLibrary(folder, "", Date.now);
  const shown = await showLatest({
    client,
    store: conversationStore(library),
    workspace,
    hostTools,
    settings: () => defaultConversationSettings,
    log: silentLog,
    defaultModel: () => "svc-k3",
    now: Date.now,
    newId: randomUUID,
  });
  const desk = new Desk(() => workspace.folders);
  const documents = createReviewDocuments({
    find: (call, path) => desk.find(call, path),
    canEdit: (call) => desk.canEdit(call),
    hasPatches: () => desk.patches.length > 0,
    edit: (shown, text) => desk.edit(shown, text),
  });
  const scratch = new ScratchFiles();
  const nothing = () => undefined;
  const commands = createReviewCommands({ desk, documents, scratch, nodeOf: nothing, refOf: nothing });
  const applied = createAppliedPatches({ session: () => shown.session, workspace });
  const watching = watchEditorUndo((file, by) => applied.notice(file, by));
  desk.onDidChange(() => documents.refresh());
  desk.follow({
    get state() {
      return shown.session.state;
    },
    decide: (call, decision) => shown.session.decide(call, decision),
    proposal: (call) => shown.session.patches.proposal(call),
    onEvent: (listener) => followSession(shown, shown.onSwitch, (session) => session.onEvent(listener)),
    onSwitch: shown.onSwitch,
  });
  return {
    desk,
    documents,
    commands,
    get session() {
      return shown.session;
    },
    prompts: shown.prompts,
    registry: shown.registry,
    newConversation: () => shown.newConversation(),
    open: (id) => shown.open(id),
    applied,
    sim,
    async propose(patch) {
      sim.reply(patchCall(patch));
      sim.reply(text("Done."));
      const waiting = new Promise<void>((resolve) => {
        const listening = desk.onDidChange(() => {
          if (desk.waiting === 0) return;
          listening.dispose();
          resolve();
        });
      });
      const turn = shown.session.send({ prompt: "Change it." });
      // A patch that is refused never waits.
      await Promise.race([waiting, turn]);
      return { turn };
    },
    answer() {
      const input = sim.requests.at(-1)?.body["input"] as { output?: unknown }[];
      return String(input.at(-1)?.output);
    },
    async close() {
      await shown.close();
      await library.close();
      client.dispose();
      watching.dispose();
      documents.dispose();
      scratch.dispose();
      desk.dispose();
      await sim.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
