// One file of a patch: its path, the kind of change, and its changed lines in a fold, drawn only while it is open.

import type { PatchFile, PatchHunk } from "../../../conversation/state.ts";
import { visible } from "../../../util/hidden-characters.ts";
import { button, h } from "../../elements/dom.ts";
import { icon } from "../../elements/icons.ts";
import { colourDiff } from "../../markdown/code/coloured-diff.ts";
import type { EditorColours } from "../../markdown/code/editor-colours.ts";
import { messageText } from "../../words/messages.ts";
import { exact } from "../../words/numbers-and-times.ts";
import { fill, strings } from "../../words/strings.ts";
import { standFor } from "../find/find-highlights.ts";
import { changedLines, hunkView, hunkWords, isLeftOut, linesIn, remark } from "./diff-view.ts";

interface PatchFileDeps {
  readonly isOpen: boolean;
  /** Why the file is flagged as risky. */
  readonly flags: readonly string[];
  readonly editorColours: EditorColours;
  open(path: string, line?: number): void;
  /** Undoes the accepted changes of this file alone. */
  readonly undo?: (() => void) | undefined;
}

export function patchFileView(file: PatchFile, deps: PatchFileDeps): HTMLElement {
  const { isOpen, flags, undo } = deps;
  const details = fileFold(file);
  details.open = isOpen;
  details.append(hunksOf(file, details, deps));
  return h(
    "div",
    { class: "file-row" },
    details,
    ...(undo === undefined ? [] : [undoButton(file.path, undo)]),
    ...(flags.length > 0 ? [h("p", { class: "flags", "data-read": "" }, flags.join(" · "))] : []),
  );
}

function undoButton(path: string, undo: () => void): HTMLElement {
  const one = button(strings.undoEdits, "link undo", undo);
  one.setAttribute("aria-label", fill(strings.undoInFile, { path }));
  return one;
}

function hunksOf(
  { path, hunks }: PatchFile,
  details: HTMLDetailsElement,
  { open, editorColours }: PatchFileDeps,
): HTMLElement {
  // A file that is deleted or only moved has no lines to show.
  const seen = hunks.filter(({ line, diff }) => line !== undefined || diff !== undefined);
  const root = h("div", {});
  const draw = (isOpen: boolean) => {
    const views = isOpen
      ? seen.map((hunk) => hunkView(hunk, placeOf(hunk), (line) => open(path, line), hunks.length > 1))
      : [];
    root.replaceChildren(...views);
    for (const view of views) colourDiff(editorColours, path, view);
    standFor(root, isOpen ? undefined : { words: () => hunksWords(seen), draw: unfold });
  };
  const unfold = () => {
    details.open = true;
    draw(true);
  };
  // The click comes before the fold opens, and `toggle` only after it: draw now.
  details.querySelector("summary")?.addEventListener("click", () => {
    if (!details.open) draw(true);
  });
  details.addEventListener("toggle", () => {
    if (details.open !== root.hasChildNodes()) draw(details.open);
  });
  draw(details.open);
  return root;
}

function fileFold(file: PatchFile): HTMLDetailsElement {
  const { path, change } = file;
  const caution = file.caution && messageText(file.caution);
  const problem = file.problem && messageText(file.problem);
  const name = h("bdi", { class: "path", title: path }, path.slice(path.lastIndexOf("/") + 1));
  const folder = h(
    "bdi",
    { class: "folder", title: path },
    path.slice(0, Math.max(0, path.lastIndexOf("/"))),
  );
  const isCounted = !isLeftOut(file) && change !== "delete";
  const summary = h(
    "summary",
    {},
    icon("chevron"),
    h("span", { class: "whole-path", "data-read": "" }, name, folder),
    h("span", { class: "change", "data-read": "" }, changeWord(file)),
    ...(isCounted ? changedLines(linesIn([file])) : []),
  );
  const root = h("details", { class: "fold file", "data-change": change }, summary);
  if (caution !== undefined) root.append(remark("warning", caution));
  if (problem !== undefined) root.append(remark("error", problem));
  if (file.note !== undefined) root.append(remark("info", messageText(file.note)));
  const flagged = caution ?? problem;
  if (flagged !== undefined)
    summary.append(
      icon(problem === undefined ? "warning" : "error"),
      // Screen readers hear the warning without opening the fold.
      h("span", { class: "heard" }, flagged),
    );
  return root;
}

const known = new WeakMap<PatchFile, readonly string[]>();

/** The readable text in drawing order. Cached by object: a changed file is another object. */
export function patchFileWords(file: PatchFile): readonly string[] {
  const before = known.get(file);
  if (before !== undefined) return before;
  const said = [file.caution, file.problem, file.note].flatMap((what) =>
    what === undefined ? [] : [messageText(what)],
  );
  const head = [file.path, changeWord(file), ...said].map(visible).filter((text) => text !== "");
  const all = [...head, ...hunksWords(file.hunks)];
  known.set(file, all);
  return all;
}

const hunksWords = (hunks: readonly PatchHunk[]): readonly string[] =>
  hunks
    .flatMap(hunkWords)
    .map(visible)
    .filter((text) => text !== "");

function changeWord(file: PatchFile): string {
  if (isLeftOut(file)) return strings.hunkRejected;
  const { change, to, hunks } = file;
  const are = (wanted: PatchHunk["status"]) =>
    hunks.length > 0 && hunks.every(({ status }) => status === wanted);
  if (are("undone")) return strings.patchUndone;
  switch (change) {
    case "add":
      return strings.fileAdd;
    case "delete":
      return strings.fileDelete;
    case "move":
      return fill(strings.fileMove, { path: to ?? "" });
    case "update":
      return "";
    default:
      change satisfies never;
      return "";
  }
}

const placeOf = ({ line }: PatchHunk): string =>
  line === undefined ? strings.hunkNowhere : fill(strings.hunkAt, { line: exact(line) });
