// Proposed edits, one card for each patch: its files, changed lines and status. The card blocks nothing: the user
// decides in the bar above the composer or in the editor, at any time. A decided patch folds to one line.
import type { CallAction } from "../../../bridge/protocol.ts";
import type { CheckState, NewErrors } from "../../../bridge/view-state.ts";
import type { PatchFile, PatchPart, PatchStatus } from "../../../conversation/state.ts";
import { button, h, setChildren, setText, setTitle } from "../../elements/dom.ts";
import { type IconName, icon } from "../../elements/icons.ts";
import { rowWindow } from "../../elements/row-window.ts";
import { type Row, rows } from "../../elements/rows.ts";
import type { RenderContext, TurnDeps } from "../../render-context.ts";
import { messageText, messageTexts } from "../../words/messages.ts";
import { plural, strings } from "../../words/strings.ts";
import { standFor } from "../find/find-highlights.ts";
import type { PartSituation, PartView } from "../parts/part-view.ts";
import { checkChips } from "./check-chips.ts";
import { decisionButtons } from "./decision-buttons.ts";
import { changedLines, isLeftOut, linesIn } from "./diff-view.ts";
import { evidenceRows } from "./evidence-rows.ts";
import { patchFileView, patchFileWords } from "./patch-file-view.ts";

interface FileRow {
  readonly file: PatchFile;
  /** Why the file is flagged as risky. */
  readonly flags: readonly string[];
  /** The accepted changes in it can be undone separately. */
  readonly isUndoable: boolean;
  readonly call: string;
}

interface ErrorsRow extends Row, NewErrors {
  readonly isFixable: boolean;
}

interface ButtonsRow extends Row {
  readonly actions: readonly CallAction[];
  readonly isPrimary: boolean;
}

const pictures: Readonly<Record<PatchStatus, IconName>> = {
  arriving: "edit",
  proposed: "diff",
  applied: "check",
  undone: "undo",
  rejected: "stop",
  conflict: "warning",
  replaced: "diff",
  failed: "error",
  stopped: "stop",
  lost: "info",
};

const statusWords: Readonly<Record<PatchStatus, string>> = {
  arriving: strings.patchArriving,
  proposed: strings.patchProposed,
  applied: strings.patchApplied,
  undone: strings.patchUndone,
  rejected: strings.patchRejected,
  conflict: strings.patchConflict,
  replaced: strings.patchReplaced,
  failed: strings.patchFailed,
  stopped: strings.patchStopped,
  lost: strings.patchLost,
};

/** Nothing is left to decide in such a patch. */
const decided: ReadonlySet<PatchStatus> = new Set(["applied", "undone", "rejected", "replaced"]);

/** A change with this few lines is shown unfolded. */
const fewLines = 20;

function statusWord({ status, files }: PatchPart): string {
  const isPart =
    status === "applied" &&
    files.some(({ hunks }) => hunks.some((hunk) => hunk.status !== "applied" && hunk.status !== "replaced"));
  return isPart ? strings.patchPartly : statusWords[status];
}

/** The readable text of the part. */
export const patchWords = (part: PatchPart): readonly string[] => [
  statusWord(part),
  messageTexts(part.message && [part.message]),
  ...part.files.flatMap(patchFileWords),
];

