// The workspace's own instructions for a model: its file AGENTS.md.
import type { CleanText } from "../../conversation/events.ts";
import { type Message, message } from "../../conversation/messages.ts";
import type { GuardedFiles } from "../../files/guarded-files.ts";
import { secretsNote, takeOutSecrets } from "../../files/privacy.ts";
import { pathOf } from "../../files/refusal.ts";
import type { Workspace } from "../../files/workspace.ts";
import { cutText } from "../../tools/attached-text.ts";
import { hidesCharacters, visible } from "../../util/hidden-characters.ts";
import { raceAbort } from "../../util/time.ts";

const fileName = "AGENTS.md";
/** Sent with every request, so of a longer file the model gets the beginning and a list of the other sections. */
const maxBytes = 16 * 1024;
const maxSections = 40;
const longestSection = 80;
/** How many characters after the beginning are searched for sections. */
const longestRest = 256 * 1024;
const maxSeconds = 10;

export interface WorkspaceInstructions {
  readonly path: string;
  readonly text: CleanText;
  readonly notes: readonly Message[];
}

/** Threats D2: hidden characters are written out, so that the model follows nothing a person could not see. */
export async function workspaceInstructions({
  workspace,
  files,
}: {
  readonly workspace: Workspace;
  readonly files: GuardedFiles;
}): Promise<WorkspaceInstructions[]> {
  const found: WorkspaceInstructions[] = [];
  const signal = AbortSignal.timeout(maxSeconds * 1000);
  for (const folder of workspace.folders) {
    const path = pathOf({ folder, path: fileName }, workspace.folders);
    // Most workspaces have none; one that cannot be read counts as missing.
    const file = await raceAbort(files.read(path, signal), signal).catch(() => undefined);
    if (file === undefined || file.text.trim() === "") continue;
    const whole = visible(file.text);
    const cut = wholeLines(cutText(whole, maxBytes, "beginning"), whole);
    const { text, removed } = takeOutSecrets(cut + restOf(path, cut, whole));
    const notes = [
      ...(hidesCharacters(file.text) ? [message("noteWritten")] : []),
      ...(file.removed + removed > 0 ? [secretsNote(file.removed + removed)] : []),
      ...(cut !== whole ? [message("noteBeginning")] : []),
    ];
    found.push({ path, text, notes });
  }
  return found;
}

/** Cuts at the end of a line, because half a sentence may say the opposite. */
function wholeLines(cut: string, whole: string): string {
  if (cut === whole) return cut;
  const end = cut.lastIndexOf("\n") + 1;
  return end > 0 ? cut.slice(0, end) : cut;
}

/** States what was cut off and where it can be read. */
function restOf(path: string, cut: string, whole: string): string {
  if (cut === whole) return "";
  const next = cut.split("\n").length;
  const sections = sectionsOf(whole.slice(cut.length, cut.length + longestRest), next);
  const named = sections === "" ? "" : ` Read there what your task needs: ${sections}.`;
  return `${cut.endsWith("\n") ? "" : "\n"}[Only the beginning of ${path} is shown. The rest begins at line ${next}.${named}]`;
}

/** The headings of a text with their line numbers; `first`: the number of its first line. */
function sectionsOf(text: string, first: number): string {
  const headings: string[] = [];
  let isCode = false;
  for (const [at, line] of text.split("\n").entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    const [, name] = (!isCode && /^#{1,3} +(\S.*)/.exec(line.slice(0, longestSection))) || [];
    if (name !== undefined) headings.push(`${first + at} ${name.trim()}`);
  }
  const more = headings.length - maxSections;
  return [...headings.slice(0, maxSections), ...(more > 0 ? [`${more} more`] : [])].join("; ");
}
