// The review as a whole: view, documents, marks in open files, commands. What it shows is the change set of the conversation
// in use, and a sample while somebody tries one.
import * as vscode from "vscode";
import type { ChangesAction, ReviewAction } from "../../bridge/protocol.ts";
import type { Origins } from "../../core/changes/origins.ts";
import { pathOf } from "../../core/files/locate.ts";
import { message } from "../../core/messages/message.ts";
import { MessageError } from "../../core/messages/message-error.ts";
import type { Session } from "../../core/session/session.ts";
import type { Findings } from "../findings/findings.ts";
import { commands, contextKeys, focusOf, views } from "../manifest.ts";
import type { TaskInReview } from "../threads/thread-talk.ts";
import type { Threads } from "../threads/threads.ts";
import { toFileName } from "../workspace/file-uris.ts";
import { createAfterCommands } from "./after-commands.ts";
import { type ArrivingDeps, createArriving } from "./arriving.ts";
import { askAboutChange } from "./ask-about-change.ts";
import type { CheckNode } from "./check-rows.ts";
import { createReviewDocuments } from "./documents.ts";
import { watchEditorUndo } from "./editor-undo.ts";
import { createHunkThreads } from "./hunk-threads.ts";
import { isReviewing } from "./is-reviewing.ts";
import { isApplied, patchesOf } from "./patches.ts";
import { createProvenance } from "./provenance.ts";
import { createReferences } from "./references.ts";
import { createReviewCommands } from "./review-commands.ts";
import {
  isDone,
  type ReviewedSession,
  ReviewModel,
  type ReviewModelDeps,
  type ReviewSet,
} from "./review-model.ts";
import { reviewStyle } from "./review-style.ts";
import { closeDecided, renewRestored } from "./review-tabs.ts";
import { type ChangeNode, createReviewTree } from "./review-tree.ts";
import { ScratchFiles } from "./scratch-files.ts";
import { showDone, showFile, showingOf, showRevision, showWaiting } from "./show-patches.ts";
import { tellApplied } from "./tell-applied.ts";

export interface Review extends vscode.Disposable {
  /** From now on this is where changes come from. */
  follow(session: ReviewedSession): vscode.Disposable;
  /** What this session proposes is shown too, whatever the chat shows. */
  add(session: Session): TaskInReview;
  /** The check whose row a command was called on. */
  checkAt(argument: unknown): CheckNode | undefined;
  /** Of a thread below one of its changes. */
  sessionAt(thread: unknown): Session | undefined;
  /** Shows what is only there to be tried, until it is disposed. */
  try(set: ReviewSet): Promise<vscode.Disposable>;
  /** How many changes wait. */
  readonly waiting: number;
  /** Of them: what cannot be accepted as it is. */
  readonly conflicts: number;
  readonly onDidChange: vscode.Event<void>;
  /** What a page asks for with one of its rows. */
  actOnCall(call: string, action: ReviewAction, reason?: string): Promise<void>;
  /** What a page asks for with all that waits in its conversation. */
  actOnChanges(session: Session, action: ChangesAction, shown: number): Promise<void>;
  readonly commands: ReturnType<typeof createReviewCommands> &
    ReturnType<typeof createAfterCommands> & { readonly [commands.listReview]: () => Promise<void> };
}

export interface ReviewDeps extends ReviewModelDeps, Pick<ArrivingDeps, "isChatVisible" | "stop"> {
  readonly threads: Threads;
  /** Listed below what waits. */
  readonly findings: Pick<Findings, "rows" | "onDidChange">;
  /** What conversations that are open nowhere here have left in files. */
  readonly kept: Pick<Origins, "writtenIn">;
  folders(): readonly string[];
  nameOf(session: Session): string;
  nameOfModel(id: string): string;
}

