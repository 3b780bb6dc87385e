// A review with everything behind it – sessions, service client, simulator – in the real editor, without the panel.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { followSession } from "../../../src/chat-surface.ts";
import { createServiceClient } from "../../../src/core/api/service-client.ts";
import type { ChangeSet } from "../../../src/core/changes/change-set.ts";
import type { Turn } from "../../../src/core/conversation/state.ts";
import {
  type ConversationSettings,
  defaultConversationSettings,
} from "../../../src/core/session/conversation-settings.ts";
import { conversationStore, openLibrary } from "../../../src/core/session/conversation-store.ts";
import type { Session } from "../../../src/core/session/session.ts";
import { silentLog } from "../../../src/core/util/log.ts";
import type { Workspace } from "../../../src/core/workspace.ts";
import { Desk, type Target, type WaitingFile } from "../../../src/shell/review/desk.ts";
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
  readonly changes: ChangeSet;
  readonly sim: Simulator;
  /** Has the model propose a patch; resolves when the turn has ended and the desk shows what waits, with its call. */
  propose(patch: string): Promise<{ readonly turn: Turn; readonly call: string }>;
  /** A file that waits, by its path. */
  file(path?: string): WaitingFile;
  /** Some hunks of it, counted from 0; all without numbers. */
  target(path?: string, ...numbers: number[]): Target;
  /** What the model was told about its last patch. */
  answer(): string;
  /** What it is told with the next question. */
  news(): Promise<string>;
  /** Once the desk is as it should be. */
  until(isSo: () => boolean): Promise<void>;
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

export const reviewFolder = (): string => mkdtempSync(join(tmpdir(), "patchbay-review-"));

/** `at`: a folder that an earlier window has used, and another one may use later. */
export async function openReview(
  workspace = testWorkspace({ savesAfterApply: () => true }),
  { at, settings = defaultConversationSettings }: { at?: string; settings?: ConversationSettings } = {},
): Promise<TestReview> {
  const sim = await startSimulator();
  const folder = at ?? reviewFolder();
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
    settings: () => settings,
    log: silentLog,
    defaultModel: () => "svc-k3",
    now: Date.now,
    newId: randomUUID,
  });
  const desk = new Desk(() => workspace.folders);
  const documents = createReviewDocuments(desk);
  const scratch = new ScratchFiles();
  const nothing = () => undefined;
  const failures: unknown[] = [];
  const commands = createReviewCommands({
    ...{ desk, documents, scratch },
    nodeOf: nothing,
    refOf: nothing,
    report: (error) => void failures.push(error),
  });
  const changes = () => shown.session.patches.changes;
  const watching = watchEditorUndo((file, by) => changes().notice(file, by));
  desk.onDidChange(() => documents.refresh());
  const following = desk.follow(
    {
      get session() {
        return shown.session;
      },
      follow: (listener) => followSession(shown, shown.onSwitch, listener),
    },
    () => "Conversation",
  );
  const until = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      if (isSo()) return resolve();
      const listening = desk.onDidChange(() => {
        if (!isSo()) return;
        listening.dispose();
        resolve();
      });
    });
  function file(path?: string): WaitingFile {
    const found = desk.files.find((each) => path === undefined || each.path === path);
    if (found === undefined) throw new Error(`${path ?? "No file"} does not wait.`);
    return found;
  }
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
    get changes() {
      return changes();
    },
    sim,
    async propose(patch) {
      sim.reply(patchCall(patch));
      sim.reply(text("Done."));
      const turn = await shown.session.send({ prompt: "Change it." });
      const part = turn?.parts.find((each) => each.type === "patch");
      if (turn === undefined || part?.type !== "patch") throw new Error("The model proposed nothing.");
      if (part.status === "proposed") await until(() => desk.files.length === changes().pending.length);
      return { turn, call: part.call };
    },
    file,
    target(path, ...numbers) {
      const { set, pending } = file(path);
      const ids = pending.hunks.map(({ id }) => id);
      return { set, hunks: numbers.length === 0 ? ids : numbers.map((number) => ids[number] ?? "") };
    },
    async news() {
      sim.reply(text("Yes."));
      await shown.session.send({ prompt: "And now?" });
      const input = sim.requests.at(-1)?.body["input"] as { content?: unknown }[];
      const items = input.map(({ content }) => (typeof content === "string" ? content : ""));
      return items.findLast((each) => each.startsWith("[Patchbay:")) ?? "";
    },
    until,
    answer() {
      const input = sim.requests.at(-1)?.body["input"] as { output?: unknown }[];
      return String(input.findLast(({ output }) => output !== undefined)?.output);
    },
    async close() {
      await shown.close();
      await library.close();
      client.dispose();
      watching.dispose();
      following.dispose();
      documents.dispose();
      scratch.dispose();
      desk.dispose();
      await sim.close();
      if (at === undefined) rmSync(folder, { recursive: true, force: true });
      if (failures.length > 0) throw failures[0];
    },
  };
}
