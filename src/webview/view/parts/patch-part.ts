// The edits a model proposes, as one row for each patch, as it arrived: which files, how many lines, what became of them.
// It holds nothing up: a person decides here, in the bar above the box or in the editor, whenever they like.
import type { CallAction } from "../../../bridge/protocol.ts";
import type { NewErrors } from "../../../bridge/view-state.ts";
import type { PatchFile, PatchPart, PatchStatus } from "../../../core/conversation/tool-use.ts";
import { button, h, setChildren, setText } from "../../dom.ts";
import { type IconName, icon } from "../../icons.ts";
import { wordsOf, wordsOfAll } from "../../messages.ts";
import { type Row, rows } from "../../rows.ts";
import type { Scene, TurnDeps } from "../../turn-context.ts";
import { plural, words } from "../../words.ts";
import { changedLines, isLeftOut, linesIn } from "../changed-lines.ts";
import { checkChips } from "../check-chips.ts";
import { decisionButtons } from "../decision-buttons.ts";
import { patchFileView, patchFileWords } from "../patch-file-view.ts";
import type { PartView } from "./part-view.ts";

interface FileRow extends Row {
  readonly file: PatchFile;
  /** Why it deserves a look. */
  readonly flags: readonly string[];
}

interface ErrorsRow extends Row, NewErrors {
  readonly isFixable: boolean;
}

interface ButtonsRow extends Row {
  readonly actions: readonly CallAction[];
  readonly isWaiting: boolean;
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
  arriving: words.patchArriving,
  proposed: words.patchProposed,
  applied: words.patchApplied,
  undone: words.patchUndone,
  rejected: words.patchRejected,
  conflict: words.patchConflict,
  replaced: words.patchReplaced,
  failed: words.patchFailed,
  stopped: words.patchStopped,
  lost: words.patchLost,
};

/** So few are looked at where they stand. */
const fewLines = 20;

function statusWord({ status, files }: PatchPart): string {
  const isPart =
    status === "applied" &&
    files.some(({ hunks }) => hunks.some((hunk) => hunk.status !== "applied" && hunk.status !== "replaced"));
  return isPart ? words.patchPartly : statusWords[status];
}

/** What can be read of it. */
export const patchWords = (part: PatchPart): readonly string[] => [
  statusWord(part),
  wordsOfAll(part.message && [part.message]),
  ...part.files.flatMap(patchFileWords),
];

