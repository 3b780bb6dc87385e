// What a person says while a turn works reaches the model with the turn's next request: behind the results of its tools,
// so that nothing before it changes. Whatever a person would have to be asked about first waits for the end of the turn.
import type { SteeredPart } from "../../conversation/state.ts";
import { behind } from "./build-request.ts";
import { asksFirst } from "./confirm-before-sending.ts";
import type { RunningTurn } from "./turn-request.ts";
import { promptOf, type UserInput } from "./user-question.ts";

/** Hands over what waits for the next step, and returns the items to be sent behind these. */
export async function handOver(turn: RunningTurn, input: readonly string[]): Promise<readonly string[]> {
  const { conversation, request, signal, now, emit } = turn;
  const { queue, log } = conversation.deps;
  const handed: string[] = [];
  for (const { id, asked } of queue.forNextStep) {
    const read = await readFor(turn, [...input, ...handed], asked).catch((error: unknown) => {
      log.error("What was said during a turn could not be read for its next request.", error);
      return undefined;
    });
    if (signal.aborted) break;
    if (read === undefined) queue.deliver(id, "turn");
    // A person may have removed it or let it wait, while its attachments were read.
    if (read === undefined || !queue.handOver(id)) continue;
    const { prompt, items, attachments } = read;
    const steered: SteeredPart = { type: "steered", id, at: now(), prompt, attachments: [...attachments] };
    // The record of the items is enough to show it, if the window is closed before the event is stored.
    await emit({ type: "replay", turn: request.turn, items, steered });
    await emit({ ...steered, turn: request.turn });
    for (const each of items) handed.push(each);
  }
  return handed;
}

/** Undefined if a person would be asked first. */
async function readFor(
  { conversation, request, signal }: RunningTurn,
  history: readonly string[],
  asked: UserInput,
) {
  const { deps, requests } = conversation;
  const question = await requests.read(asked, request.model, signal, deps.ask);
  const { items, attachments } = behind(question, history);
  const whole = { ...request, history, items };
  return (await asksFirst(conversation, promptOf(asked), whole))
    ? undefined
    : { prompt: question.prompt, items, attachments };
}
