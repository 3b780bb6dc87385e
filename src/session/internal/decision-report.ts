// Tells the model what became of its patches after their results were sent: accepted, rejected, edited, undone, conflicted.
// The history only grows, so this is sent with the next request, and once: earlier reports are found in the history
// that will be sent, so that whatever was cut from it is reported again. Pure.
import type { DecisionNote } from "../../changes/change-store.ts";
import { type HunkStatus, isByPerson } from "../../changes/proposal.ts";
import { errorLines, type NewErrors } from "../../checks/applied-errors.ts";
import { verbatim } from "../../conversation/events.ts";
import { type Argument, type Message, message } from "../../conversation/messages.ts";
import type {
  PatchFile,
  PatchHunk,
  PatchPart,
  PatchState,
  PatchStatus,
  Turn,
} from "../../conversation/state.ts";
import { takeOutSecrets } from "../../files/privacy.ts";
import { saysTookBack } from "../../tools/apply-patch.ts";
import { userItem } from "./history.ts";
import { beginsWith, planBeginning, planFirstBeginning } from "./plan.ts";

interface DecidedCall {
  readonly call: string;
  readonly paths: readonly string[];
  readonly statuses: ReadonlyMap<string, HunkStatus>;
  readonly note: DecisionNote | undefined;
  /** A later patch or command of the model also changes one of these files. */
  readonly isRevised?: boolean;
}

type Decided = (call: string) => Pick<DecidedCall, "statuses" | "note">;

const beginning = "[Patchbay: what became of your patches:";
const errorsBeginning = "[Patchbay: errors that the editor shows since your patches were applied:";

/** Whether an item is such a report; when a question is asked again, it is left out and generated again. */
export const isDecisionReport = (item: string): boolean =>
  [beginning, errorsBeginning, planBeginning, planFirstBeginning].some((begun) => beginsWith(item, begun));

const inItem = (words: string): string => JSON.stringify(words).slice(1, -1);

/** Items about new errors that these items do not report yet. */
export function describeNewErrors(found: readonly NewErrors[], items: readonly string[]): string[] {
  const known = items.filter(isDecisionReport);
  const news = found
    .map(({ call, errors }) => takeOutSecrets(`- Patch ${call}:\n${errorLines(errors)}`).text)
    .filter((text) => !known.some((item) => item.includes(inItem(`\n${text}\n`))));
  return news.length === 0
    ? []
    : [userItem([{ kind: "text", text: verbatim(`${[errorsBeginning, ...news].join("\n")}\n]`) }])];
}

/**
 * The report to send after these items; empty if the model knows everything. `held`: the turns whose calls these items
 * contain; for other turns the model no longer knows even that changes are pending.
 */
export function describeDecisions(
  turns: readonly Turn[],
  items: readonly string[],
  decided: Decided,
  held?: ReadonlySet<string>,
): string[] {
  const known = items.filter(isDecisionReport);
  const news: string[] = [];
  const last = lastPatches(turns);
  for (const { id, parts } of turns)
    for (const part of parts) {
      // The model does not know of a person's own patches.
      if (part.type !== "patch" || part.by !== undefined || part.call === "") continue;
      const { statuses, note } = decided(part.call);
      // Its result said so, and nothing has come of it since.
      if (saysTookBack(part.output) && [...statuses.values()].every((each) => each === "replaced")) continue;
      const paths = part.files.map(({ path, to }) => (to === undefined ? path : `${path} → ${to}`));
      const isLost = held?.has(id) === false;
      const isRevised = part.files.some(({ path, to = path }) => last.get(to) !== part);
      const line = describeDecision({ call: part.call, paths, isRevised, statuses, note }, isLost);
      if (line === undefined) continue;
      const { text } = takeOutSecrets(line);
      if (!isKnown(text, part.call, known)) news.push(text);
    }
  return news.length === 0
    ? []
    : [userItem([{ kind: "text", text: verbatim(`${[beginning, ...news].join("\n")}\n]`) }])];
}

