// One change inside a file: where it is, what became of it, its lines with their signs.

import type { PatchHunk } from "../../core/conversation/tool-use.ts";
import { button, h } from "../dom.ts";
import { icon } from "../icons.ts";
import { wordsOf } from "../messages.ts";
import { words } from "../words.ts";

/** `isOneOfSeveral`: what became of it is said beside it, where the patch as a whole does not say it. */
export function hunkView(
  { line, status, note, diff }: PatchHunk,
  place: string,
  open: (line: number) => void,
  isOneOfSeveral: boolean,
): HTMLElement {
  const where = line === undefined ? h("span", {}, place) : button(place, "link", () => open(line));
  const head = h("p", { class: "hunk-head" }, where);
  // Waiting is what the buttons say already.
  if (status !== "pending" && isOneOfSeveral)
    head.append(h("span", { class: `status ${status}` }, statusWords[status]));
  const view = h("div", { class: "hunk" }, head);
  if (note !== undefined) view.append(remark("info", wordsOf(note)));
  if (diff !== undefined) view.append(diffView(diff, place));
  return view;
}

const statusWords: Readonly<Record<Exclude<PatchHunk["status"], "pending">, string>> = {
  applied: words.patchApplied,
  rejected: words.hunkRejected,
  undone: words.patchUndone,
  conflict: words.patchConflict,
  replaced: words.patchReplaced,
};

/** What can be read of it below its place. */
export const hunkWords = ({ note, diff }: PatchHunk): readonly string[] => [
  note === undefined ? "" : wordsOf(note),
  diff ?? "",
];

/** Every line keeps its sign: colour alone says nothing. */
function diffView(diff: string, place: string): HTMLElement {
  const kinds: Readonly<Record<string, string>> = { "+": "added", "-": "removed" };
  const lines = diff
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => h("span", { class: `line ${kinds[line.charAt(0)] ?? "same"}` }, `${line}\n`));
  const body = h("span", { class: "lines-of-diff", "data-read": "" }, ...lines);
  return h("pre", { class: "diff", dir: "ltr", tabindex: "0", role: "group", "aria-label": place }, body);
}

export const remark = (picture: "warning" | "error" | "info", sentence: string): HTMLElement =>
  h(
    "p",
    { class: `remark ${picture}`, dir: "auto" },
    icon(picture),
    h("span", { "data-read": "" }, sentence),
  );