export function patchPart({ post, say, choices, editorColours }: TurnDeps): PartView<PatchPart> {
  const picture = h("span", { class: "picture" });
  const status = h("span", { class: "verb", "data-read": "" });
  const count = h("span", { class: "count" });
  const lines = h("span", { class: "all-lines" });
  /** The name of the only file, on the line of a decided patch. */
  const name = h("bdi", { class: "path" });
  const fate = h("span", { class: "fate" });
  const chevron = icon("chevron");
  const toggle = h("button", { type: "button", class: "fold-head" });
  const question = h("div", { class: "question-for-you" });
  const head = h("div", { class: "head" });
  const message = h("p", { class: "message", dir: "auto", "data-read": "" });
  const files = h("ul", { class: "files" });
  const checks = checkChips({
    act: (check, action) => post({ type: "act-on-check", check, action }),
  });
  const evidence = evidenceRows(say);
  const errors = h("div");
  const root = h(
    "div",
    { class: "part patch card", role: "group" },
    head,
    message,
    evidence.root,
    files,
    checks.root,
    errors,
  );
  const open = (path: string, line?: number) => post({ type: "open-file", path, line });
  /** Whether files are initially unfolded; once all have arrived, each stays as the user leaves it. */
  let unfolds = false;
  let isArriving = true;
  /** Whether files that were removed from the document were unfolded. */
  const left = new Map<string, boolean>();
  const list = rowWindow<FileRow>(files, {
    key: ({ file }) => file.path,
    isSame,
    words: ({ file }) => patchFileWords(file),
    make({ file, flags, isUndoable, call }, before) {
      const wasOpen = before?.querySelector("details")?.open ?? left.get(file.path);
      const isOpen = (isArriving ? undefined : wasOpen) ?? unfolds;
      const undo = () => post({ type: "act-on-call", call, action: "undo", path: file.path });
      return h(
        "li",
        {},
        patchFileView(file, { isOpen, flags, editorColours, open, undo: isUndoable ? undo : undefined }),
      );
    },
    leaves({ file }, element) {
      left.set(file.path, element.querySelector("details")?.open === true);
    },
  });
  const drawErrors = rows<ErrorsRow>(errors, errorsView);
  const drawButtons = rows<ButtonsRow>(question, buttonsView);
  let shown: PatchPart | undefined;
  let drawnFor: RenderContext | undefined;
  let latest: { part: PatchPart; situation: PartSituation } | undefined;
  toggle.addEventListener("click", () => toggleFold(toggle.ariaExpanded !== "true"));

  return {
    root,
    update(part, situation) {
      const { context } = situation;
      latest = { part, situation };
      if (part === shown && context === drawnFor) return;
      const { call, status: was } = part;
      const at = was === "proposed" && context.inConflict.includes(call) ? "conflict" : was;
      const word = at === was ? statusWord(part) : statusWords[at];
      if (root.dataset["status"] !== at) {
        setChildren(picture, [icon(pictures[at])]);
        root.dataset["status"] = at;
      }
      setText(status, word);
      root.setAttribute("aria-label", word);
      isArriving = shown === undefined || shown.status === "arriving";
      shown = part;
      drawnFor = context;
      drawBody(part, situation, at);
      setText(message, messageTexts(part.message && [part.message]));
      message.hidden = part.message === undefined;
    },
    refresh: list.refresh,
  };

  function drawBody(part: PatchPart, situation: PartSituation, at: PatchStatus): void {
    const { context } = situation;
    const { status: was } = part;
    const isFoldable = decided.has(at) && part.message?.code !== "changeHalfWritten";
    const isFolded = isFoldable && choices.get(keyOf(part, situation)) !== "open";
    const hadFocus = root.contains(document.activeElement);
    const counted = part.files.filter((file) => !isLeftOut(file));
    const { added, removed } = linesIn(counted);
    drawHead(isFoldable, isFolded, counted.length === 0 ? part.files : counted);
    setChildren(lines, counted.length > 1 || isFolded ? changedLines({ added, removed }) : []);
    unfolds = was !== "arriving" && added + removed <= fewLines;
    list.show(isFolded ? [] : fileRows(part, context));
    const unfold = () => toggleFold(true);
    standFor(files, isFolded ? { words: () => part.files.flatMap(patchFileWords), draw: unfold } : undefined);
    checks.update(was === "proposed" && !context.readOnly ? context.checks.filter(isOfPatch) : []);
    const isHere = was === "proposed" && !context.readOnly && context.evidence?.call === part.call;
    evidence.update(isHere ? context.evidence : undefined);
    drawErrors(errorsOf(part, context));
    drawButtons(buttonsOf(part, at === "conflict", isFolded, context));
    // The focused element was folded away.
    if (hadFocus && !root.contains(document.activeElement)) toggle.focus({ preventScroll: true });
  }

  function drawHead(isFoldable: boolean, isFolded: boolean, seen: readonly PatchFile[]): void {
    const [one] = seen;
    const path = one?.path ?? "";
    const isNamed = isFolded && seen.length === 1;
    setText(name, path.slice(path.lastIndexOf("/") + 1));
    setTitle(name, path);
    setText(count, seen.length > 1 ? plural(seen.length, strings.oneFile, strings.files) : "");
    setChildren(fate, [status, ...(isNamed ? [name] : [count]), lines]);
    toggle.ariaExpanded = String(!isFolded);
    setChildren(toggle, isFoldable ? [chevron, picture, fate] : []);
    setChildren(head, [...(isFoldable ? [toggle] : [picture, fate]), question]);
  }

  function toggleFold(isOpen: boolean): void {
    if (latest === undefined) return;
    const { part, situation } = latest;
    choices.set(keyOf(part, situation), isOpen ? "open" : "folded");
    drawBody(part, situation, part.status);
  }

  /** Errors that the editor has reported since the patch was applied. */
  function errorsView({ call, count, errors, isFixable }: ErrorsRow, before?: HTMLElement): HTMLElement {
    const sentence = plural(count, strings.oneNewError, strings.newErrors);
    if (before === undefined) say(sentence);
    const show = ({ path, line }: (typeof errors)[number]) => {
      if (path !== undefined) open(path, line);
    };
    const lines = errors.map((each) => {
      const place = `${each.path ?? ""}:${each.line ?? 1}`;
      return h(
        "li",
        {},
        button(place, "place", () => show(each)),
        h("span", { dir: "auto" }, ` ${each.text}`),
      );
    });
    const [first] = errors;
    const fix = () => post({ type: "act-on-call", call, action: "fix-errors" });
    const buttons = [
      ...(isFixable ? [button(strings.fixErrors, "secondary", fix)] : []),
      ...(first === undefined ? [] : [button(strings.showError, "secondary", () => show(first))]),
    ];
    return h(
      "div",
      { class: "new-errors" },
      h("p", { class: "fate" }, icon("error"), h("span", {}, sentence)),
      h("ul", {}, ...lines),
      h("div", { class: "buttons", role: "group", "aria-label": sentence }, ...buttons),
    );
  }

  function buttonsView({ id: call, actions, isPrimary }: ButtonsRow): HTMLElement {
    const choices = actions.map((action, index) => ({
      label: actionWords[action],
      primary: index === 0 && isPrimary,
      run: () => post({ type: "act-on-call", call, action }),
    }));
    return decisionButtons({ label: strings.changes, choices, say });
  }
}

