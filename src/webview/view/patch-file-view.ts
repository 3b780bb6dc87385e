// One file of a patch: its path, what happens to it, and its changed lines behind a fold.

import type { PatchFile, PatchHunk } from "../../core/conversation/tool-use.ts";
import { h } from "../dom.ts";
import { icon } from "../icons.ts";
import { wordsOf } from "../messages.ts";
import { exact } from "../numbers-and-times.ts";
import { fill, words } from "../words.ts";
import { changedLines, isLeftOut, linesIn } from "./changed-lines.ts";
import { hunkView, hunkWords, remark } from "./hunk-view.ts";

export function patchFileView(
  file: PatchFile,
  open: (path: string, line?: number) => void,
  unfolded: boolean,
  /** Why it deserves a look. */
  flags: readonly string[],
): HTMLElement {
  const { path, hunks } = file;
  const details = fileFold(file);
  details.open = unfolded;
  // Of a file that goes or only moves there is nothing more to see.
  for (const hunk of hunks.filter(({ line, diff }) => line !== undefined || diff !== undefined))
    details.append(hunkView(hunk, placeOf(hunk), (line) => open(path, line), hunks.length > 1));
  return h(
    "div",
    { class: "file-row" },
    details,
    ...(flags.length > 0 ? [h("p", { class: "flags", "data-read": "" }, flags.join(" · "))] : []),
  );
}

function fileFold(file: PatchFile): HTMLDetailsElement {
  const { path, change } = file;
  const caution = file.caution && wordsOf(file.caution);
  const problem = file.problem && wordsOf(file.problem);
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
    ...(isCounted ? [changedLines(linesIn([file]))] : []),
  );
  const root = h("details", { class: "fold file", "data-change": change }, summary);
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
export const patchFileWords = (file: PatchFile): readonly string[] => [
  file.path,
  changeWord(file),
  ...[file.caution, file.problem, file.note].flatMap((what) => (what === undefined ? [] : [wordsOf(what)])),
  ...file.hunks.flatMap(hunkWords),
];

function changeWord(file: PatchFile): string {
  if (isLeftOut(file)) return words.hunkRejected;
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
