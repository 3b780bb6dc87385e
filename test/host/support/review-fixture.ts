// A review with everything behind it – sessions, service client, simulator – in the real editor, without the panel.

import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { ChangeSet } from "../../../src/changes/change-set.ts";
import { allSentences, SaidInRow } from "../../../src/conversation/english.ts";
import type { Turn } from "../../../src/conversation/state.ts";
import { registerMessages } from "../../../src/editor/localize.ts";
import { createReferences, type References } from "../../../src/editor/review/internal/count-references.ts";
import { watchEditorUndo } from "../../../src/editor/review/internal/file-event-watch.ts";
import {
  askAboutChange,
  createLentThreads,
  type LentThreads,
} from "../../../src/editor/review/internal/hunk-conversations.ts";
import { createHunkThreads, type HunkThreads } from "../../../src/editor/review/internal/hunk-threads.ts";
import {
  createReviewDocuments,
  type ReviewDocuments,
} from "../../../src/editor/review/internal/proposed-files.ts";
import { ScratchFiles } from "../../../src/editor/review/internal/refactor-preview.ts";
import { createRemarkCommands } from "../../../src/editor/review/internal/remark-commands.ts";
import { createReviewCommands } from "../../../src/editor/review/internal/review-commands.ts";
import { ReviewModel } from "../../../src/editor/review/internal/review-model.ts";
import type { Target, WaitingFile } from "../../../src/editor/review/internal/review-targets.ts";
import type { ReviewNode } from "../../../src/editor/review/internal/review-tree.ts";
import { createEvidence, type Evidence } from "../../../src/editor/review/internal/set-evidence.ts";
import { closeDecided, showFile, showRevision } from "../../../src/editor/review/internal/show-changes.ts";
import { createThreads, type Threads } from "../../../src/editor/ui/thread-input.ts";
import type { Workspace } from "../../../src/files/workspace.ts";
import { followSession } from "../../../src/host/shown-conversation.ts";
import { conversationStore, openLibrary } from "../../../src/session/conversation-store.ts";
import type { Session } from "../../../src/session/session.ts";
import {
  type ConversationSettings,
  defaultConversationSettings,
} from "../../../src/session/session-context.ts";
import type { Library } from "../../../src/store/library.ts";
import { createHostTools } from "../../../src/tools/editor/vscode-tools.ts";
import { silentLog } from "../../../src/util/log.ts";
import { patchCall, text } from "../../sim/script.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";
import { clientOf } from "../../support/simulated-client.ts";
import { type Shown, showLatest } from "../../support/test-app.ts";
import { leaveNothing, testWorkspace } from "./files.ts";

export interface TestReview {
  readonly desk: ReviewModel;
  readonly documents: ReviewDocuments;
  readonly hunkThreads: HunkThreads;
  readonly lentThreads: LentThreads;
  readonly references: References;
  readonly evidence: Evidence;
  readonly commands: ReturnType<typeof createReviewCommands> &
    ReturnType<typeof createRemarkCommands>["commands"];
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
  /** What was only to be heard of, since a row says it. */
  readonly said: readonly string[];
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

/**
 * Each test of a suite has a review of its own, and leaves nothing behind. What is returned stands for the review of
 * the test that runs. `prepare` is called when one was opened.
 */
export function reviewForEach(prepare?: () => unknown, workspace?: () => Workspace): TestReview {
  let review: TestReview | undefined;
  beforeEach(async () => {
    review = await openReview(workspace?.());
    await prepare?.();
  });
  afterEach(async () => {
    await review?.close();
    await leaveNothing();
  });
  return new Proxy({} as TestReview, { get: (_, name) => review && Reflect.get(review, name) });
}

export const reviewFolder = (): string => mkdtempSync(join(tmpdir(), "patchbay-review-"));

/** `at`: a folder that an earlier window has used, and another one may use later. */
export async function openReview(
  workspace = testWorkspace({ savesAfterApply: () => true }),
  { at, settings = defaultConversationSettings }: { at?: string; settings?: ConversationSettings } = {},
): Promise<TestReview> {
  registerMessages(allSentences);
  const sim = await startSimulator();
  const folder = at ?? reviewFolder();
  const client = clientOf(sim);
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
  const said: string[] = [];
  /** As a window does: what a row says is said in passing. */
  const report = (error: unknown) =>
    void (error instanceof SaidInRow ? said.push(error.message) : failures.push(error));
  const fixture = new ReviewModel(() => workspace.folders, { report, log: silentLog });
  const documents = createReviewDocuments(fixture);
  const scratch = new ScratchFiles();
  const opened = new Set<vscode.CommentThread>();
  const moved = new vscode.EventEmitter<void>();
  const threads = seenThreads(opened, moved);
  const references = createReferences({
    told: () => hunkThreads.refresh(),
    files: () => fixture.files,
    folders: () => workspace.folders,
    longest: 50_000,
  });
  const evidence = createEvidence({
    ...{ reviewModel: fixture, references },
    seen: { has: () => false },
    folders: () => workspace.folders,
  });
  const hunkThreads = createHunkThreads({
    ...{ reviewModel: fixture, threads, references, evidence, report },
    askAbout: askAboutChange,
    show: (of, hunk) => showFile(of, fixture, documents, hunk),
    showRevision: (of, before) => showRevision(of, before, documents),
  });
  const lentThreads = createLentThreads(fixture);
  const remarks = createRemarkCommands({
    ...{ reviewModel: fixture, hunkThreads, threads, report },
    show: (of, hunk) => showFile(of, fixture, documents, hunk),
  });
  const commands = createReviewCommands({
    ...{ reviewModel: fixture, documents, scratch },
    ...{ threads, hunkThreads, lentThreads },
    nodeOf: (argument) => (typeof argument === "object" ? (argument as ReviewNode) : undefined),
    report,
  });
  const changes = () => shown.session.patches.changes;
  const watching = vscode.Disposable.from(
    watchEditorUndo((file, by) => changes().notice(file, by)),
    fixture.watchSession(),
    closeDecided(fixture),
    fixture.onDidChange(() => {
      documents.refresh();
      hunkThreads.refresh();
    }),
    hunkThreads,
    threads,
  );
  const following = followSession(shown, shown.onSwitch, (session) =>
    fixture.addChangeSet(
      { name: "Conversation", changes: session.patches.changes, session, isSample: false },
      true,
    ),
  );
  const until = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      if (isSo()) return resolve();
      const listening = fixture.onDidChange(() => {
        if (!isSo()) return;
        listening.dispose();
        resolve();
      });
    });
  function file(path?: string): WaitingFile {
    const found = fixture.files.find((each) => path === undefined || each.path === path);
    if (found === undefined) throw new Error(`${path ?? "No file"} does not wait.`);
    return found;
  }
  return {
    ...{ desk: fixture, documents, hunkThreads, lentThreads, references, evidence },
    commands: { ...commands, ...remarks.commands },
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
      if (part.status === "proposed") await until(() => fixture.files.length === changes().pending.length);
      return { turn, call: part.call };
    },
    ...{ threads, opened, said },
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
      references.dispose();
      fixture.dispose();
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