/** What a click would run is offered once on the page: in the bar above the composer, beside the decision. */
const isOfPatch = ({ state }: CheckState): boolean =>
  state !== "offered" && state !== "waiting" && state !== "stale";

const keyOf = ({ id }: PatchPart, { turn }: PartSituation): string => `patch ${turn.id} ${id}`;

function fileRows({ call, files, message }: PatchPart, context: RenderContext): readonly FileRow[] {
  const { flagged, readOnly } = context;
  const why = new Map<string, readonly string[]>();
  for (const { path, calls, flags } of flagged)
    if (calls.includes(call)) why.set(path, [...(why.get(path) ?? []), ...flags.map(messageText)]);
  // A patch of one file has that button in its head, and one that is half written is undone as a whole.
  const isWhole = readOnly || files.length < 2 || message?.code === "changeHalfWritten";
  return files.map((file) => {
    const isUndoable = !isWhole && file.hunks.some(({ status }) => status === "applied");
    return { file, flags: why.get(file.path) ?? [], isUndoable, call };
  });
}

const isSame = (one: FileRow, other: FileRow): boolean =>
  one.isUndoable === other.isUndoable &&
  one.flags.join() === other.flags.join() &&
  (one.file === other.file || JSON.stringify(one.file) === JSON.stringify(other.file));

const errorsOf = ({ call }: PatchPart, { newErrors, readOnly, busy }: RenderContext): readonly ErrorsRow[] =>
  newErrors
    .filter((each) => each.call === call)
    .map((each) => ({ ...each, id: call, isFixable: !readOnly && !busy }));

function buttonsOf(
  part: PatchPart,
  isConflict: boolean,
  isFolded: boolean,
  context: RenderContext,
): readonly ButtonsRow[] {
  const { call, status, files, message } = part;
  const isHalf = message?.code === "changeHalfWritten";
  // If the files are known, the patch applied at first. While its turn still runs, the model is told anyway.
  const isStale = files.length > 0 && !context.busy && (isConflict || status === "failed");
  const retry: readonly CallAction[] = isStale ? ["send-current"] : [];
  const known = isHalf ? halfWritten : actionsAt[status];
  const wanting = [...(leftActions.get(message?.code ?? "") ?? []), ...known];
  const possible = wanting.filter((action) => !isConflict || action !== "finish");
  // A folded card has room only for actions that are not available elsewhere.
  const fitting = isFolded ? possible.filter((action) => action !== "review") : possible;
  const actions = context.readOnly ? [] : [...retry, ...fitting];
  // While nothing can be accepted, the action that helps here is the next thing to do.
  const isNext = isHalf || (isConflict && isStale && call === context.inConflict.at(-1));
  return actions.length === 0 ? [] : [{ id: call, actions, isPrimary: isNext && context.primary === "turn" }];
}

const actionsAt: Readonly<Record<PatchStatus, readonly CallAction[]>> = {
  arriving: [],
  proposed: ["review"],
  applied: ["undo", "review"],
  undone: ["accept-again", "review"],
  rejected: [],
  conflict: [],
  replaced: [],
  failed: [],
  stopped: [],
  lost: [],
};

/** The patch was only partly undone, or only partly accepted again. */
const leftActions: ReadonlyMap<string, readonly CallAction[]> = new Map<string, readonly CallAction[]>([
  ...(["undoneInPart", "undoneNotAll"] as const).map((code) => [code, ["show-left"]] as const),
  ...(["againInPart", "againNotAll"] as const).map((code) => [code, ["show-left", "accept-again"]] as const),
]);

/** The previous window was closed while it was writing. */
const halfWritten: readonly CallAction[] = ["finish", "undo", "review"];

const actionWords: Readonly<Record<CallAction, string>> = {
  review: strings.review,
  undo: strings.undoEdits,
  "accept-again": strings.acceptAgain,
  finish: strings.finish,
  "show-left": strings.showLeft,
  "send-current": strings.sendCurrent,
  "fix-errors": strings.fixErrors,
};