/** For each file the last patch of the model that changes it. */
function lastPatches(turns: readonly Turn[]): ReadonlyMap<string, object> {
  const last = new Map<string, object>();
  for (const part of turns.flatMap(({ parts }) => parts)) {
    if (part.type !== "patch" || part.by !== undefined || part.call === "") continue;
    for (const { path, to = path } of part.files) for (const each of [path, to]) last.set(each, part);
  }
  return last;
}

/**
 * Returns undefined while everything is pending, because the result of the call said so; `isLost`: the model no longer
 * has that response.
 */
export function describeDecision(
  { call, paths, statuses, note, isRevised = false }: DecidedCall,
  isLost = false,
): string | undefined {
  const wordsFor = (status: HunkStatus) =>
    status === "replaced" && isRevised ? "was replaced by later changes of yours" : words[status];
  const of = (status: HunkStatus) => [...statuses].filter(([, each]) => each === status).map(([id]) => id);
  const [first] = statuses.values();
  const isOne = first !== undefined && of(first).length === statuses.size;
  const size = [...statuses.keys()].filter((id) => !isByPerson(id)).length;
  // What waits is told beside what the user has decided or written: otherwise the model knows that it waits.
  const isDecided = [...statuses].some(
    ([id, status]) => isByPerson(id) || (status !== "pending" && status !== "replaced"),
  );
  const parts = order.flatMap((status) => {
    if (status === "pending" && !isDecided && !isLost) return [];
    const ids = of(status).filter((id) => !isByPerson(id));
    const own =
      ids.length < of(status).length && !isOne ? [`what the user wrote into it ${wordsFor(status)}`] : [];
    if (ids.length === 0) return own;
    return [`${ids.length === size ? "all of it" : ids.join(", ")} ${wordsFor(status)}`, ...own];
  });
  if (parts.length === 0 || (!isLost && of("pending").length === statuses.size)) return undefined;
  const reason = note?.reason === undefined ? "" : ` The user said: ${note.reason}`;
  const edited =
    note?.edited === undefined
      ? ""
      : `\nThe user edited it before accepting it. What they changed in your proposal:\n${note.edited}`;
  const unsaved =
    note?.unsaved === undefined || note.unsaved.length === 0
      ? ""
      : ` ${note.unsaved.join(", ")} is not saved yet: the editor holds the new text, other programs see the old one.`;
  return `${begin(call)}(${paths.join(", ")}): ${parts.join("; ")}.${unsaved}${reason}${edited}`;
}

const begin = (call: string): string => `- Patch ${call} `;

const order = ["applied", "rejected", "undone", "conflict", "replaced", "pending"] as const;

const words: Readonly<Record<HunkStatus, string>> = {
  applied: "was accepted and is in the files",
  rejected: "was rejected by the user and is not in the files",
  undone: "was accepted and later undone, and is no longer in the files",
  conflict: "no longer fits the files and was left out; read them before you propose it again",
  replaced: "leaves nothing to decide: what your tools read is what holds",
  pending: "still waits for the user's decision",
};

/** Whether the last report about a call says the same. */
function isKnown(text: string, call: string, known: readonly string[]): boolean {
  const last = known.findLast((item) => item.includes(inItem(`\n${begin(call)}`)));
  return last?.includes(inItem(`${text}\n`)) === true;
}

interface CallState {
  readonly statuses: ReadonlyMap<string, HunkStatus>;
  readonly note: DecisionNote | undefined;
  /** The window was closed in the middle of writing. */
  readonly halfWritten: { readonly written: number; readonly all: number } | undefined;
  /** The files as they were written, if the person has edited them and the row does not show it yet. */
  readonly files?: readonly PatchFile[] | undefined;
}

/**
 * What changes at the row of a patch. Each row shows the patch as it arrived and the current status of its changes in
 * the change set; only differences are reported. Returns undefined if the row is up to date.
 */
