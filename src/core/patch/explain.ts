// Refusals in words: one sentence for people, and for the model what is wrong and what to send next time. The
// openings "apply_patch verification failed" and "Failed to find expected lines" are those that models have met.
import { inEnglish } from "../messages/english.ts";
import { type Message, message } from "../messages/message.ts";
import { hunkForModel, hunkForPeople } from "./explain-hunk.ts";
import { PatchError, type Refusal } from "./patch-error.ts";
import { quote } from "./quote-foreign.ts";

const failed = "apply_patch verification failed:";

export function refuse(refusals: readonly Refusal[]): PatchError {
  const [first] = refusals;
  const people = first === undefined ? message("patchAsItIs") : forPeople(first);
  const others = refusals.reduce((sum, own) => sum + (own.kind === "others" ? own.count : 1), -1);
  const model = `${refusals.map(forModel).join("\n\n")}\n\nNothing was changed.`;
  return new PatchError(withOthers(people, others), model, refusals);
}

function withOthers(first: Message, others: number): Message {
  if (others < 1) return first;
  return others === 1 ? message("patchAndOne", { first }) : message("patchAndMore", { first, count: others });
}

function forPeople(refusal: Refusal): Message {
  switch (refusal.kind) {
    case "syntax":
      return message("patchUnreadable", { why: refusal.problem, line: refusal.line });
    case "too-much":
      return message("patchTooLarge", { why: tooMuch(refusal.what) });
    case "path":
      return message("patchNotAllowed", { path: quote(refusal.path), why: refusal.why });
    case "exists":
      return message(refusal.same ? "patchSame" : "patchExists", { path: refusal.path });
    case "missing": {
      const { path, alike } = refusal;
      return alike === undefined ? message("patchMissing", { path }) : message("patchAlike", { path, alike });
    }
    case "file":
      return message("patchFile", { path: refusal.path, why: refusal.why });
    case "no-change":
      return message("patchNoChange", { path: refusal.path });
    case "placeholder":
      return message("patchPlaceholder", { path: refusal.path });
    case "others":
      return more(refusal);
    default:
      return hunkForPeople(refusal);
  }
}

function forModel(refusal: Refusal): string {
  switch (refusal.kind) {
    case "syntax": {
      const found = refusal.found === undefined ? "" : `: ${quote(refusal.found)}`;
      return `${failed} invalid patch: ${upperFirst(inEnglish(refusal.problem))} (line ${refusal.line})${found}`;
    }
    case "too-much":
      return `${failed} ${inEnglish(tooMuch(refusal.what))}. Send several smaller patches.`;
    case "path":
      return `${failed} the path ${quote(refusal.path)} is refused: ${inEnglish(refusal.why)}.`;
    case "exists":
      return refusal.same
        ? `${failed} ${refusal.path} already exists with exactly this content: the patch looks already applied.`
        : `${failed} ${refusal.path} already exists. Send '*** Update File: ${refusal.path}' or another name.`;
    case "missing": {
      const alike = refusal.alike === undefined ? "" : ` There is ${refusal.alike}.`;
      return `${failed} ${refusal.path} does not exist.${alike}`;
    }
    case "file":
      return `${failed} ${refusal.path} cannot be patched: ${inEnglish(refusal.why)}.`;
    case "others":
      return inEnglish(more(refusal));
    case "no-change":
      return `${failed} the hunks for ${refusal.path} add what they remove, so nothing would change.`;
    case "placeholder":
      return `${failed} ${refusal.path}: ${quote(refusal.found)} is a placeholder and would be written into the file. Send the full lines; what stays between two changes is left out by sending two hunks.`;
    default:
      return `${failed} ${hunkForModel(refusal)}`;
  }
}

function more({ path, count }: Extract<Refusal, { kind: "others" }>): Message {
  return count === 1 ? message("patchOneMore", { path }) : message("patchMore", { count, path });
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function tooMuch(what: "patch" | "files" | "hunks"): Message {
  if (what === "patch") return message("whyLong");
  return what === "files" ? message("whyFiles") : message("whyHunks");
}
