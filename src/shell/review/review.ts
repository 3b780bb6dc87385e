// The review as a whole: view, documents, marks in open files, commands. What it shows are the patches of the open
// conversation.
import * as vscode from "vscode";
import type { ReviewAction } from "../../bridge/protocol.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import type { AppliedPatches } from "../../core/session/applied-patches.ts";
import { pathOf } from "../../core/tools/locate.ts";
import { commands, contextKeys, focusOf, views } from "../manifest.ts";
import { toFileName, toUri } from "../workspace/places.ts";
import { createAfterCommands } from "./after-commands.ts";
import { type ArrivingNeeds, createArriving } from "./arriving.ts";
import { Desk, type ReviewedSession } from "./desk.ts";
import { createReviewDocuments } from "./documents.ts";
import { watchEditorUndo } from "./editor-undo.ts";
import { createInlineReview } from "./inline.ts";
import { isPending, type PatchInReview } from "./patches.ts";
import { createProvenance, type Provenance } from "./provenance.ts";
import { createReviewCommands } from "./review-commands.ts";
import type { ReviewNode } from "./review-items.ts";
import { reviewStyle } from "./review-style.ts";
import { createReviewTree } from "./review-tree.ts";
import { ScratchFiles } from "./scratch-files.ts";
import { createSettledMarks } from "./settled-marks.ts";
import { showingOf, showPatches } from "./show-patches.ts";
import { tellApplied } from "./tell-applied.ts";
import { isReviewing } from "./where.ts";

export interface Review extends vscode.Disposable {
  /** From now on this is where patches come from. */
  follow(session: ReviewedSession, applied: AppliedPatches): vscode.Disposable;
  /** How many changes wait. */
  readonly waiting: number;
  readonly onDidChange: vscode.Event<void>;
  /** What a page asks for with one of its cards. */
  actOnCall(call: string, action: ReviewAction): Promise<void>;
  readonly commands: ReturnType<typeof createReviewCommands> &
    ReturnType<typeof createAfterCommands> & {
      readonly [commands.listReview]: () => Promise<void>;
      readonly [commands.turnTick]: (argument: unknown) => Promise<void>;
    };
}

export interface ReviewNeeds extends Pick<ArrivingNeeds, "isChatVisible" | "stop"> {
  folders(): readonly string[];
  /** What a person has asked for cannot be done. */
  report(error: unknown): void;
}

