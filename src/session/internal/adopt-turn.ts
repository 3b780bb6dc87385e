// What a turn outside of a conversation has said and proposed becomes part of it, all or nothing: first its changes in one
// step of the change set, then its records.
import type { ChangeSteps } from "../../changes/change-set.ts";
import type { ChangeStore } from "../../changes/change-store.ts";
import { MessageError } from "../../conversation/english.ts";
import { type ConversationEvent, type ConversationRecord, isEvent } from "../../conversation/events.ts";
import { message } from "../../conversation/messages.ts";
import { pathOf } from "../../files/refusal.ts";
import { nameAfter } from "../../patch/edits.ts";
import type { FileChange, FileName } from "../../patch/model.ts";
import { PatchError } from "../../patch/patch-error.ts";
import { orderOfWork } from "../../patch/plan.ts";
import { type ProposalContext, proposePlan } from "../../tools/apply-patch.ts";
import type { PatchShown } from "../../tools/tool.ts";
import { present } from "../../util/present.ts";
import { goesOnFrom, type SideOutcome, type SidePoint } from "../side-turn.ts";
import { earlier } from "./ask-again.ts";
import type { ConversationState } from "./conversation-state.ts";

/** What these files are after another turn. */
interface OtherChanges {
  readonly of: SideOutcome;
  readonly paths: readonly string[];
}

export interface AdoptOptions {
  /** This turn and everything after it leave the conversation. */
  readonly insteadOf?: string | undefined;
  /** These take the place of the turn's own changes in the same files, which are rejected. */
  readonly others?: readonly OtherChanges[] | undefined;
}

export async function pointOf(
  conversation: ConversationState,
  changes: ChangeStore | undefined,
  insteadOf: string | undefined,
): Promise<SidePoint> {
  const { recorder } = conversation;
  await recorder.remember();
  // What is being saved of the changes is on the disk afterwards.
  await conversation.changes.refresh();
  const transcript = recorder.transcript.copy();
  if (insteadOf === undefined) return { transcript, changes };
  const again = await earlier(conversation, insteadOf);
  const withdrawn = conversation.patchesFrom(insteadOf);
  transcript.take({ type: "cut", turn: insteadOf, at: conversation.deps.now() });
  return { transcript, changes, withdrawn, ...(again && { again }) };
}

/** `tell` receives the events by which the conversation has grown. Without effect if it has that turn already. */
export async function adopt(
  conversation: ConversationState,
  outcome: SideOutcome,
  { insteadOf, others = [] }: AdoptOptions,
  tell: (event: ConversationEvent) => void,
): Promise<void> {
  const { recorder } = conversation;
  const { turn, records } = outcome;
  await recorder.remember();
  const { turns } = conversation.state;
  if (turns.some(({ id }) => id === turn)) return;
  if (!goesOnFrom(turns, outcome.after, insteadOf)) throw new MessageError(message("sideMovedOn"));
  const rows = new Map<string, PatchShown>();
  const persons = await proposeAtOnce(conversation, outcome, { insteadOf, others }, rows).catch(
    (error: unknown) => {
      if (error instanceof PatchError) throw new MessageError(message("sideFilesChanged"));
      throw error;
    },
  );
  if (conversation.state.turns.some(({ id }) => id === insteadOf)) await recorder.cut(insteadOf ?? "");
  const { opened } = conversation;
  const kept = records
    .filter((record) => record.type !== "opened" || goesWith(opened?.cacheId, record.cacheId))
    .flatMap((record) => withRow(record, rows) ?? []);
  for (const record of [...kept, ...persons]) {
    await recorder.keep(record);
    if (isEvent(record)) tell(record);
  }
  await recorder.flush();
  // What a person has rejected of it shows in its rows.
  await conversation.drawRows(new Set(outcome.patches.map(({ call }) => call)));
}

/** Replacing the opening of a conversation would lose what the service has cached of it. */
const goesWith = (known: string | undefined, cacheId: string): boolean =>
  known === undefined || known === cacheId;

/**
 * Proposes everything in one step, together with what leaves the conversation for it. Returns the rows of what a person
 * has chosen from other turns: they tell the model which of its changes were rejected, and what replaces them.
 */
