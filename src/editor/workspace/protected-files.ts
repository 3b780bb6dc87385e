// Asks about files that are executed, configure something or grant access, in a native dialog with their real path: a
// page can be imitated by its content, a native dialog cannot (threats B7, C1).

import * as vscode from "vscode";
import type { Message } from "../../conversation/messages.ts";
import { type PrivacySettings, patternsToLift } from "../../files/privacy.ts";
import type { Purpose } from "../../files/workspace.ts";
import type { FileChange } from "../../patch/model.ts";
import { isLiftable, isSensitive, weightOf } from "../../patch/paths.ts";
import { visibleName } from "../../util/hidden-characters.ts";
import type { Translate } from "../../util/numbers-and-times.ts";
import { liftedEntry } from "../folders.ts";
import { localize } from "../localize.ts";
import { showInformation, showWarning } from "../notify.ts";
import { addToSetting } from "../settings/settings.ts";
import type { ReadOnlyDocuments } from "../ui/documents.ts";
import { toUri } from "./file-uris.ts";

interface ConsentWords {
  readonly t: Translate;
  /** Localizes a reason. */
  reason(why: Message): string;
  /** The absolute path of a file below the real folder. */
  place(folder: string, real: string): string;
}

interface ConsentText {
  readonly question: string;
  readonly detail: string;
  /** All files, whether or not the dialog lists them. */
  readonly all: string;
  readonly isCut: boolean;
}

/** A native dialog does not scroll: more lines would push its buttons off a small screen. */
const maxLines = 20;
const lineLength = 70;

/** The changes that require confirmation outside of the page, the riskiest first. */
export const sensitiveAmong = (changes: readonly FileChange[]): readonly FileChange[] =>
  changes
    .filter(({ permission }) => isSensitive(permission.reasons))
    .toSorted((one, other) => weightOf(worstOf(one)) - weightOf(worstOf(other)));

const worstOf = ({ permission }: FileChange): Message | undefined => permission.reasons[0];

/**
 * Text of the native question about sensitive files: every file with its full real path, the riskiest first; if there
 * are too many for a dialog, a count by kind and a document that lists all. Names cannot imitate it: each is on one
 * line after a number, with escapes for whatever could break or hide the line. Pure. `sensitive`: the result of
 * `sensitiveAmong`.
 */
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

/** Each host of a schema is a kind of its own, and a patch can name any number of them. */
const maxKinds = 12;
const othersThan = (kinds: readonly string[]): readonly string[] =>
  kinds.length > maxKinds ? [`    + ${kinds.length - maxKinds}`] : [];

export type ConfirmProtected = (changes: readonly FileChange[], purpose: Purpose) => Promise<boolean>;

/** One dialog for all files. Anything but an explicit yes is a no. */
export function createConfirmProtected(documents: Pick<ReadOnlyDocuments, "show">): ConfirmProtected {
  return async (changes, purpose) => {
    const sensitive = sensitiveAmong(changes);
    if (sensitive.length === 0) return true;
    const text = consentText(sensitive, purpose, {
      t: vscode.l10n.t,
      reason: localize,
      place: (folder, real) => vscode.Uri.joinPath(toUri({ folder, path: "" }), real).fsPath,
    });
    return ask(text, sensitive, purpose, documents);
  };
}

async function ask(
  text: ConsentText,
  sensitive: readonly FileChange[],
  purpose: Purpose,
  documents: Pick<ReadOnlyDocuments, "show">,
): Promise<boolean> {
  const t = vscode.l10n.t;
  const yes = purpose === "undo" ? t("Undo") : t("Apply");
  const showAll = t("Show All");
  const always = t("Apply and Don't Ask Again");
  const mayLift = purpose === "apply" && !text.isCut && sensitive.every(isLiftable);
  const buttons = [yes, ...(text.isCut ? [showAll] : []), ...(mayLift ? [always] : [])];
  const options = { modal: true, detail: text.detail };
  const answer = await vscode.window.showWarningMessage(text.question, options, ...buttons);
  if (answer === always) await lift(sensitive);
  if (answer !== showAll) return answer === yes || answer === always;
  await documents.show(t("Sensitive files of this edit"), "txt", text.all);
  // Next to the list, which a modal dialog would cover.
  return (await showWarning(text.question, yes, t("Cancel"))) === yes;
}

/**
 * Stored in the user's own settings, where it is visible and can be removed, and which no workspace can write. With the
 * full URI: it covers this file, not files of that name in any other repository.
 */
async function lift(sensitive: readonly FileChange[]): Promise<void> {
  const files = sensitive.flatMap((change) => [
    ...[change.file, { folder: change.file.folder, path: change.permission.real }],
    ...(change.kind === "move" ? [change.to, { folder: change.to.folder, path: change.toReal }] : []),
  ]);
  await addToSetting(
    "patch.protected",
    files.map((file) => liftedEntry(toUri(file))),
  );
}

const setting = "context.ignore";

/**
 * Offers to allow a file that was held back only for its name: one click, stored in the user's own settings. Each file
 * is mentioned once per window, so that a model cannot wear the user down until they click.
 */
export function createSecretNameOffer(
  privacy: () => PrivacySettings,
  report: (error: unknown) => void,
): (paths: readonly string[]) => void {
  const asked = new Set<string>();
  return (paths) => {
    const [path = ""] = paths;
    const patterns = patternsToLift(paths, privacy());
    if (patterns.length === 0 || asked.has(path)) return;
    asked.add(path);
    offer(path, patterns).catch(report);
  };
}

async function offer(path: string, patterns: readonly string[]): Promise<void> {
  const t = vscode.l10n.t;
  const [allow, show] = [t("Allow This File"), t("Show Setting")];
  const question = t("{0} looks like a file of secrets, so it isn't sent.", path);
  const answer = await showInformation(question, allow, show);
  if (answer === allow) await addToSetting(setting, patterns);
  if (answer === show)
    await vscode.commands.executeCommand("workbench.action.openSettings", `patchbay.${setting}`);
}
