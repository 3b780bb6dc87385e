// Refusals in words: one sentence for people, and for the model what is wrong and what to send next time. The
// openings "apply_patch verification failed" and "Failed to find expected lines" are those that models have met.
import { hunkForModel, hunkForPeople } from "./explain-hunk.ts";
import { PatchError, type Refusal } from "./patch-error.ts";
import { quote } from "./quote.ts";

const failed = "apply_patch verification failed:";

export function refuse(refusals: readonly Refusal[]): PatchError {
  const [first] = refusals;
  const people = first === undefined ? "The patch was refused." : forPeople(first);
  const others = refusals.reduce((sum, own) => sum + (own.kind === "others" ? own.count : 1), -1);
  const rest = others < 1 ? "" : ` (and ${others} more ${others === 1 ? "problem" : "problems"})`;
  const model = `${refusals.map(forModel).join("\n\n")}\n\nNothing was changed.`;
  return new PatchError(`${people.slice(0, -1)}${rest}.`, model, refusals);
}

/** Of a patch of which the rest was carried out: what was not, and why. */
export function tellLeftOut(refusals: readonly Refusal[]): string {
  return [
    "These parts of the patch do not fit and were NOT applied; line numbers are those from before the rest was:",
    ...refusals.map(forModel),
  ].join("\n\n");
}

/** One sentence, with a full stop. */
export function forPeople(refusal: Refusal): string {
  switch (refusal.kind) {
    case "syntax":
      return `The patch cannot be read: ${lowerFirst(refusal.problem)} (line ${refusal.line}).`;
    case "too-much":
      return `The patch is too large: ${tooMuch(refusal.what)}.`;
    case "path":
      return `The patch names ${quote(refusal.path)}, which is not allowed: ${refusal.why}.`;
    case "exists":
      return refusal.same
        ? `${refusal.path} already exists with this content: the patch looks already applied.`
        : `${refusal.path} already exists and would be overwritten.`;
    case "missing":
      return `${refusal.path} does not exist${refusal.alike === undefined ? "" : `; there is ${refusal.alike}`}.`;
    case "file":
      return `${refusal.path} cannot be patched: ${refusal.why}.`;
    case "no-change":
      return `The patch would leave ${refusal.path} as it is.`;
    case "placeholder":
      return `The edit to ${refusal.path} has a placeholder in place of code.`;
    case "others":
      return `${more(refusal.count)} of ${refusal.path} cannot be placed either.`;
    default:
      return hunkForPeople(refusal);
  }
}

function forModel(refusal: Refusal): string {
  switch (refusal.kind) {
    case "syntax": {
      const found = refusal.found === undefined ? "" : `: ${quote(refusal.found)}`;
      return `${failed} invalid patch: ${refusal.problem} (line ${refusal.line})${found}`;
    }
    case "too-much":
      return `${failed} ${tooMuch(refusal.what)}. Send several smaller patches.`;
    case "path":
      return `${failed} the path ${quote(refusal.path)} is refused: ${refusal.why}.`;
    case "exists":
      return refusal.same
        ? `${failed} ${refusal.path} already exists with exactly this content: the patch looks already applied.`
        : `${failed} ${refusal.path} already exists. Send '*** Update File: ${refusal.path}' or another name.`;
    case "missing": {
      const alike = refusal.alike === undefined ? "" : ` There is ${refusal.alike}.`;
      return `${failed} ${refusal.path} does not exist.${alike}`;
    }
    case "file":
      return `${failed} ${refusal.path} cannot be patched: ${refusal.why}.`;
    case "others":
      return `${more(refusal.count)} of ${refusal.path} cannot be placed either.`;
    case "no-change":
      return `${failed} the hunks for ${refusal.path} add what they remove, so nothing would change.`;
    case "placeholder":
      return `${failed} ${refusal.path}: ${quote(refusal.found)} is a placeholder and would be written into the file. Send the full lines; what stays between two changes is left out by sending two hunks.`;
    default:
      return `${failed} ${hunkForModel(refusal)}`;
  }
}

function more(hunks: number): string {
  return hunks === 1 ? "One more hunk" : `${hunks} more hunks`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function tooMuch(what: "patch" | "files" | "hunks"): string {
  if (what === "patch") return "it is longer than 1 MiB";
  return what === "files" ? "it names more than 200 files" : "it has more than 2,000 hunks";
}
