// The review, assembled: view, documents, decorations in open files, commands. It shows the change set of the
// conversation in use, and a sample while the user tries one.
import * as vscode from "vscode";
import type { ChangesAction, RemarksAction, ReviewAction } from "../../bridge/protocol.ts";
import type { ChangeSet } from "../../changes/change-set.ts";
import type { ReverseOutcome } from "../../changes/proposal.ts";
import type { Origins } from "../../changes/stored-origins.ts";
import { MessageError, SaidInRow } from "../../conversation/english.ts";
import { message } from "../../conversation/messages.ts";
import type { SetEvidence } from "../../evidence/change-evidence.ts";
import { pathOf } from "../../files/refusal.ts";
import type { Session } from "../../session/session.ts";
import { commands, contextKeys, focusOf, views } from "../manifest.ts";
import type { TaskInReview } from "../ui/response-comment.ts";
import type { Threads } from "../ui/thread-input.ts";
import { toFileName } from "../workspace/file-uris.ts";
import type { CheckNode } from "./check-rows.ts";
import { watchCursor } from "./internal/accept-reject-keys.ts";
import {
  createLeftEdits,
  createRevertCommands,
  isApplied,
  notifyApplied,
  patchesOf,
} from "./internal/accepted-edits-commands.ts";
import type { BreakingNode } from "./internal/breaking-rows.ts";
import { createCopyEvidence } from "./internal/copy-evidence.ts";
import { createReferences } from "./internal/count-references.ts";
import { createEditInPlace } from "./internal/edit-in-place.ts";
import { watchEditorUndo } from "./internal/file-event-watch.ts";
import { askAboutChange, createLentThreads } from "./internal/hunk-conversations.ts";
import { createHunkThreads } from "./internal/hunk-threads.ts";
import { createProvenance } from "./internal/line-origin-hover.ts";
import { createReviewDocuments } from "./internal/proposed-files.ts";
import { ScratchFiles } from "./internal/refactor-preview.ts";
import { createRemarkCommands } from "./internal/remark-commands.ts";
import { createReviewCommands } from "./internal/review-commands.ts";
import { ReviewModel, type ReviewModelDeps } from "./internal/review-model.ts";
import { type ReviewedSession, type ReviewSet, requireAccepted } from "./internal/review-targets.ts";
import { type ChangeNode, createReviewTree } from "./internal/review-tree.ts";
import { watchSeen } from "./internal/seen-changes.ts";
import { createEvidence } from "./internal/set-evidence.ts";
import {
  closeDecided,
  reopenRestored,
  showDone,
  showFile,
  showingOf,
  showRevision,
  showWaiting,
} from "./internal/show-changes.ts";
import { createStreamingPreview, type StreamingPreviewDeps } from "./internal/streaming-preview.ts";
import { isReviewing, reviewStyle } from "./shown-change.ts";