async function proposeAtOnce(
  conversation: ConversationState,
  outcome: SideOutcome,
  { insteadOf, others }: { readonly insteadOf: string | undefined; readonly others: readonly OtherChanges[] },
  rows: Map<string, PatchShown>,
): Promise<readonly ConversationEvent[]> {
  const { changes, deps } = conversation;
  const { turn, patches } = outcome;
  const nameOf = (file: FileName) => pathOf(file, deps.workspace.folders);
  const context = {
    ...(await conversation.toolContext()),
    turn,
    scopeOf: scopeWith(conversation, outcome, insteadOf),
  };
  const own = patches.map(({ call }) => call);
  // What waits may have moved a file already, which is shown under the name that it has on the disk.
  const waiting = new Map(
    changes.pending.map(({ change }) => [nameOf(change.file), nameOf(nameAfter(change))]),
  );
  return changes.atOnce(async (steps) => {
    if (patches.some((patch) => isLost(patch, outcome))) throw new MessageError(message("sideFilesChanged"));
    // The turns that leave may have proposed something for the same files, and so may a taking that was cut off.
    steps.withdraw([...(insteadOf === undefined ? [] : conversation.patchesFrom(insteadOf)), ...own]);
    const propose = async (
      call: string,
      proposed: readonly FileChange[],
      by: SideOutcome,
      show: ProposalContext["show"],
    ) => {
      const origin = () => originIn(by);
      if (proposed.length > 0)
        await proposeAll(proposed, nameOf, { ...context, changes: steps, call, show, origin });
    };
    for (const { call, changes: proposed } of patches)
      await propose(call, proposed, outcome, async (shown) => void rows.set(call, shown));
    const persons: ConversationEvent[] = [];
    for (const { of, paths } of others) {
      withdrawIn(paths, own, nameOf, steps);
      for (const proposed of changesIn(of, paths, nameOf, waiting)) {
        const call = `person-${deps.newId()}`;
        await propose(call, proposed, of, async ({ output: _, ...shown }) => {
          persons.push({ type: "patch", turn, id: call, call, by: "person", ...shown });
        });
      }
    }
    return persons;
  });
}

function withdrawIn(
  paths: readonly string[],
  calls: readonly string[],
  nameOf: (file: FileName) => string,
  steps: ChangeSteps,
): void {
  steps.withdraw(calls, (files) => files.some((file) => paths.includes(nameOf(file))));
}

/** Whether the texts of what a patch proposes are no longer stored. */
const isLost = ({ call, changes }: SideOutcome["patches"][number], { records }: SideOutcome): boolean =>
  changes.length === 0 &&
  records.some((record) => record.type === "patch" && record.call === call && record.status === "proposed");

/** What each call of a turn has changed in these files, under all names that they had; no file may be unchanged. */
function changesIn(
  { patches }: SideOutcome,
  paths: readonly string[],
  nameOf: (file: FileName) => string,
  waiting: ReadonlyMap<string, string>,
): readonly (readonly FileChange[])[] {
  const all = patches.flatMap(({ changes }) => changes);
  const meant = new Set(paths.flatMap((path) => [...changesOfFile(path)]));
  return patches.flatMap(({ changes }) => {
    const chosen = changes.filter((change) => meant.has(change));
    return chosen.length === 0 ? [] : [chosen];
  });

  function changesOfFile(path: string): ReadonlySet<FileChange> {
    const names = new Set([path, waiting.get(path) ?? path]);
    const found = new Set<FileChange>();
    // A name may become known only by a change after the one that it belongs to.
    for (let before = -1; before < found.size; ) {
      before = found.size;
      for (const change of all) {
        const own = [nameOf(change.file), nameOf(nameAfter(change))];
        if (!own.some((name) => names.has(name))) continue;
        found.add(change);
        for (const name of own) names.add(name);
      }
    }
    if (found.size === 0) throw new MessageError(message("sideFilesChanged"));
    return found;
  }
}

/** What was asked for, as the turn itself has seen it. */
function scopeWith(
  conversation: ConversationState,
  { records }: SideOutcome,
  insteadOf: string | undefined,
): NonNullable<ProposalContext["scopeOf"]> {
  const transcript = conversation.recorder.transcript.copy();
  if (insteadOf !== undefined) transcript.take({ type: "cut", turn: insteadOf, at: 0 });
  for (const record of records) transcript.take(record);
  return (turn, paths) => conversation.scopeOf(turn, paths, transcript.state.turns);
}

async function proposeAll(
  proposed: readonly FileChange[],
  nameOf: (file: FileName) => string,
  context: ProposalContext,
): Promise<void> {
  const plan = { notes: [], changes: orderOfWork(proposed) };
  if ((await proposePlan(plan, nameOf, context)) === "stale")
    throw new MessageError(message("sideFilesChanged"));
}

/**
 * The record as the conversation keeps it: a patch is shown as it was proposed there, since what is decided about it
 * goes by the names in its row.
 */
function withRow(
  record: ConversationRecord,
  rows: ReadonlyMap<string, PatchShown>,
): ConversationRecord | undefined {
  if (record.type === "patch-state") return rows.has(record.call) ? undefined : record;
  if (record.type !== "patch") return record;
  const shown = rows.get(record.call);
  const { type, turn, id, call } = record;
  return shown === undefined ? record : { type, turn, id, call, ...shown };
}

/** The model of a side turn, and the receipt of its last request. */
function originIn({ records, turn }: SideOutcome): { model?: string; receipt?: string } {
  const begun = records.find((record) => record.type === "started" && record.turn === turn);
  const signed = records.findLast((record) => record.type === "receipt" && record.turn === turn);
  return present({
    model: begun?.type === "started" ? begun.model : undefined,
    receipt: signed?.type === "receipt" ? signed.receipt.nonce : undefined,
  });
}
