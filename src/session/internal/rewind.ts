// Goes back to before an earlier question: the files, the conversation, or both; and says before what that takes along
// and what cannot come back. Files are undone as one step, as far as nobody has changed them since.
import type { ReverseOutcome } from "../../changes/proposal.ts";
import { attachmentsOf, promptsOf } from "../../conversation/reduce.ts";
import type { Attachment, RewindPlan, RewindScope, Turn } from "../../conversation/state.ts";
import { restoreAttachments } from "../../tools/attached-text.ts";
import { ownTools } from "../../tools/tool-table.ts";
import type { ConversationState } from "./conversation-state.ts";
import { isDecisionReport } from "./decision-report.ts";
import { joinWords } from "./session-draft.ts";

/** This turn and all after it. */
function turnsSince({ state: { turns } }: ConversationState, turn: string): readonly Turn[] {
  const at = turns.findIndex(({ id }) => id === turn);
  return at < 0 ? [] : turns.slice(at);
}

interface AppliedPatch {
  readonly call: string;
  readonly paths: readonly string[];
}

/** What of these turns is in the files, also of changes of which a part still waits. */
async function appliedIn(
  { changes }: ConversationState,
  turns: readonly Turn[],
): Promise<readonly AppliedPatch[]> {
  const patches = turns.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "patch" && part.call !== "" ? [part] : [])),
  );
  if (patches.length === 0) return [];
  const inFiles = await changes.inFiles(patches.map(({ call }) => call));
  return patches.flatMap(({ call, files }, at) => {
    const own = inFiles[at] ?? new Set();
    const written = files.filter(({ hunks }) => hunks.some(({ id }) => own.has(id)));
    return own.size === 0 ? [] : [{ call, paths: written.map(({ path, to = path }) => to) }];
  });
}

const readers: ReadonlySet<string> = new Set(
  ownTools.filter(({ kind }) => kind === "read").map(({ name }) => name),
);

/** Names of tools that have done more than read, whose work is not undone. */
const actedIn = (turns: readonly Turn[]): readonly string[] => [
  ...new Set(
    turns.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.type === "tool" && part.status === "done" && part.name !== "" && !readers.has(part.name)
          ? [part.name]
          : [],
      ),
    ),
  ),
];

/** What going back to before this turn would take along, as far as is known now. */
export async function planRewind(
  conversation: ConversationState,
  turn: string,
): Promise<Omit<RewindPlan, "tokens" | "price">> {
  const turns = turnsSince(conversation, turn);
  const applied = await appliedIn(conversation, turns);
  const left =
    applied.length === 0 ? [] : await conversation.changes.leftByUndo(applied.map(({ call }) => call));
  return {
    files: [...new Set(applied.flatMap(({ paths }) => paths))],
    left: left.map(({ path, why }) => ({ path, why })),
    questions: turns.flatMap(promptsOf).filter((prompt) => prompt.trim() !== "").length,
    acted: [...actedIn(turns)],
  };
}

interface Rewound {
  /** Absent: no files were to be undone. */
  readonly undone?: ReverseOutcome;
  /** The question that has left the conversation. */
  readonly question?: { readonly prompt: string; readonly attachments: readonly Attachment[] };
}

/**
 * Undoes first: if the editor asks and the person declines, the conversation stays as well. The question is kept on the
 * disk before it leaves the conversation.
 */
export async function rewind(
  conversation: ConversationState,
  turn: string,
  scope: RewindScope,
): Promise<Rewound> {
  const { changes, recorder, deps } = conversation;
  const turns = turnsSince(conversation, turn);
  const [first] = turns;
  if (first === undefined) return {};
  const applied = scope === "conversation" ? [] : await appliedIn(conversation, turns);
  const calls = applied.map(({ call }) => call);
  const undone = calls.length === 0 ? undefined : await changes.undo(calls);
  const done = undone === undefined ? {} : { undone };
  if (scope === "files" || undone?.outcome === "declined") return done;
  await recorder.remember();
  const { transcript } = recorder;
  const sent = [...transcript.asked(turn), ...transcript.steered(turn).flatMap(({ items }) => items)];
  const said = sent.filter((item) => !isDecisionReport(item));
  const prompt = joinWords(promptsOf(first));
  const attachments = restoreAttachments(attachmentsOf(first), said);
  await deps.hold({ turn, words: prompt, attached: attachments });
  await conversation.withdraw(turn);
  await recorder.cut(turn);
  return { ...done, question: { prompt, attachments } };
}
