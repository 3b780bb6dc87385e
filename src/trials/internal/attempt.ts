// One model on one task: a turn outside of every conversation, in the tree of the parent, with its own change set.
import { MessageError } from "../../conversation/english.ts";
import type { ConversationEvent } from "../../conversation/events.ts";
import type { Turn } from "../../conversation/state.ts";
import type { Outgoing } from "../../service/request.ts";
import {
  emptyPoint,
  previewSideTurn,
  type SideTurnContext,
  type SideTurnStart,
  startSideTurn,
} from "../../session/side-turn.ts";
import { tokensOf } from "./candidate-facts.ts";
import type { Attempt, Task } from "./compare-models.ts";

/** Tools that know more than the tree, or act. */
const withoutTools = [
  ...["git_log", "git_diff", "git_blame", "problems", "run_checks", "run_command", "ask_user", "read_skill"],
  ...["find_definition", "find_references", "find_symbol", "outline", "hover", "rename_symbol"],
];

export interface AttemptDeps {
  /** Read for each task. */
  context(): SideTurnContext;
  /** Its name in the ledger. */
  readonly name: string;
  /** Receives its usage and receipts. */
  take(event: ConversationEvent): void;
}

function startOf(task: Task, { context, name }: AttemptDeps, signal: AbortSignal): SideTurnStart {
  const { model, effort, prompt, workspace, tokens } = task;
  return {
    from: emptyPoint(name),
    asked: { prompt, attachments: [] },
    model,
    choices: { effort, webSearch: false },
    instead: { workspace, checkHost: undefined, commandHost: undefined, hostTools: () => [] },
    settings: () => {
      const { tools, instructions, surroundings, stopRunAboveTokens: own } = context().settings();
      const user = new Map([...tools.user, ...withoutTools.map((each) => [each, "off"] as const)]);
      return {
        tools: { ...tools, user },
        instructions: { ...instructions, workspaceFile: false },
        surroundings: surroundings.filter((part) => part !== "checks" && part !== "editor"),
        webSearch: false,
        stopRunAboveTokens: Math.min(own ?? tokens, tokens),
      };
    },
    signal,
  };
}

/** What only belongs to the person's own conversations is not offered. */
const quietly = (context: SideTurnContext): SideTurnContext => ({
  ...context,
  heldBack: () => {},
  lookAtEditor: undefined,
  personalSkills: async () => [],
});

export async function attempt(task: Task, deps: AttemptDeps, signal: AbortSignal): Promise<Attempt> {
  const began = performance.now();
  const side = startSideTurn(quietly(deps.context()), { ...startOf(task, deps, signal), onEvent: deps.take });
  try {
    const turn = await side.done;
    const seconds = (performance.now() - began) / 1000;
    const proposed = await side.changes.overlaid();
    // One that was too long goes on in another turn, after a summary.
    const { turns } = side;
    const usage = turns.flatMap((each) => each.usage);
    const parts = turns.flatMap((each) => each.parts);
    // The service has not answered at all: that says nothing about the model.
    const isUnheard = parts.every(({ type }) => type === "note");
    if (turn?.status === "failed" && turn.problem !== undefined && isUnheard)
      throw new MessageError(turn.problem.message);
    const tokens = tokensOf(turns);
    const isOver = tokens > task.tokens;
    const ending = endingOf(turn, isOver, signal);
    return { proposed, ending, usage, tokens, seconds, refused: refusedIn(parts) };
  } finally {
    await side.close();
  }
}

/** The request that a task would begin with. */
export const firstRequest = (task: Task, deps: AttemptDeps, signal: AbortSignal): Promise<Outgoing> =>
  previewSideTurn(quietly(deps.context()), startOf(task, deps, signal));

/** The person's own limit for one question ends this task alone. */
function endingOf(turn: Turn | undefined, isOver: boolean, signal: AbortSignal): Attempt["ending"] {
  if (signal.aborted || turn?.status === "stopped") return "stopped";
  if (isOver && turn?.problem?.message.code === "problemSpent") return "over-limit";
  return turn?.status === "done" ? "done" : "failed";
}

/** Patches that did not fit, whatever came of them afterwards. */
const refusedIn = (parts: Turn["parts"]): number =>
  parts.filter((part) => part.type === "patch" && part.status === "failed").length;
