// One file of a patch: its path, what happens to it, and its changed lines behind a fold. While the patch is proposed
// each file and each change in it can be left out.

import type { PatchFile, PatchHunk } from "../../core/conversation/tool-use.ts";
import { h } from "../dom.ts";
import { icon } from "../icons.ts";
import { wordsOf } from "../messages.ts";
import { exact, fill, words } from "../words.ts";
import { changedLines, type Fate, isLeftOut, linesIn } from "./changed-lines.ts";
import { type CheckBox, checkBox } from "./check-box.ts";
import { type HunkChoice, hunksOf } from "./hunk-choice.ts";
import { hunkView, hunkWords, remark } from "./hunk-view.ts";

export interface PatchFileNeeds {
  readonly open: ((path: string, line?: number) => void) | undefined;
  /** Only while something can be chosen. */
  readonly choice: HunkChoice | undefined;
  readonly unfolded: boolean;
  readonly fate: Fate;
}

export interface PatchFileView {
  readonly root: HTMLElement;
  readonly unfolded: boolean;
  /** The choice has changed, here or elsewhere. */
  drawChoice(): void;
}

export function patchFileView(file: PatchFile, needs: PatchFileNeeds): PatchFileView {
  const { open, choice, unfolded, fate } = needs;
  const { path, hunks } = file;
  const ids = hunksOf(file);
  const boxes: { readonly box: CheckBox; readonly ids: readonly string[] }[] = [];
  const boxFor = (of: readonly string[], label: string) => {
    if (choice === undefined || of.length === 0) return undefined;
    const box = checkBox(label, (on) => choice.set(of, on));
    boxes.push({ box, ids: of });
    return box.root;
  };
  const fileBox = boxFor(ids, fill(words.takeFile, { path }));
  const details = fileFold(file, fate);
  details.open = unfolded;
  const goTo = open === undefined ? undefined : (line: number) => open(path, line);
  for (const hunk of hunks) {
    const single = hunks.length === 1 || hunk.status !== "pending";
    const box = single ? undefined : boxFor([hunk.id], fill(words.takeHunk, { place: placeOf(hunk) }));
    details.append(hunkView(hunk, placeOf(hunk), { open: goTo, box, isUndone: fate === "undone" }));
  }
  const root = h("div", { class: "file-row" }, details);
  if (choice !== undefined) root.prepend(fileBox ?? h("span", { class: "no-box" }));
  drawChoice();
  return {
    root,
    get unfolded() {
      return details.open;
    },
    drawChoice,
  };

  function drawChoice(): void {
    for (const { box, ids } of boxes) {
      box.show(ids.filter((id) => choice?.has(id) === true).length, ids.length);
    }
  }
}

function fileFold(file: PatchFile, fate: Fate): HTMLDetailsElement {
  const { path } = file;
  const caution = file.caution && wordsOf(file.caution);
  const problem = file.problem && wordsOf(file.problem);
  const name = h("bdi", { class: "path", title: path }, path.slice(path.lastIndexOf("/") + 1));
  const folder = h(
    "bdi",
    { class: "folder", title: path },
    path.slice(0, Math.max(0, path.lastIndexOf("/"))),
  );
  const summary = h(
    "summary",
    {},
    icon("chevron"),
    h("span", { class: "whole-path", "data-read": "" }, name, folder),
    h("span", { class: "change", "data-read": "" }, changeWord(file, fate)),
    ...(isLeftOut(file, fate) ? [] : [changedLines(linesIn([file], fate))]),
  );
  const root = h("details", { class: "fold file" }, summary);
  if (caution !== undefined) root.append(remark("warning", caution));
  if (problem !== undefined) root.append(remark("error", problem));
  if (file.note !== undefined) root.append(remark("info", wordsOf(file.note)));
  const flagged = caution ?? problem;
  if (flagged !== undefined)
    summary.append(
      icon(problem === undefined ? "warning" : "error"),
      // Behind the fold it is read by those who open it; nobody has to, to know of it.
      h("span", { class: "heard" }, flagged),
    );
  return root;
}

/** What can be read of it. */
export const patchFileWords = (file: PatchFile, fate: Fate): readonly string[] => [
  file.path,
  changeWord(file, fate),
  ...[file.caution, file.problem, file.note].flatMap((what) => (what === undefined ? [] : [wordsOf(what)])),
  ...file.hunks.flatMap(hunkWords),
];

function changeWord(file: PatchFile, fate: Fate): string {
  if (isLeftOut(file, fate)) return words.hunkRejected;
  const { change, to } = file;
  switch (change) {
    case "add":
      return words.fileAdd;
    case "delete":
      return words.fileDelete;
    case "move":
      return fill(words.fileMove, { path: to ?? "" });
    case "update":
      return "";
    default:
      change satisfies never;
      return "";
  }
}

const placeOf = ({ line }: PatchHunk): string =>
  line === undefined ? words.hunkNowhere : fill(words.hunkAt, { line: exact(line) });