export function patchPart({ post, say }: TurnDeps): PartView<PatchPart> {
  const picture = h("span", { class: "picture" });
  const status = h("span", { class: "verb", "data-read": "" });
  const count = h("span", { class: "count" });
  const lines = h("span", {});
  const head = h("p", { class: "head" }, picture, h("span", { class: "fate" }, status, count, lines));
  const message = h("p", { class: "message", dir: "auto", "data-read": "" });
  const files = h("ul", { class: "files" });
  const checks = checkChips((check, action) => post({ type: "act-on-check", check, action }));
  const errors = h("div");
  const question = h("div", { class: "question-for-you" });
  const root = h(
    "div",
    { class: "part patch card", role: "group" },
    head,
    message,
    files,
    checks.root,
    errors,
    question,
  );
  const open = (path: string, line?: number) => post({ type: "open-file", path, line });
  /** How files come; once all of them are there, they stay as a person leaves them. */
  let unfolds = false;
  let isArriving = true;
  const drawFiles = rows<FileRow>(files, ({ file, flags }, before) => {
    const left = isArriving ? undefined : before?.querySelector("details")?.open;
    return h("li", {}, patchFileView(file, open, left ?? unfolds, flags));
  });
  const drawErrors = rows<ErrorsRow>(errors, errorsView);
  const drawButtons = rows<ButtonsRow>(question, buttonsView);
  let shown: PatchPart | undefined;
  let drawnFor: Scene | undefined;

  return {
    root,
    update(part, { scene }) {
      if (part === shown && scene === drawnFor) return;
      const { call, status: was } = part;
      const at = was === "proposed" && scene.inConflict.includes(call) ? "conflict" : was;
      const word = at === was ? statusWord(part) : statusWords[at];
      if (root.dataset["status"] !== at) {
        setChildren(picture, [icon(pictures[at])]);
        root.dataset["status"] = at;
      }
      setText(status, word);
      root.setAttribute("aria-label", word);
      isArriving = shown === undefined || shown.status === "arriving";
      shown = part;
      drawnFor = scene;
      const counted = part.files.filter((file) => !isLeftOut(file));
      const { added, removed } = linesIn(counted);
      setText(count, counted.length === 0 ? "" : plural(counted.length, words.oneFile, words.files));
      setChildren(lines, counted.length === 0 ? [] : [changedLines({ added, removed })]);
      unfolds = was === "proposed" && added + removed <= fewLines;
      drawFiles(fileRows(part, scene));
      checks.update(was === "proposed" && !scene.readOnly ? scene.checks : []);
      drawErrors(errorsOf(part, scene));
      drawButtons(buttonsOf(part, at === "conflict", scene));
      setText(message, wordsOfAll(part.message && [part.message]));
      message.hidden = part.message === undefined;
    },
  };

  /** What the editor finds wrong since it was applied. */
  function errorsView({ call, count, errors, isFixable }: ErrorsRow, before?: HTMLElement): HTMLElement {
    const sentence = plural(count, words.oneNewError, words.newErrors);
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
      ...(isFixable ? [button(words.fixErrors, "secondary", fix)] : []),
      ...(first === undefined ? [] : [button(words.showError, "secondary", () => show(first))]),
    ];
    return h(
      "div",
      { class: "new-errors" },
      h("p", { class: "fate" }, icon("error"), h("span", {}, sentence)),
      h("ul", {}, ...lines),
      h("div", { class: "buttons", role: "group", "aria-label": sentence }, ...buttons),
    );
  }

  function buttonsView({ id: call, actions, isWaiting }: ButtonsRow, before?: HTMLElement): HTMLElement {
    const choices = actions.map((action, index) => ({
      label: actionWords[action],
      // What the bar can do as well is primary there.
      primary: index === 0 && isWaiting && action !== "review",
      run: () => post({ type: "act-on-call", call, action }),
    }));
    const refuse = actions.includes("reject")
      ? (reason: string) => post({ type: "act-on-call", call, action: "reject", reason })
      : undefined;
    return decisionButtons({ label: words.changes, choices, refuse, before, say });
  }
}

function fileRows({ call, files }: PatchPart, { flagged }: Scene): readonly FileRow[] {
  return files.map((file) => {
    const why = flagged.filter(({ path, calls }) => path === file.path && calls.includes(call));
    return { id: file.path, file, flags: why.flatMap((each) => each.flags.map(wordsOf)) };
  });
}

const errorsOf = ({ call }: PatchPart, { newErrors, readOnly, busy }: Scene): readonly ErrorsRow[] =>
  newErrors
    .filter((each) => each.call === call)
    .map((each) => ({ ...each, id: call, isFixable: !readOnly && !busy }));

function buttonsOf(part: PatchPart, isConflict: boolean, scene: Scene): readonly ButtonsRow[] {
  const { call, status, files, message } = part;
  const isHalf = message?.code === "changeHalfWritten";
  // What is known by its files fitted once. While its turn still runs, the model hears of it anyway.
  const isStale = files.length > 0 && !scene.busy && (isConflict || status === "failed");
  const retry: readonly CallAction[] = isStale ? ["send-current"] : [];
  const wanting = isHalf ? halfWritten : actionsAt[status];
  const possible = wanting.filter((action) => !isConflict || (action !== "accept" && action !== "finish"));
  const actions = scene.readOnly ? [] : [...retry, ...possible];
  return actions.length === 0 ? [] : [{ id: call, actions, isWaiting: status === "proposed" }];
}

const actionsAt: Readonly<Record<PatchStatus, readonly CallAction[]>> = {
  arriving: [],
  proposed: ["review", "accept", "reject"],
  applied: ["review", "undo"],
  undone: ["review", "accept-again"],
  rejected: [],
  conflict: [],
  replaced: [],
  failed: [],
  stopped: [],
  lost: [],
};

/** The last window went away while it wrote. */
const halfWritten: readonly CallAction[] = ["finish", "undo", "review"];

const actionWords: Readonly<Record<CallAction, string>> = {
  review: words.review,
  accept: words.accept,
  reject: words.reject,
  undo: words.undoEdits,
  "accept-again": words.acceptAgain,
  finish: words.finish,
  "send-current": words.sendCurrent,
  "fix-errors": words.fixErrors,
};
