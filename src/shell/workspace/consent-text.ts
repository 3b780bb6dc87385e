// What the editor's own question about sensitive files says: every file with its real path in full, the worst first; of
// more than a dialog holds a count by kind, and a text with all of them. Names cannot imitate it: each stands on one line
// behind a number, with whatever could break or hide that line written out. Pure.

import type { Purpose } from "../../core/changes/workspace.ts";
import { visibleName } from "../../core/conversation/hidden-characters.ts";
import type { Message } from "../../core/messages/message.ts";
import type { FileChange } from "../../core/patch/model.ts";
import { isSensitive, weightOf } from "../../core/patch/reasons-to-ask.ts";
import type { Translate } from "../format-numbers.ts";

export interface ConsentWords {
  readonly t: Translate;
  /** A reason in the reader's language. */
  reason(why: Message): string;
  /** Where a path below the real folder really lies. */
  place(folder: string, real: string): string;
}

export interface ConsentText {
  readonly question: string;
  readonly detail: string;
  /** Every file, whether the dialog holds it or not. */
  readonly all: string;
  readonly isCut: boolean;
}

/** A native dialog does not scroll: more lines would push its buttons off a small screen. */
const maxLines = 20;
const lineLength = 70;

/** The changes that have to be asked about outside of the page, the worst first. */
export const sensitiveAmong = (changes: readonly FileChange[]): readonly FileChange[] =>
  changes
    .filter(({ permission }) => isSensitive(permission.reasons))
    .toSorted((one, other) => weightOf(worstOf(one)) - weightOf(worstOf(other)));

const worstOf = ({ permission }: FileChange): Message | undefined => permission.reasons[0];

/** `sensitive` as `sensitiveAmong` answers it. */
export function consentText(
  sensitive: readonly FileChange[],
  purpose: Purpose,
  words: ConsentWords,
): ConsentText {
  const rows = sensitive.map((change, at) => rowOf(change, at + 1, words));
  const fitting = countFitting(rows);
  const rest = sensitive.slice(fitting);
  const shown = rows.slice(0, fitting);
  return {
    question: questionOf(sensitive.length, purpose, words.t),
    detail: [...shown, ...(rest.length === 0 ? [] : [restByKind(rest, words)])].join("\n"),
    all: `${rows.join("\n")}\n`,
    isCut: rest.length > 0,
  };
}

function questionOf(count: number, purpose: Purpose, t: Translate): string {
  if (purpose === "undo")
    return count === 1
      ? t("Undo the change to a sensitive file?")
      : t("Undo the changes to {0} sensitive files?", count);
  return count === 1
    ? t("Apply the change to a sensitive file?")
    : t("Apply the changes to {0} sensitive files?", count);
}

function rowOf(change: FileChange, number: number, words: ConsentWords): string {
  const { file, permission } = change;
  const name = (real: string, folder = file.folder) => visibleName(words.place(folder, real));
  const lines = [`${number}. ${verbOf(change, words.t)}: ${name(permission.real)}`];
  if (change.kind === "move") lines.push(`    → ${name(change.toReal, change.to.folder)}`);
  if (file.path !== permission.real) lines.push(`    ${words.t("Link: {0}", visibleName(file.path))}`);
  lines.push(`    ${permission.reasons.map(words.reason).map(visibleName).join("; ")}`);
  return lines.join("\n");
}

function verbOf({ kind }: FileChange, t: Translate): string {
  const verbs = { add: t("Create"), delete: t("Delete"), update: t("Change"), move: t("Move") };
  return verbs[kind];
}

function countFitting(rows: readonly string[]): number {
  const heights = rows.map((row) =>
    row.split("\n").reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / lineLength)), 0),
  );
  let left = maxLines;
  const first = heights.findIndex((height) => {
    left -= height;
    return left < 0;
  });
  return first === -1 ? rows.length : first;
}

function restByKind(rest: readonly FileChange[], { t, reason }: ConsentWords): string {
  const counts = new Map<string, number>();
  for (const change of rest) {
    const why = worstOf(change);
    const kind = why === undefined ? "" : reason(why);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const kinds = [...counts].map(([kind, count]) => `    ${count} × ${visibleName(kind)}`);
  return [t("Not shown here: {0}", rest.length), ...kinds.slice(0, maxKinds), ...othersThan(kinds)].join(
    "\n",
  );
}

/** Each host of a schema is a kind of its own, and a patch can name as many as it likes. */
const maxKinds = 12;
const othersThan = (kinds: readonly string[]): readonly string[] =>
  kinds.length > maxKinds ? [`    + ${kinds.length - maxKinds}`] : [];
