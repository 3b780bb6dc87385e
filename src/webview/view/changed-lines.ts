// How many lines a patch changes: what was rejected is not counted. Pure but for the view of the two numbers.
import type { PatchFile } from "../../core/conversation/tool-use.ts";
import { h } from "../dom.ts";
import { exact } from "../numbers-and-times.ts";
import { fill, words } from "../words.ts";

export interface ChangedLines {
  readonly added: number;
  readonly removed: number;
}

/** Nothing of it was taken. */
export const isLeftOut = ({ hunks }: PatchFile): boolean =>
  hunks.length > 0 && hunks.every(({ status }) => status === "rejected");

export function linesIn(files: readonly PatchFile[]): ChangedLines {
  const counted = files.flatMap((file): readonly ChangedLines[] =>
    file.hunks.some(({ status }) => status === "rejected")
      ? file.hunks.filter(({ status }) => status !== "rejected")
      : [file],
  );
  const sum = (key: keyof ChangedLines) => counted.reduce((all, each) => all + each[key], 0);
  return { added: sum("added"), removed: sum("removed") };
}

/** "+12 −3", and in words for those who listen. */
export function changedLines({ added, removed }: ChangedLines): HTMLElement {
  const label = fill(words.linesChanged, { added: exact(added), removed: exact(removed) });
  const counts = [
    ...(added > 0 || removed === 0 ? [h("span", { class: "added" }, `+${exact(added)}`)] : []),
    ...(removed > 0 ? [h("span", { class: "removed" }, `−${exact(removed)}`)] : []),
  ];
  return h("span", { class: "lines", role: "img", "aria-label": label }, ...counts);
}
