// The edits a model proposes, as one row for each patch, as it arrived: which files, how many lines, what became of them.
// It holds nothing up: a person decides here, in the bar above the box or in the editor, whenever they like.
import type { CallAction } from "../../../bridge/protocol.ts";
import type { PatchPart, PatchStatus } from "../../../core/conversation/tool-use.ts";
import { button, h, setChildren, setText } from "../../dom.ts";
import { type IconName, icon } from "../../icons.ts";
import { wordsOf, wordsOfAll } from "../../messages.ts";
import type { Scene, TurnDeps } from "../../turn-context.ts";
import { plural, words } from "../../words.ts";
import { changedLines, isLeftOut, linesIn } from "../changed-lines.ts";
import { checkChips } from "../check-chips.ts";
import { decisionButtons } from "../decision-buttons.ts";
import { type PatchFileView, patchFileView, patchFileWords } from "../patch-file-view.ts";
import type { PartView } from "./part-view.ts";

interface DrawnFile {
  readonly path: string;
  /** Everything the view was made from. */
  readonly made: string;
  readonly view: PatchFileView;
  readonly item: HTMLElement;
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
  const errors = h("div", { class: "new-errors", hidden: "" });
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
  /** Files that have not changed keep their elements, and with them folds and focus. */
  let drawn: readonly DrawnFile[] = [];
  let buttonsFor = "";
  let errorsFor = "";
  let shown: PatchPart | undefined;
  let drawnFor: Scene | undefined;

  return {
    root,
    update(part, { scene }) {
      if (part === shown && scene === drawnFor) return;
      const at =
        part.status === "proposed" && scene.inConflict.includes(part.call) ? "conflict" : part.status;
      const word = at === part.status ? statusWord(part) : statusWords[at];
      if (root.dataset["status"] !== at) {
        setChildren(picture, [icon(pictures[at])]);
        root.dataset["status"] = at;
      }
      setText(status, word);
      root.setAttribute("aria-label", word);
      const isFirst = shown === undefined || shown.status === "arriving";
      shown = part;
      drawnFor = scene;
      drawFiles(part, isFirst, scene);
      checks.update(part.status === "proposed" && !scene.readOnly ? scene.checks : []);
      drawErrors(part.call, scene);
      drawButtons(part, at === "conflict", scene);
      setText(message, wordsOfAll(part.message && [part.message]));
      message.hidden = part.message === undefined;
    },
  };

  function drawFiles(part: PatchPart, isFirst: boolean, { flagged }: Scene): void {
    const counted = part.files.filter((file) => !isLeftOut(file));
    const { added, removed } = linesIn(counted);
    setText(count, counted.length === 0 ? "" : plural(counted.length, words.oneFile, words.files));
    setChildren(lines, counted.length === 0 ? [] : [changedLines({ added, removed })]);
    const open = (path: string, line?: number) => post({ type: "open-file", path, line });
    const isShort = part.status === "proposed" && added + removed <= fewLines;
    const before = new Map(drawn.map((one) => [one.path, one]));
    drawn = part.files.map((file) => {
      const why = flagged.filter(({ path, calls }) => path === file.path && calls.includes(part.call));
      const flags = why.flatMap((each) => each.flags.map(wordsOf));
      const made = JSON.stringify([file, flags]);
      const old = before.get(file.path);
      if (old?.made === made) return old;
      const view = patchFileView(file, open, isFirst ? isShort : (old?.view.unfolded ?? isShort), flags);
      return { path: file.path, made, view, item: h("li", {}, view.root) };
    });
    setChildren(
      files,
      drawn.map(({ item }) => item),
    );
  }

  /** What the editor finds wrong since it was applied. */
  function drawErrors(call: string, { newErrors, readOnly, busy }: Scene): void {
    const own = newErrors.find((each) => each.call === call);
    const wanted = JSON.stringify([own, readOnly, busy]);
    if (wanted === errorsFor) return;
    const isNew = own !== undefined && errors.hidden;
    errorsFor = wanted;
    errors.hidden = own === undefined;
    if (own === undefined) {
      setChildren(errors, []);
      return;
    }
    const count = plural(own.count, words.oneNewError, words.newErrors);
    const show = ({ path, line }: (typeof own.errors)[number]) => {
      if (path !== undefined) post({ type: "open-file", path, line });
    };
    const lines = own.errors.map((each) => {
      const place = `${each.path ?? ""}:${each.line ?? 1}`;
      return h(
        "li",
        {},
        button(place, "place", () => show(each)),
        h("span", { dir: "auto" }, ` ${each.text}`),
      );
    });
    const [first] = own.errors;
    const fix = () => post({ type: "act-on-call", call, action: "fix-errors" });
    const buttons = [
      ...(readOnly || busy ? [] : [button(words.fixErrors, "secondary", fix)]),
      ...(first === undefined ? [] : [button(words.showError, "secondary", () => show(first))]),
    ];
    setChildren(errors, [
      h("p", { class: "fate" }, icon("error"), h("span", {}, count)),
      h("ul", {}, ...lines),
      h("div", { class: "buttons", role: "group", "aria-label": count }, ...buttons),
    ]);
    if (isNew) say(count);
  }

  function drawButtons(part: PatchPart, isConflict: boolean, scene: Scene): void {
    const { call, status: at, files: all } = part;
    const isHalf = part.message?.code === "changeHalfWritten";
    // What is known by its files fitted once. While its turn still runs, the model hears of it anyway.
    const isStale = all.length > 0 && !scene.busy && (isConflict || at === "failed");
    const retry: readonly CallAction[] = isStale ? ["send-current"] : [];
    const wanting = isHalf ? halfWritten : actionsAt[at];
    const possible = wanting.filter((action) => !isConflict || (action !== "accept" && action !== "finish"));
    const offered = scene.readOnly ? [] : [...retry, ...possible];
    const wanted = [call, ...offered].join(" ");
    // Buttons that are armed and perhaps focused stay as they are.
    if (wanted === buttonsFor) return;
    buttonsFor = wanted;
    const act = (action: CallAction, index: number) => ({
      label: actionWords[action],
      primary: index === 0 && at === "proposed",
      run: () => post({ type: "act-on-call", call, action }),
    });
    const choices = offered.map(act);
    const refuse = (reason: string) => post({ type: "act-on-call", call, action: "reject", reason });
    const label = words.changes;
    const view = decisionButtons({ label, choices, ...(at === "proposed" && !isHalf && { refuse }), say });
    setChildren(question, choices.length === 0 ? [] : [view]);
  }
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