export function createReview({ folders, ...needs }: ReviewNeeds): Review {
  const desk = new Desk(folders);
  const arriving = createArriving({
    ...needs,
    pathOf(uri) {
      const file = toFileName(uri);
      return file && pathOf(file, folders());
    },
  });
  const provenance = createProvenance();
  let applied: AppliedPatches | undefined;
  const documents = createReviewDocuments({
    find: (call, path) => desk.find(call, path),
    canEdit: (call) => desk.canEdit(call),
    hasPatches: () => desk.patches.length > 0,
    edit: (shown, text) => desk.edit(shown, text),
  });
  const scratch = new ScratchFiles();
  const inline = createInlineReview({
    isWaiting: () => desk.waiting > 0,
    hunksIn: (document) => desk.hunksIn(document),
  });
  const tree = createReviewTree({
    patches: () => desk.patches,
    waiting: () => desk.waiting,
    takes: (call, hunk) => desk.takes(call, hunk),
    isSettled: (call, hunk) => desk.isSettled(call, hunk),
    isEdited: (call, path) => desk.isEdited(call, path),
    staleness: (patch, file) => desk.staleness(patch, file),
    tick: (node, on) => tick(desk, node, on),
    canTakeBack: (call) => applied?.has(call) === true,
    openCommand: (node) => openCommand(desk, node),
  });
  const settled = createSettledMarks(desk);
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
    inline.refresh();
    settled.refresh();
    look();
    setContext(contextKeys.hasPendingPatch, desk.waiting > 0);
    setContext(
      contextKeys.turnHasEdits,
      desk.patches.some(({ call }) => applied?.has(call)),
    );
  }

  const stale = new WeakSet<vscode.TextDocument>();
  /** Typing tells the desk nothing; the list has to say what no longer fits. */
  function lookForStale(document: vscode.TextDocument): void {
    if (desk.waiting === 0 || desk.isStale(document) === stale.has(document)) return;
    if (!stale.delete(document)) stale.add(document);
    tree.refresh();
  }

  const listening = vscode.Disposable.from(
    desk.onDidChange(refresh),
    vscode.workspace.onDidChangeTextDocument(({ document }) => lookForStale(document)),
    vscode.window.onDidChangeActiveTextEditor(look),
    vscode.window.tabGroups.onDidChangeTabs(look),
  );
  const all = vscode.Disposable.from(
    ...[listening, tree, documents, scratch, inline, settled, arriving, provenance, desk],
  );
  const commandTable = {
    ...createReviewCommands({ desk, documents, scratch, nodeOf: tree.nodeOf, refOf: inline.refOf }),
    ...createAfterCommands({ desk, applied: () => applied, nodeOf: tree.nodeOf }),
    [commands.listReview]: async () => {
      if (!(await tree.focus())) await vscode.commands.executeCommand(focusOf(views.review));
    },
    [commands.turnTick]: tree.turnTick,
  };

  async function actOnCall(call: string, action: ReviewAction): Promise<void> {
    const patches = desk.patches.filter((patch) => patch.call === call);
    if (action === "review" && patches.some(isPending) && reviewStyle() !== "multiDiff")
      return commandTable[commands.openReview](undefined);
    if (action === "review" && !(await showPatches(patches, desk, documents)))
      throw new HumanError(vscode.l10n.t("This patch is not kept in full any more."));
    if (action !== "undo") return;
    if (applied?.has(call) !== true)
      throw new HumanError(vscode.l10n.t("How to take this patch back is not known any more."));
    await applied.takeBack([call]);
    refresh();
  }

  return {
    follow(session, patches) {
      applied = patches;
      return vscode.Disposable.from(
        desk.follow(session),
        watchEditorUndo((file, by) => patches.notice(file, by)),
        session.onSwitch(() => arriving.update(session.state)),
        session.onEvent((event) => {
          if (event.type === "patch" || event.type === "ended") arriving.update(session.state);
          if (event.type !== "patch" || event.status !== "applied" || event.again === true) return;
          const patch = desk.patches.find(({ call }) => call === event.call);
          if (patch !== undefined) remember(desk, patch, provenance);
          if (patch !== undefined && !needs.isChatVisible())
            tellApplied(patch, actOnCall).catch(needs.report);
        }),
      );
    },
    get waiting() {
      return desk.waiting;
    },
    onDidChange: desk.onDidChange,
    actOnCall,
    commands: commandTable,
    dispose: () => all.dispose(),
  };
}

/** Its lines are this turn's from now on. */
function remember(desk: Desk, patch: PatchInReview, provenance: Provenance): void {
  for (const shown of desk.shown(patch.call)) {
    const { change } = shown;
    const uri = toUri(change.kind === "move" ? change.to : change.file);
    provenance.add(uri, shown, patch.turnNumber, patch.prompt);
  }
}

function tick(desk: Desk, node: ReviewNode, on: boolean): void {
  if (node.kind === "turn") return;
  const hunks = node.kind === "hunk" ? [node.hunk] : node.file.hunks;
  desk.tick({ call: node.patch.call, hunks: hunks.map(({ id }) => id) }, on);
}

/** What is not kept in full any more is said by our own command. */
function openCommand(desk: Desk, node: Exclude<ReviewNode, { kind: "turn" }>): vscode.Command {
  const { patch, file } = node;
  const shown = desk.find(patch.call, file.path);
  return shown === undefined
    ? { command: commands.openChange, title: vscode.l10n.t("Show Change"), arguments: [node] }
    : showingOf(shown, patch.turnNumber, desk, node.kind === "hunk" ? node.hunk.id : file.hunks[0]?.id);
}
