// What became of patches after the model was answered: accepted, rejected, edited, taken back, in conflict. The history
// only grows, so that this is said with the next thing that goes out, and once: what was said is read in the history that
// will be sent, so that what was cut from it is said again. Pure.

import type { DecisionNote } from "../changes/kept-changes.ts";
import { type Fate, isByPerson } from "../changes/proposal.ts";
import { errorLines, type NewErrors } from "../checks/applied-errors.ts";
import { verbatim } from "../conversation/content.ts";
import type { Turn } from "../conversation/state.ts";
import { takeOutSecrets } from "../files/secrets.ts";
import { userItem } from "./history.ts";

export interface DecidedCall {
  readonly call: string;
  readonly paths: readonly string[];
  readonly fates: ReadonlyMap<string, Fate>;
  readonly note: DecisionNote | undefined;
}

export type Decided = (call: string) => Pick<DecidedCall, "fates" | "note">;

const beginning = "[Patchbay: what became of your patches:";
const errorsBeginning = "[Patchbay: errors that the editor shows since your patches were applied:";

/** Such an item: of a question that is asked again, it is left out and told again. */
export const isChangeNews = (item: string): boolean =>
  [beginning, errorsBeginning].some((begun) =>
    item.startsWith(userItem([{ kind: "text", text: verbatim(begun) }]).slice(0, -2)),
  );

const inItem = (words: string): string => JSON.stringify(words).slice(1, -1);

/** New errors that these items do not tell of yet. */
export function errorNews(found: readonly NewErrors[], items: readonly string[]): string[] {
  const known = items.filter(isChangeNews);
  const news = found
    .map(({ call, errors }) => takeOutSecrets(`- Patch ${call}:\n${errorLines(errors)}`).text)
    .filter((text) => !known.some((item) => item.includes(inItem(`\n${text}\n`))));
  return news.length === 0
    ? []
    : [userItem([{ kind: "text", text: verbatim(`${[errorsBeginning, ...news].join("\n")}\n]`) }])];
}

/**
 * What is to go out after these items; nothing where the model knows all of it. `held`: the turns whose calls they hold; of
 * others it has lost even that something waits.
 */
export function changeNews(
  turns: readonly Turn[],
  items: readonly string[],
  decided: Decided,
  held?: ReadonlySet<string>,
): string[] {
  const known = items.filter(isChangeNews);
  const news: string[] = [];
  for (const { id, parts } of turns)
    for (const part of parts) {
      // Of a person's own patches the model has never heard.
      if (part.type !== "patch" || part.by !== undefined || part.call === "") continue;
      const paths = part.files.map(({ path, to }) => (to === undefined ? path : `${path} → ${to}`));
      const isLost = held?.has(id) === false;
      const line = newsOf({ call: part.call, paths, ...decided(part.call) }, isLost);
      if (line === undefined) continue;
      const { text } = takeOutSecrets(line);
      if (!isKnown(text, part.call, known)) news.push(text);
    }
  return news.length === 0
    ? []
    : [userItem([{ kind: "text", text: verbatim(`${[beginning, ...news].join("\n")}\n]`) }])];
}

/** Nothing while all of it waits, as the answer to the call has said; `isLost`: the model knows that answer no more. */
export function newsOf({ call, paths, fates, note }: DecidedCall, isLost = false): string | undefined {
  const of = (fate: Fate) => [...fates].filter(([, each]) => each === fate).map(([id]) => id);
  const [first] = fates.values();
  const isOne = first !== undefined && of(first).length === fates.size;
  const size = [...fates.keys()].filter((id) => !isByPerson(id)).length;
  const parts = order.flatMap((fate) => {
    const ids = of(fate).filter((id) => !isByPerson(id));
    const own = ids.length < of(fate).length && !isOne ? [`what the user wrote into it ${words[fate]}`] : [];
    if (ids.length === 0) return own;
    return [`${ids.length === size ? "all of it" : ids.join(", ")} ${words[fate]}`, ...own];
  });
  if (parts.length === 0 || (!isLost && of("pending").length === fates.size)) return undefined;
  const reason = note?.reason === undefined ? "" : ` The user said: ${note.reason}`;
  const edited =
    note?.edited === undefined
      ? ""
      : `\nThe user edited it before accepting it. What they changed in your proposal:\n${note.edited}`;
  const unsaved =
    note?.unsaved === undefined || note.unsaved.length === 0
      ? ""
      : ` ${note.unsaved.join(", ")} could not be saved: the editor holds the new text, other programs see the old one.`;
  return `${begin(call)}(${paths.join(", ")}): ${parts.join("; ")}.${unsaved}${reason}${edited}`;
}

const begin = (call: string): string => `- Patch ${call} `;

const order = ["applied", "rejected", "undone", "conflict", "replaced", "pending"] as const;

const words: Readonly<Record<Fate, string>> = {
  applied: "was accepted and is in the files",
  rejected: "was rejected by the user and is not in the files",
  undone: "was accepted and taken back later, and is in the files no more",
  conflict: "no longer fits the files and was left out; read them before you propose it again",
  replaced: "is no longer part of what is proposed",
  pending: "still waits for the user's decision",
};

/** Whether the last that was told of a call is this. */
function isKnown(text: string, call: string, known: readonly string[]): boolean {
  const last = known.findLast((item) => item.includes(inItem(`\n${begin(call)}`)));
  return last?.includes(inItem(`${text}\n`)) === true;
}