export interface Review extends vscode.Disposable {
  /** Shows the changes of this source from now on. */
  follow(session: ReviewedSession): vscode.Disposable;
  /** Shows the proposals of this session as well, whatever the chat shows. */
  add(session: Session): TaskInReview;
  /** The check whose row a command was called on. */
  checkAt(argument: unknown): CheckNode | undefined;
  /** The same for a row about the changes that break a check. */
  breakingAt(argument: unknown): BreakingNode | undefined;
  /** Accepts exactly these changes of the session, as they were shown. False if the user was asked and declined. */
  acceptExactly(session: Session, hunks: readonly string[]): Promise<boolean>;
  /** The session of a thread below one of its changes, or of a thread that represents all of them. */
  sessionAt(thread: unknown): Session | undefined;
  /** Collapses or expands the comments that preceded a change, in its thread. */
  fold(thread: unknown, isFolded: boolean): void;
  /** Shows a sample until it is disposed. */
  try(set: ReviewSet): Promise<vscode.Disposable>;
  /** Number of pending changes. */
  readonly waiting: number;
  /** How many of them cannot be accepted as they are. */
  readonly conflicts: number;
  /** The sessions they belong to. */
  readonly sessions: readonly Session[];
  readonly onDidChange: vscode.Event<void>;
  /** Handles an action of the page on the row of a call. */
  actOnCall(call: string, action: ReviewAction, path?: string): Promise<void>;
  /** Handles an action of the page on all pending changes of its conversation. */
  actOnChanges(session: Session, action: ChangesAction, shown: number, reason?: string): Promise<void>;
  /** Sends the remarks of a conversation that were not sent, or lists them. */
  actOnRemarks(session: Session, action: RemarksAction): Promise<void>;
  /** Lists what an undo has left as it was. */
  tellLeft(undone: ReverseOutcome): Promise<unknown>;
  /** The evidence of a conversation's pending changes; undefined: there are none. */
  evidenceOf(session: Session): SetEvidence | undefined;
  /** Fires when more of it is known: a reference was counted, a change was seen. */
  readonly onEvidence: vscode.Event<void>;
  /** What was checked before these files were accepted, for the message of their commit. */
  acceptedEvidence(files: readonly vscode.Uri[]): Promise<readonly string[]>;
  readonly commands: ReturnType<typeof createReviewCommands> &
    ReturnType<typeof createRemarkCommands>["commands"] &
    ReturnType<typeof createCopyEvidence>["commands"] &
    ReturnType<typeof createRevertCommands> & { readonly [commands.listReview]: () => Promise<void> };
}

interface ReviewDeps extends ReviewModelDeps, Pick<StreamingPreviewDeps, "isChatVisible" | "stop"> {
  readonly threads: Threads;
  /** Changes recorded by conversations that are not open here. */
  readonly kept: Pick<Origins, "writtenIn">;
  folders(): readonly string[];
  nameOf(session: Session): string;
  isChatFocused(): boolean;
  nameOfModel(id: string): string;
}