export function createReview({
  folders,
  nameOf,
  threads,
  findings,
  report,
  log,
  ...deps
}: ReviewDeps): Review {
  const desk = new ReviewModel(folders, { report, log });
  const arriving = createArriving({
    ...deps,
    pathOf(uri) {
      const file = toFileName(uri);
      return file && pathOf(file, folders());
    },
  });
  const { kept, nameOfModel } = deps;
  const provenance = createProvenance({ sets: () => desk.laid, kept, nameOfModel });
  let followed: ReviewedSession | undefined;
  const documents = createReviewDocuments(desk);
  const scratch = new ScratchFiles();
  const references = createReferences(() => {
    tree.refresh();
    hunkThreads.refresh();
  });
  const hunkThreads = createHunkThreads({
    ...{ desk, threads, references, report },
    askAbout: askAboutChange,
    show: (file, hunk) => showFile(file, desk, documents, hunk),
    showRevision: (file, before) => showRevision(file, before, documents),
  });
  const tree = createReviewTree(desk, findings.rows, references, openCommand);
  const told = new Map<string, boolean>();
  function setContext(key: string, value: boolean): void {
    if (told.get(key) === value) return;
    told.set(key, value);
    void vscode.commands.executeCommand("setContext", key, value);
  }
  function look(): void {
    setContext(contextKeys.reviewActive, isReviewing());
  }

  function refresh(): void {
    tree.refresh();
    documents.refresh();
    hunkThreads.refresh();
    look();
    setContext(contextKeys.hasPendingPatch, desk.files.length > 0);
    const state = followed?.session.state;
    setContext(contextKeys.turnHasEdits, state !== undefined && patchesOf(state).some(isApplied));
  }

  function openCommand(node: ChangeNode): vscode.Command {
    return showingOf(node.file, desk, documents, node.kind === "hunk" ? node.hunk.id : undefined);
  }

  const listening = vscode.Disposable.from(
    desk.onDidChange(refresh),
    findings.onDidChange(() => tree.refresh()),
    desk.watch(),
    vscode.window.onDidChangeActiveTextEditor(look),
    vscode.window.tabGroups.onDidChangeTabs(look),
    closeDecided(desk),
    renewRestored(desk, (files) => showWaiting(files, desk, documents), report),
  );
  const all = vscode.Disposable.from(
    ...[listening, tree, documents, scratch, hunkThreads, arriving, provenance, desk],
  );
  const commandTable = {
    ...createReviewCommands({
      ...{ desk, documents, scratch, report },
      nodeOf: tree.nodeOf,
      ...{ threads, hunkThreads },
    }),
    ...createAfterCommands({ session: () => followed?.session, folders }),
    [commands.listReview]: async () => {
      if (!(await tree.focus())) await vscode.commands.executeCommand(focusOf(views.review));
    },
  };

  async function actOnCall(call: string, action: ReviewAction, reason?: string): Promise<void> {
    const changes = followed?.session.patches.changes;
    if (changes === undefined) return;
    if (changes.fatesOf(call).size === 0) throw new MessageError(message("editsGone"));
    if (action === "review") return review(call);
    if (action === "reject") return changes.rejectCall(call, reason);
    const half = changes.halfWritten?.calls ?? [];
    if (action === "undo") await changes.undo(half.includes(call) ? half : [call]);
    else if (action === "finish") isDone(await changes.finish());
    else if (action === "accept-again") await changes.acceptAgain([call]);
    else {
      const set = desk.sets.find((each) => each.changes === changes);
      const hunks = await changes.hunksOf([call]);
      if (set === undefined) throw new MessageError(message("changeConflict"));
      await desk.accept({ set, hunks });
    }
  }

  /** What waits is shown with all else that waits; what was decided, as it was. */
  async function review(call: string): Promise<void> {
    const changes = followed?.session.patches.changes;
    const waiting = desk.files.filter(({ pending }) => pending.calls.includes(call));
    if (waiting.length > 0 && reviewStyle() !== "multiDiff")
      return commandTable[commands.openReview](undefined);
    if (await showWaiting(waiting, desk, documents)) return;
    const done = (await changes?.changesOf(call)) ?? [];
    if (!(await showDone(call, done, folders(), documents))) throw new MessageError(message("editsGone"));
  }

  async function actOnChanges(session: Session, action: ChangesAction, shown: number): Promise<void> {
    const { changes } = session.patches;
    if (action === "review") return commandTable[commands.openReview](undefined);
    if (changes.revision !== shown) throw new MessageError(message("changeRevised"));
    const set = desk.sets.find((each) => each.changes === changes);
    if (set === undefined) throw new MessageError(message("changeConflict"));
    await (action === "accept-all" ? desk.acceptAll(set) : desk.rejectAll(set));
  }

  /** What checks have found stands beside what they were run on. */
  function showEvidence(): void {
    tree.refresh();
    hunkThreads.refresh();
  }

  /** `isShown`: it is the conversation in use, which comes first. */
  function attend(set: ReviewSet & { readonly session: Session }, isShown: boolean): vscode.Disposable {
    const { session, changes } = set;
    let wasRunning = session.isRunning;
    return vscode.Disposable.from(
      desk.lay(set, isShown),
      // A thread offers to stop, or to ask.
      session.onChange(() => {
        if (session.isRunning === wasRunning) return;
        wasRunning = session.isRunning;
        hunkThreads.refresh();
      }),
      ...(session.patches.checks === undefined ? [] : [session.patches.checks.onDidChange(showEvidence)]),
      session.onEvent((event) => {
        if (event.type !== "patch-state" || event.status !== "applied") return;
        refresh();
        const patch = patchesOf(session.state).find(({ call }) => call === event.call);
        if (patch === undefined) return;
        const isSeen = deps.isChatVisible() || !isShown;
        if (!isSeen && session.isRunning) tellApplied(patch, actOnCall).catch(report);
      }),
      watchEditorUndo((file, by) => changes.notice(file, by).catch(report)),
    );
  }

  const setOf = (session: Session) => ({
    // It gets one with its first question.
    get name() {
      return nameOf(session);
    },
    ...{ changes: session.patches.changes, session },
    isSample: false,
  });

  return {
    follow(source) {
      followed = source;
      return source.follow((session) => {
        arriving.update(session.state);
        const listening = session.onEvent(({ type }) => {
          if (type === "patch" || type === "ended") arriving.update(session.state);
        });
        return vscode.Disposable.from(attend(setOf(session), true), listening);
      });
    },
    add(session) {
      const set = Object.assign(setOf(session), { isInFile: true as const });
      const attending = attend(set, false);
      return { say: (comments) => hunkThreads.say(set, comments), dispose: () => attending.dispose() };
    },
    checkAt(argument) {
      const node = tree.nodeOf(argument);
      return node?.kind === "check" ? node : undefined;
    },
    sessionAt: (thread) => hunkThreads.refOf(thread)?.set.session,
    async try(set) {
      const lying = desk.lay(set);
      await set.changes.refresh();
      await showWaiting(
        desk.files.filter((file) => file.set === set),
        desk,
        documents,
      );
      return lying;
    },
    get waiting() {
      return desk.waiting;
    },
    get conflicts() {
      return desk.conflicts;
    },
    onDidChange: desk.onDidChange,
    actOnCall,
    actOnChanges,
    commands: commandTable,
    dispose: () => all.dispose(),
  };
}
