// A review with everything behind it – sessions, service client, simulator – in the real editor, without the panel.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { followSession } from "../../../src/chat-surface.ts";
import { createServiceClient } from "../../../src/core/api/service-client.ts";
import type { ChangeSet } from "../../../src/core/changes/change-set.ts";
import type { Workspace } from "../../../src/core/changes/workspace.ts";
import type { Turn } from "../../../src/core/conversation/state.ts";
import { allSentences } from "../../../src/core/messages/english.ts";
import {
  type ConversationSettings,
  defaultConversationSettings,
} from "../../../src/core/session/conversation-settings.ts";
import { conversationStore, openLibrary } from "../../../src/core/session/conversation-store.ts";
import type { Session } from "../../../src/core/session/session.ts";
import type { Library } from "../../../src/core/store/library.ts";
import { silentLog } from "../../../src/core/util/log.ts";
import { learnSentences } from "../../../src/shell/in-reader-language.ts";
import { askAboutChange } from "../../../src/shell/review/ask-about-change.ts";
import { createReviewDocuments, type ReviewDocuments } from "../../../src/shell/review/documents.ts";
import { watchEditorUndo } from "../../../src/shell/review/editor-undo.ts";
import { createHunkThreads } from "../../../src/shell/review/hunk-threads.ts";
import { createReferences } from "../../../src/shell/review/references.ts";
import { createReviewCommands } from "../../../src/shell/review/review-commands.ts";
import type { ReviewNode } from "../../../src/shell/review/review-items.ts";
import { ReviewModel, type Target, type WaitingFile } from "../../../src/shell/review/review-model.ts";
import { closeDecided } from "../../../src/shell/review/review-tabs.ts";
import { ScratchFiles } from "../../../src/shell/review/scratch-files.ts";
import { showFile, showRevision } from "../../../src/shell/review/show-patches.ts";
import { createThreads, type Threads } from "../../../src/shell/threads/threads.ts";
import { createHostTools } from "../../../src/shell/tools/host-tools.ts";
import { patchCall, text } from "../../sim/script.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";
import { type Shown, showLatest } from "../../support/test-app.ts";
import { leaveNothing, testWorkspace } from "./files.ts";

export interface TestReview {
  readonly desk: ReviewModel;
  readonly documents: ReviewDocuments;
  readonly commands: ReturnType<typeof createReviewCommands>;
  readonly session: Session;
  readonly prompts: Shown["prompts"];
  readonly registry: Shown["registry"];
  readonly library: Library;
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
  readonly threads: Threads;
  /** The threads that are there, in the order in which they came. */
  readonly opened: ReadonlySet<vscode.CommentThread>;
  /** Once they are as they should be; the editor tells nobody which it shows. */
  untilThreads(isSo: (opened: readonly vscode.CommentThread[]) => boolean): Promise<vscode.CommentThread[]>;
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
  learnSentences(allSentences);
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
    hostTools: createHostTools(silentLog),
    settings: () => settings,
    log: silentLog,
    defaultModel: () => "svc-k3",
    now: Date.now,
    newId: randomUUID,
  });
  const failures: unknown[] = [];
  const report = (error: unknown) => void failures.push(error);
  const desk = new ReviewModel(() => workspace.folders, { report, log: silentLog });
  const documents = createReviewDocuments(desk);
  const scratch = new ScratchFiles();
  const opened = new Set<vscode.CommentThread>();
  const moved = new vscode.EventEmitter<void>();
  const threads = seenThreads(opened, moved);
  const references = createReferences(() => hunkThreads.refresh(), 50_000);
  const hunkThreads = createHunkThreads({
    ...{ desk, threads, references, report },
    askAbout: askAboutChange,
    show: (of, hunk) => showFile(of, desk, documents, hunk),
    showRevision: (of, before) => showRevision(of, before, documents),
  });
  const commands = createReviewCommands({
    ...{ desk, documents, scratch },
    ...{ threads, hunkThreads },
    nodeOf: (argument) => (typeof argument === "object" ? (argument as ReviewNode) : undefined),
    report,
  });
  const changes = () => shown.session.patches.changes;
  const watching = vscode.Disposable.from(
    watchEditorUndo((file, by) => changes().notice(file, by)),
    desk.watch(),
    closeDecided(desk),
    desk.onDidChange(() => {
      documents.refresh();
      hunkThreads.refresh();
    }),
    hunkThreads,
    threads,
  );
  const following = followSession(shown, shown.onSwitch, (session) =>
    desk.lay({ name: "Conversation", changes: session.patches.changes, session, isSample: false }, true),
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
    library,
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
    ...{ threads, opened },
    async untilThreads(isSo) {
      while (!isSo([...opened])) await new Promise<void>((resolve) => once(moved.event, resolve));
      return [...opened];
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

/** The editor tells nobody which threads it shows. */
function seenThreads(opened: Set<vscode.CommentThread>, moved: vscode.EventEmitter<void>): Threads {
  const threads = createThreads();
  return Object.assign(Object.create(threads) as Threads, {
    open(uri: vscode.Uri, line: number, isFolded?: boolean) {
      const thread = threads.open(uri, line, isFolded);
      const dispose = thread.dispose.bind(thread);
      const seen = new Proxy(thread, {
        set(target, name, value) {
          const isSet = Reflect.set(target, name, value);
          moved.fire();
          return isSet;
        },
        get(target, name) {
          if (name !== "dispose") return Reflect.get(target, name);
          return () => {
            opened.delete(seen);
            dispose();
            moved.fire();
          };
        },
      });
      opened.add(seen);
      moved.fire();
      return seen;
    },
  });
}

function once(event: vscode.Event<void>, then: () => void): void {
  const listening = event(() => {
    listening.dispose();
    then();
  });
}
