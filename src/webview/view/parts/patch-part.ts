// The edits a model proposes, as one card: which files, how many lines, what became of them. Reading and choosing
// single changes is for the review in the editor; here a person sees enough to say yes, no or "show me".
import type { Part } from "../../../core/conversation/state.ts";
import type { PatchStatus } from "../../../core/conversation/tool-use.ts";
import { button, h, setChildren, setText } from "../../dom.ts";
import { type IconName, icon } from "../../icons.ts";
import { can, type Scene, type TurnNeeds } from "../../turn-context.ts";
import { plural, words } from "../../words.ts";
import { type Choice, decisionButtons } from "../decision-buttons.ts";
import { changedLines, patchFileView } from "../patch-file-view.ts";
import type { PartView } from "./part-view.ts";

type PatchPart = Extract<Part, { type: "patch" }>;

interface DrawnFile {
  readonly path: string;
  readonly text: string;
  readonly openable: boolean;
  readonly view: HTMLDetailsElement;
  readonly item: HTMLElement;
}

const pictures: Readonly<Record<PatchStatus, IconName>> = {
  arriving: "edit",
  proposed: "diff",
  applying: "clock",
  applied: "check",
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
  rejected: words.patchRejected,
  failed: words.patchFailed,
  stopped: words.patchStopped,
  unsure: words.patchUnsure,
};

export function patchPart({ post }: TurnNeeds): PartView<PatchPart> {
  const picture = h("span", { class: "picture" });
  const status = h("span", { class: "verb" });
  const count = h("span", { class: "count" });
  const lines = h("span", {});
  const head = h("p", { class: "head" }, picture, status, count, lines);
  const message = h("p", { class: "message", dir: "auto" });
  const files = h("ul", { class: "files" });
  const question = h("div", { class: "question-for-you" });
  const root = h("div", { class: "part patch card", role: "group" }, head, message, files, question);
  /** Files that have not changed keep their elements, and with them folds and focus. */
  let drawn = new Map<string, DrawnFile>();
  let shown: PatchPart | undefined;
  let drawnFor: Scene | undefined;

  return {
    root,
    update(part, { scene }) {
      if (part === shown && scene === drawnFor) return;
      if (part.status !== shown?.status || scene !== drawnFor) {
        setChildren(picture, [icon(pictures[part.status])]);
        setText(status, statusWords[part.status]);
        root.setAttribute("aria-label", statusWords[part.status]);
        root.dataset["status"] = part.status;
      }
      if (part.status !== shown?.status) drawButtons(part, scene);
      if (part.files !== shown?.files) drawFiles(part, scene);
      setText(message, part.message ?? "");
      message.hidden = part.message === undefined;
      shown = part;
      drawnFor = scene;
    },
  };

  function drawFiles(part: PatchPart, scene: Scene): void {
    setText(count, part.files.length === 0 ? "" : plural(part.files.length, words.oneFile, words.files));
    const sum = (key: "added" | "removed") => part.files.reduce((all, file) => all + file[key], 0);
    setChildren(lines, part.files.length === 0 ? [] : [changedLines(sum("added"), sum("removed"))]);
    const openFile = can(scene, "open-file")
      ? (path: string, line?: number) => post({ type: "open-file", path, line })
      : undefined;
    const views = part.files.map((file) => {
      const text = JSON.stringify(file);
      const old = drawn.get(file.path);
      const openable = openFile !== undefined;
      if (old !== undefined && old.text === text && old.openable === openable) return old;
      const view = patchFileView(file, openFile, old?.view.open ?? false);
      return { path: file.path, text, openable, view, item: h("li", {}, view) };
    });
    drawn = new Map(views.map((view) => [view.path, view]));
    setChildren(
      files,
      views.map(({ item }) => item),
    );
  }

  function drawButtons({ call, status: at }: PatchPart, scene: Scene): void {
    const review = { label: words.review, run: () => post({ type: "act-on-call", call, action: "review" }) };
    const decide = (kind: "accept" | "reject") => () => post({ type: "decide", call, decision: { kind } });
    if (at === "proposed") {
      const choices: Choice[] = [];
      if (can(scene, "review")) choices.push({ ...review, primary: true });
      if (can(scene, "decide")) {
        choices.push({ label: words.applyAll, primary: choices.length === 0, run: decide("accept") });
        choices.push({ label: words.rejectAll, run: decide("reject") });
      }
      setChildren(question, choices.length === 0 ? [] : [decisionButtons(choices)]);
    } else if (at === "applied" && can(scene, "undo")) {
      const undo = button(words.undoEdits, "secondary", () =>
        post({ type: "act-on-call", call, action: "undo" }),
      );
      setChildren(question, [h("div", { class: "buttons" }, undo)]);
    } else setChildren(question, []);
  }
}
