// One file of a patch: its path, what happens to it, and its changed lines behind a fold.
import type { PatchFile, PatchHunk } from "../../core/conversation/tool-use.ts";
import { button, h } from "../dom.ts";
import { icon } from "../icons.ts";
import { exact, fill, words } from "../words.ts";

type OpenFile = (path: string, line?: number) => void;

export function patchFileView(
  file: PatchFile,
  open: OpenFile | undefined,
  unfolded: boolean,
): HTMLDetailsElement {
  const { path, hunks, caution, problem } = file;
  const summary = h(
    "summary",
    {},
    icon("chevron"),
    h("bdi", { class: "path", title: path }, path),
    h("span", { class: "change" }, changeWord(file)),
    changedLines(file.added, file.removed),
  );
  const root = h("details", { class: "fold file" }, summary);
  root.open = unfolded;
  if (caution !== undefined) root.append(remark("warning", caution));
  if (problem !== undefined) root.append(remark("error", problem));
  for (const hunk of hunks)
    root.append(hunkView(hunk, open === undefined ? undefined : (line) => open(path, line)));
  const flagged = caution ?? problem;
  if (flagged !== undefined) summary.append(icon(problem === undefined ? "warning" : "error"));
  return root;
}

/** "+12 −3", and in words for those who listen. */
export function changedLines(added: number, removed: number): HTMLElement {
  const label = fill(words.linesChanged, { added: exact(added), removed: exact(removed) });
  const counts = [
    ...(added > 0 || removed === 0 ? [h("span", { class: "added" }, `+${exact(added)}`)] : []),
    ...(removed > 0 ? [h("span", { class: "removed" }, `−${exact(removed)}`)] : []),
  ];
  return h("span", { class: "lines", role: "img", "aria-label": label }, ...counts);
}

function changeWord({ change, to }: PatchFile): string {
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

function hunkView(hunk: PatchHunk, open: ((line: number) => void) | undefined): HTMLElement {
  const { line, status, note, diff } = hunk;
  const place = line === undefined ? words.hunkNowhere : fill(words.hunkAt, { line: exact(line) });
  const where =
    line === undefined || open === undefined ? h("span", {}, place) : button(place, "link", () => open(line));
  const head = h(
    "p",
    { class: "hunk-head" },
    where,
    h("span", { class: `status ${status}` }, hunkWords[status]),
  );
  const view = h("div", { class: "hunk" }, head);
  if (note !== undefined) view.append(remark(status === "failed" ? "error" : "info", note));
  if (diff !== undefined) view.append(diffView(diff));
  return view;
}

const hunkWords: Readonly<Record<PatchHunk["status"], string>> = {
  pending: words.hunkPending,
  applied: words.hunkApplied,
  rejected: words.hunkRejected,
  failed: words.hunkFailed,
};

/** Every line keeps its sign: colour alone says nothing. */
function diffView(diff: string): HTMLElement {
  const kinds: Readonly<Record<string, string>> = { "+": "added", "-": "removed" };
  const lines = diff
    .split("\n")
    .map((line) => h("span", { class: `line ${kinds[line.charAt(0)] ?? "same"}` }, `${line}\n`));
  return h("pre", { class: "diff", dir: "ltr", tabindex: "0" }, ...lines);
}

const remark = (picture: "warning" | "error" | "info", sentence: string): HTMLElement =>
  h("p", { class: `remark ${picture}`, dir: "auto" }, icon(picture), h("span", {}, sentence));