export function createReview({ folders, nameOf, threads, report, log, ...deps }: ReviewDeps): Review {
  const reviewModel = new ReviewModel(folders, { report, log });
  const arriving = createStreamingPreview({
    ...deps,
    pathOf(uri) {
      const file = toFileName(uri);
      return file && pathOf(file, folders());
    },
  });
  const { kept, nameOfModel } = deps;
  const provenance = createProvenance({ sets: () => reviewModel.allChangeSets, kept, nameOfModel });
  let followed: ReviewedSession | undefined;
  const documents = createReviewDocuments(reviewModel);
  const scratch = new ScratchFiles();
  const left = createLeftEdits(documents, folders);
  const known = () => {
    tree.refresh();
    hunkThreads.refresh();
    evidenceChanged.fire();
  };
  const evidenceChanged = new vscode.EventEmitter<void>();
  const references = createReferences({ told: known, files: () => reviewModel.files, folders });
  const seen = watchSeen(reviewModel, known);
  const evidence = createEvidence({ ...{ reviewModel, references, seen }, folders });
  const hunkThreads = createHunkThreads({
    ...{ reviewModel, threads, references, evidence, report },
    askAbout: askAboutChange,
    show: (file, hunk) => showFile(file, reviewModel, documents, hunk),
    showRevision: (file, before) => showRevision(file, before, documents),
  });
  const lentThreads = createLentThreads(reviewModel);
  const inPlace = createEditInPlace({
    ...{ reviewModel, documents, report },
    isChatFocused: deps.isChatFocused,
  });
  const tree = createReviewTree(reviewModel, references, evidence, openCommand);
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
    evidenceChanged.fire();
    look();
    setContext(contextKeys.hasPendingPatch, reviewModel.files.length > 0);
    const state = followed?.session.state;
    setContext(contextKeys.turnHasEdits, state !== undefined && patchesOf(state).some(isApplied));
  }

  function openCommand(node: ChangeNode): vscode.Command {
    return showingOf(node.file, reviewModel, documents, node.kind === "hunk" ? node.hunk.id : undefined);
  }

  const listening = vscode.Disposable.from(
    reviewModel.onDidChange(refresh),
    reviewModel.watchSession(),
    vscode.window.onDidChangeActiveTextEditor(look),
    vscode.window.tabGroups.onDidChangeTabs(look),
    watchCursor(reviewModel),
    closeDecided(reviewModel),
    reopenRestored(reviewModel, (files) => showWaiting(files, reviewModel, documents), report),
  );
  const all = vscode.Disposable.from(
    ...[
      listening,
      evidenceChanged,
      seen,
      references,
      tree,
      documents,
      scratch,
      hunkThreads,
      inPlace,
      arriving,
      provenance,
      reviewModel,
    ],
  );
  const copies = createCopyEvidence({ ...{ reviewModel, evidence, kept }, nodeOf: tree.nodeOf });
  const remarks = createRemarkCommands({
    ...{ reviewModel, hunkThreads, threads, report },
    show: (file, hunk) => showFile(file, reviewModel, documents, hunk),
  });
  const commandTable = {
    ...remarks.commands,
    ...createReviewCommands({
      ...{ reviewModel, documents, scratch, report },
      nodeOf: tree.nodeOf,
      ...{ threads, hunkThreads, lentThreads },
    }),
    ...createRevertCommands({ session: () => followed?.session, folders, left }),
    ...copies.commands,
    [commands.listReview]: async () => {
      if (!(await tree.focus())) await vscode.commands.executeCommand(focusOf(views.review));
    },
  };

  async function actOnCall(call: string, action: ReviewAction, path?: string): Promise<void> {
    const changes = followed?.session.patches.changes;
    if (changes === undefined) return;
    if (changes.statusesOf(call).size === 0) throw new MessageError(message("editsGone"));
    if (action === "review") return review(call);
    const half = changes.halfWritten?.calls ?? [];
    if (action === "show-left") return left.list(await changes.leftOf(call));
    if (action === "undo")
      left.note(await changes.undo(half.includes(call) ? half : [call], changesIn(call, path)));
    else if (action === "finish") requireAccepted(await changes.finish());
    else left.note(await changes.acceptAgain([call]));
  }

  /** For use while the row is not visible. */
  const actUnseen = (changes: ChangeSet) => async (call: string, action: "undo" | "review") => {
    if (action === "undo") await left.tell(await changes.undo([call]));
    else await actOnCall(call, action);
  };

  /** The changes of one file of a call, or all of them without a path. */
  function changesIn(call: string, path: string | undefined): ReadonlySet<string> | undefined {
    if (path === undefined || followed === undefined) return undefined;
    const patch = patchesOf(followed.session.state).find((each) => each.call === call);
    const file = patch?.files.find((each) => each.path === path);
    return new Set(file?.hunks.map(({ id }) => id));
  }

  /** Shows pending changes together with all others; decided ones as they were. */
  async function review(call: string): Promise<void> {
    const changes = followed?.session.patches.changes;
    const waiting = reviewModel.files.filter(({ pending }) => pending.calls.includes(call));
    if (waiting.length > 0 && reviewStyle() !== "multiDiff")
      return commandTable[commands.openReview](undefined);
    if (await showWaiting(waiting, reviewModel, documents)) return;
    const done = (await changes?.changesOf(call)) ?? [];
    if (!(await showDone(call, done, folders(), documents))) throw new MessageError(message("editsGone"));
  }

  async function actOnChanges(
    session: Session,
    action: ChangesAction,
    shown: number,
    reason?: string,
  ): Promise<void> {
    const { changes } = session.patches;
    if (action === "review") return commandTable[commands.openReview](undefined);
    if (changes.revision !== shown && (await changes.refuseRevised(shown)))
      throw new SaidInRow(message("changeRevised"));
    const set = reviewModel.sets.find((each) => each.changes === changes);
    if (set === undefined) throw new MessageError(message("changeConflict"));
    if (action === "accept-all") return reviewModel.acceptAll(set);
    await reviewModel.rejectAll(set, reason);
    if (reason !== undefined) await session.sendFeedback(reason);
  }

  /** Shows the results of checks next to the changes they were run on. */
  function showEvidence(): void {
    tree.refresh();
    hunkThreads.refresh();
  }

  /** `isShown`: it is the conversation in use, which comes first. */
  function attend(set: ReviewSet & { readonly session: Session }, isShown: boolean): vscode.Disposable {
    const { session, changes } = set;
    let wasRunning = session.isRunning;
    let remarked = session.remarks.list;
    return vscode.Disposable.from(
      reviewModel.addChangeSet(set, isShown),
      // Threads offer Stop while it runs, and Ask otherwise.
      session.onChange(() => {
        if (session.isRunning === wasRunning && session.remarks.list === remarked) return;
        wasRunning = session.isRunning;
        remarked = session.remarks.list;
        hunkThreads.refresh();
      }),
      ...[session.patches.checks, session.patches.breaking].flatMap(
        (each) => each?.onDidChange(showEvidence) ?? [],
      ),
      session.onEvent((event) => {
        // What a response claims is known once it has ended.
        if (event.type === "ended") showEvidence();
        if (event.type !== "patch-state" || event.status !== "applied") return;
        refresh();
        const patch = patchesOf(session.state).find(({ call }) => call === event.call);
        if (patch === undefined) return;
        const isSeen = deps.isChatVisible() || !isShown;
        if (!isSeen && session.isRunning) notifyApplied(patch, actUnseen(changes)).catch(report);
      }),
      watchEditorUndo((file, by) => changes.notice(file, by).catch(report)),
    );
  }

  const setOf = (session: Session) => ({
    // A conversation gets its title with its first question.
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
      return {
        async show(talk, from) {
          const isShown =
            (from !== undefined && (await inPlace.show(set, from))) || hunkThreads.isInFile(set);
          if (isShown) hunkThreads.say(set, talk);
          return isShown;
        },
        lend: (thread) => lentThreads.lend(thread, set),
        dispose: () => attending.dispose(),
      };
    },
    checkAt(argument) {
      const node = tree.nodeOf(argument);
      return node?.kind === "check" ? node : undefined;
    },
    breakingAt(argument) {
      const node = tree.nodeOf(argument);
      return node?.kind === "breaking" ? node : undefined;
    },
    acceptExactly: async (session, hunks) => requireAccepted(await session.patches.changes.accept(hunks)),
    sessionAt: (thread) => (hunkThreads.refOf(thread)?.set ?? lentThreads.setOf(thread))?.session,
    fold(thread, isFolded) {
      const ref = hunkThreads.refOf(thread);
      if (ref !== undefined) hunkThreads.fold(ref, isFolded);
    },
    async try(set) {
      const lying = reviewModel.addChangeSet(set);
      await set.changes.refresh();
      await showWaiting(
        reviewModel.files.filter((file) => file.set === set),
        reviewModel,
        documents,
      );
      return lying;
    },
    get waiting() {
      return reviewModel.waiting;
    },
    get conflicts() {
      return reviewModel.conflicts;
    },
    get sessions() {
      return reviewModel.sets.flatMap(({ session }) => session ?? []);
    },
    onDidChange: reviewModel.onDidChange,
    actOnCall,
    actOnChanges,
    actOnRemarks: (session, action) => remarks[action](session),
    evidenceOf(session) {
      const set = reviewModel.sets.find((each) => each.session === session);
      return set && evidence.asked(set);
    },
    onEvidence: evidenceChanged.event,
    acceptedEvidence: copies.ofFiles,
    tellLeft: left.tell,
    commands: commandTable,
    dispose: () => all.dispose(),
  };
}
