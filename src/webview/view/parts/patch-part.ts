// The edits a model proposes, as one card: which files, how many lines, what became of them. A person says yes, no,
// "only these" or "show me": reading them in the files themselves is for the review in the editor.
import type { CallAction } from "../../../bridge/protocol.ts";
import type { Decision } from "../../../core/conversation/decision.ts";
import type { PatchPart, PatchStatus } from "../../../core/conversation/tool-use.ts";
import { button, h, setChildren, setText } from "../../dom.ts";
import { type IconName, icon } from "../../icons.ts";
import { wordsOfAll } from "../../messages.ts";
import type { Scene, TurnNeeds } from "../../turn-context.ts";
import { exact, fill, plural, words } from "../../words.ts";
import { changedLines, type Fate, isLeftOut, linesIn } from "../changed-lines.ts";
import { type Choice, type DecisionButtons, decisionButtons } from "../decision-buttons.ts";
import { hunkChoice } from "../hunk-choice.ts";
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
  applying: "clock",
  applied: "check",
  undone: "undo",
  rejected: "stop",
  failed: "error",
  stopped: "stop",
  unsure: "warning",
};

const statusWords: Readonly<Record<PatchStatus, string>> = {
  arriving: words.patchArriving,
  proposed: words.patchProposed,
  applying: words.patchApplying,
  applied: words.patchApplied,
  undone: words.patchUndone,
  rejected: words.patchRejected,
  failed: words.patchFailed,
  stopped: words.patchStopped,
  unsure: words.patchUnsure,
};

const fateOf = ({ status }: PatchPart): Fate =>
  status === "applied" || status === "undone" ? status : "open";

/** What can be read of it. */
export const patchWords = (part: PatchPart): readonly string[] => [
  statusWords[part.status],
  wordsOfAll(part.message && [part.message]),
  ...part.files.flatMap((file) => patchFileWords(file, fateOf(part))),
];

export function patchPart({ post, say }: TurnNeeds): PartView<PatchPart> {
  const picture = h("span", { class: "picture" });
  const status = h("span", { class: "verb", "data-read": "" });
  const count = h("span", { class: "count" });
  const lines = h("span", {});
  const head = h("p", { class: "head" }, picture, h("span", { class: "fate" }, status, count, lines));
  const message = h("p", { class: "message", dir: "auto", "data-read": "" });
  const files = h("ul", { class: "files" });
  const question = h("div", { class: "question-for-you" });
  const root = h("div", { class: "part patch card", role: "group" }, head, message, files, question);
  const choice = hunkChoice(drawChoice);
  /** Files that have not changed keep their elements, and with them folds and focus. */
  let drawn: readonly DrawnFile[] = [];
  let buttons: { readonly at: number; readonly view: DecisionButtons } | undefined;
  let buttonsFor = "";
  let shown: PatchPart | undefined;
  let drawnFor: Scene | undefined;

  return {
    root,
    update(part, { scene }) {
      if (part === shown && scene === drawnFor) return;
      if (part.status !== shown?.status) {
        setChildren(picture, [icon(pictures[part.status])]);
        setText(status, statusWords[part.status]);
        root.setAttribute("aria-label", statusWords[part.status]);
        root.dataset["status"] = part.status;
      }
      shown = part;
      drawnFor = scene;
      drawFiles(part);
      drawButtons(part, scene);
      drawChoice();
      setText(message, wordsOfAll(part.message && [part.message]));
      message.hidden = part.message === undefined;
    },
  };

  function drawFiles(part: PatchPart): void {
    const fate = fateOf(part);
    const counted = part.files.filter((file) => !isLeftOut(file, fate));
    setText(count, counted.length === 0 ? "" : plural(counted.length, words.oneFile, words.files));
    setChildren(lines, counted.length === 0 ? [] : [changedLines(linesIn(counted, fate))]);
    const open = (path: string, line?: number) => post({ type: "open-file", path, line });
    const chooses = part.status === "proposed";
    const before = new Map(drawn.map((one) => [one.path, one]));
    drawn = part.files.map((file) => {
      const made = JSON.stringify([file, chooses, fate]);
      const old = before.get(file.path);
      if (old?.made === made) return old;
      const unfolded = old?.view.unfolded ?? false;
      const view = patchFileView(file, { open, choice: chooses ? choice : undefined, unfolded, fate });
      return { path: file.path, made, view, item: h("li", {}, view.root) };
    });
    setChildren(
      files,
      drawn.map(({ item }) => item),
    );
  }

  function drawButtons({ call, status: at, files: all }: PatchPart, scene: Scene): void {
    // What is known by its files fitted once. While its turn still runs, the model hears of it anyway.
    const stale = all.length > 0 && !scene.busy;
    const offered = actionsAt[at].filter((each) => each !== "send-current" || stale);
    const wanted = [call, at, ...offered].join(" ");
    // Buttons that are armed and perhaps focused stay as they are.
    if (wanted === buttonsFor) return;
    buttonsFor = wanted;
    buttons = undefined;
    if (at === "proposed") setChildren(question, [decision(call)]);
    else {
      const doing = offered.map((action) =>
        button(actionWords[action], "secondary", () => post({ type: "act-on-call", call, action })),
      );
      setChildren(question, doing.length === 0 ? [] : [h("div", { class: "buttons" }, ...doing)]);
    }
  }

  function decision(call: string): HTMLElement {
    const decide = (answer: Decision) => post({ type: "decide", call, decision: answer });
    const choices: readonly Choice[] = [
      {
        label: words.review,
        primary: true,
        run: () => post({ type: "act-on-call", call, action: "review" }),
      },
      { label: words.applyAll, run: () => decide(chosen()) },
      { label: words.rejectAll, run: () => decide({ kind: "reject" }) },
    ];
    const refuse = (reason: string) => decide({ kind: "reject", reason });
    const view = decisionButtons({ choices, refuse, say });
    buttons = { at: 1, view };
    return view.root;
  }

  function chosen(): Decision {
    const { wanted, all } = choice.of(shown?.files ?? []);
    return wanted.length === all ? { kind: "accept" } : { kind: "partly", hunks: [...wanted] };
  }

  function drawChoice(): void {
    for (const { view } of drawn) view.drawChoice();
    const { wanted, all } = choice.of(shown?.files ?? []);
    const some = fill(words.applySome, { count: exact(wanted.length), all: exact(all) });
    buttons?.view.relabel(buttons.at, wanted.length === all ? words.applyAll : some, wanted.length > 0);
  }
}

const actionsAt: Readonly<Record<PatchStatus, readonly CallAction[]>> = {
  arriving: [],
  proposed: [],
  applying: [],
  applied: ["review", "undo"],
  undone: ["review"],
  rejected: [],
  failed: ["send-current"],
  stopped: [],
  unsure: ["review"],
};

const actionWords: Readonly<Record<CallAction, string>> = {
  review: words.review,
  undo: words.undoEdits,
  "send-current": words.sendCurrent,
};
