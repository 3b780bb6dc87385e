// What a turn outside of a conversation has said and proposed becomes part of it, all or nothing.
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
import type { SideOutcome, SidePoint } from "../side-turn.ts";
import { earlier } from "./ask-again.ts";
import type { ConversationState } from "./conversation-state.ts";

export interface AdoptOptions {
  /** This turn and everything after it leave the conversation. */
  readonly insteadOf?: string | undefined;
  /** Changes of another turn: they take the place of this turn's own in the same files, which are rejected. */
  readonly others?: readonly FileChange[] | undefined;
}

export async function pointOf(
  conversation: ConversationState,
  changes: ChangeStore | undefined,
  insteadOf: string | undefined,
): Promise<SidePoint> {
  const { recorder, state } = conversation;
  await recorder.remember();
  // What is being saved of the changes is on the disk afterwards.
  await conversation.changes.refresh();
  const transcript = recorder.transcript.copy();
  if (insteadOf === undefined) return { transcript, changes };
  const again = await earlier(conversation, insteadOf);
  const at = state.turns.findIndex(({ id }) => id === insteadOf);
  const withdrawn = at < 0 ? [] : state.turns.slice(at).flatMap(({ id }) => conversation.patchesOf(id));
  transcript.take({ type: "cut", turn: insteadOf, at: conversation.deps.now() });
  return { transcript, changes, withdrawn, ...(again && { again }) };
}

/** Returns the events by which the conversation has grown. */
export async function adopt(
  conversation: ConversationState,
  { turn, records, patches }: SideOutcome,
  { insteadOf, others = [] }: AdoptOptions,
): Promise<readonly ConversationEvent[]> {
  const { changes, recorder, deps } = conversation;
  const { folders } = deps.workspace;
  const nameOf = (file: FileName) => pathOf(file, folders);
  await recorder.remember();
  if (insteadOf !== undefined && conversation.state.turns.at(-1)?.id !== insteadOf)
    throw new MessageError(message("sideMovedOn"));
  // The turns that leave may have proposed something for the same files.
  if (insteadOf !== undefined) await conversation.withdraw(insteadOf);
  const rows = new Map<string, PatchShown>();
  const context = await conversation.toolContext();
  const origin = originIn(records, turn);
  try {
    for (const { call, changes: proposed } of patches) {
      if (proposed.length === 0) continue;
      const show = async (shown: PatchShown) => void rows.set(call, shown);
      await proposeAll(proposed, nameOf, { ...context, turn, call, show, origin: () => origin });
    }
  } catch (error) {
    await changes.withdraw(patches.map(({ call }) => call));
    if (error instanceof PatchError) throw new MessageError(message("sideFilesChanged"));
    throw error;
  }
  if (insteadOf !== undefined) await recorder.cut(insteadOf);
  const events: ConversationEvent[] = [];
  for (const record of records) {
    const kept = withRow(record, rows);
    if (kept === undefined) continue;
    await recorder.keep(kept);
    if (isEvent(kept)) events.push(kept);
  }
  await recorder.flush();
  if (others.length > 0) await proposeOthers(conversation, turn, patches, others);
  return events;
}

/** The model reads which of its changes a person has rejected, and what they have proposed in their place. */
async function proposeOthers(
  conversation: ConversationState,
  turn: string,
  patches: SideOutcome["patches"],
  others: readonly FileChange[],
): Promise<void> {
  const { changes, recorder, deps } = conversation;
  const nameOf = (file: FileName) => pathOf(file, deps.workspace.folders);
  const paths = new Set(others.flatMap((change) => [nameOf(change.file), nameOf(nameAfter(change))]));
  const own = new Set(await changes.hunksOf(patches.map(({ call }) => call)));
  const left = changes.pending
    .filter(({ change }) => paths.has(nameOf(change.file)) || paths.has(nameOf(nameAfter(change))))
    .flatMap(({ hunks }) => hunks.flatMap(({ id }) => (own.has(id) ? [id] : [])));
  if (left.length > 0) await changes.reject(left);
  const call = `person-${deps.newId()}`;
  const show = ({ output: _, ...shown }: PatchShown) =>
    recorder.take({ type: "patch", turn, id: call, call, by: "person", ...shown });
  await proposeAll(others, nameOf, { ...(await conversation.toolContext()), turn, call, show });
}

async function proposeAll(
  proposed: readonly FileChange[],
  nameOf: (file: FileName) => string,
  context: ProposalContext,
): Promise<void> {
  const plan = { patchSha256: "", notes: [], changes: orderOfWork(proposed) };
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
function originIn(records: SideOutcome["records"], turn: string): { model?: string; receipt?: string } {
  const begun = records.find((record) => record.type === "started" && record.turn === turn);
  const signed = records.findLast((record) => record.type === "receipt" && record.turn === turn);
  return present({
    model: begun?.type === "started" ? begun.model : undefined,
    receipt: signed?.type === "receipt" ? signed.receipt.nonce : undefined,
  });
}