export function patchRowUpdate(
  part: PatchPart,
  { statuses, note, halfWritten, files }: CallState,
): PatchState | undefined {
  const { id, call } = part;
  const isLost = statuses.size === 0;
  if (isLost && part.status !== "proposed") return undefined;
  const status = isLost ? "lost" : statusOf([...statuses.values()]);
  const isRejected = [...statuses.values()].includes("rejected");
  const shown = isLost
    ? part.message
    : messageOf(files ?? part.files, stillTrue(part.message, statuses), note, halfWritten, isRejected);
  const hunks = (files ?? part.files).flatMap((file) => file.hunks.flatMap(newStatus));
  const isKnown =
    files === undefined &&
    status === part.status &&
    hunks.length === 0 &&
    JSON.stringify(shown) === JSON.stringify(part.message);
  return isKnown
    ? undefined
    : {
        ...{ type: "patch-state", id, call, status, hunks },
        ...(shown && { message: shown }),
        ...(files && { files: [...files] }),
      };

  function newStatus(hunk: PatchHunk): PatchState["hunks"] {
    const status = statuses.get(hunk.id);
    return status === undefined || status === hunk.status ? [] : [{ id: hunk.id, status }];
  }
}

/** Most important first. */
const statusOrder = ["pending", "applied", "undone", "conflict", "rejected", "replaced"] as const;
const patchStatuses: Readonly<Record<HunkStatus, PatchStatus>> = {
  pending: "proposed",
  applied: "applied",
  undone: "undone",
  conflict: "conflict",
  rejected: "rejected",
  replaced: "replaced",
};

function statusOf(statuses: readonly HunkStatus[]): PatchStatus {
  return patchStatuses[statusOrder.find((status) => statuses.includes(status)) ?? "pending"];
}

function messageOf(
  files: readonly PatchFile[],
  known: Message | undefined,
  note: DecisionNote | undefined,
  halfWritten: CallState["halfWritten"],
  isRejected: boolean,
): Message | undefined {
  if (halfWritten !== undefined)
    return message("changeHalfWritten", { count: halfWritten.written, all: halfWritten.all });
  if (note?.left !== undefined) return note.left;
  if (note?.unsaved !== undefined && note.unsaved.length > 0)
    return message("patchUnsaved", { names: note.unsaved.join(", ") });
  if (isRejected && note?.reason !== undefined && note.reason !== "")
    return message("patchFeedback", { words: note.reason });
  // The row of each call in which the person has written says so; the model is told once, with the last of these calls.
  const marked = files.filter(({ hunks }) => hunks.some(({ edited }) => edited === true));
  if (marked.length > 0 || note?.edited !== undefined) {
    const names = (marked.length > 0 ? marked : files).map(({ path }) => path);
    return message("patchEdited", { names: names.join(", ") });
  }
  return known === undefined || passing.has(known.code) ? undefined : known;
}

/** Which rule has accepted it is of interest while something of it is accepted; why one has not, while something waits. */
function stillTrue(known: Message | undefined, statuses: CallState["statuses"]): Message | undefined {
  const now = new Set(statuses.values());
  switch (known?.code) {
    case "patchByRuleLeft": {
      const both = [known.args?.["accepted"], known.args?.["left"]].filter(isMessage);
      const kept = both.filter((each) => stillTrue(each, statuses) !== undefined);
      return kept.length === both.length ? known : kept[0];
    }
    case "patchByRule":
    case "patchByRuleIn":
      return now.has("applied") ? known : undefined;
    case "ruleLeft":
      return now.has("pending") ? known : undefined;
    default:
      return known;
  }
}

const isMessage = (value: Argument | undefined): value is Message =>
  typeof value === "object" && "code" in value;

/** Messages that are dropped once they no longer apply. */
const passing: ReadonlySet<Message["code"]> = new Set<Message["code"]>([
  ...(["patchUnsaved", "changeHalfWritten", "patchFeedback"] as const),
  ...(["undoneInPart", "undoneNotAll", "againInPart", "againNotAll"] as const),
]);
