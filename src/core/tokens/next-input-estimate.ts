// What goes again with the next question: everything that was said so far (requirements J8). What the service reported of
// the last request is taken as it is; what came after it, or was never reported, is estimated here. Asked at every key:
// each turn is looked at once, and nothing before the last report is looked at at all.
import type { Content } from "../conversation/content.ts";
import { sentAgain } from "../conversation/sent-again.ts";
import type { Turn } from "../conversation/state.ts";

/** About how many tokens; 0 before anything was said. */
export type GoingAgain = (turns: readonly Turn[], model: string) => number;

type About = (model: string, contents: readonly Content[]) => number;

/** Of code and prose alike, about. */
const bytesPerToken = 4;

export function createGoingAgain(about: About): GoingAgain {
  // A turn that has ended stays the same object.
  const contents = new WeakMap<Turn, readonly Content[]>();

  function estimated(turn: Turn, model: string): number {
    const known = contents.get(turn) ?? contentsOf(turn);
    contents.set(turn, known);
    return about(model, known) + attachedTokens(turn);
  }

  return (turns, model) => {
    let later = 0;
    for (let at = turns.length - 1; at >= 0; at -= 1) {
      const turn = turns[at];
      if (turn === undefined || sentAgain(turn) === "nothing") continue;
      if (turn.compacts === true) {
        if (turn.status !== "done") continue;
        // What came before goes no more: the summary stands for it.
        return later + handOverTokens(turn, about);
      }
      const reported = reportedOf(turn);
      if (reported !== undefined) return later + reported;
      later += estimated(turn, model);
    }
    return later;
  };
}

function handOverTokens(turn: Turn, about: About): number {
  const { output, reasoning = 0 } = turn.usage.at(-1) ?? {};
  return output === undefined ? about(turn.model, contentsOf(turn)) : Math.max(0, output - reasoning);
}

/** Of its last request: all that went before, and the answer to it. */
function reportedOf({ usage, route }: Turn): number | undefined {
  const { input, output = 0, reasoning = 0 } = usage.at(-1) ?? {};
  if (input === undefined) return undefined;
  // A chat model is sent its answers, and not what it thought.
  return input + (route === "chat" ? Math.max(0, output - reasoning) : output);
}

function contentsOf({ prompt, parts, attachments }: Turn): readonly Content[] {
  const answers = parts.flatMap((part) => {
    if (part.type === "text" || part.type === "refusal") return [part.text];
    return part.type === "tool" || part.type === "patch" ? [part.output ?? ""] : [];
  });
  const pictures = attachments.filter(({ kind, bytes }) => kind === "image" && bytes > 0);
  return [
    ...[prompt, ...answers].map((text) => ({ kind: "text", text }) as const),
    ...pictures.map(() => ({ kind: "image", url: "" }) as const),
  ];
}

const attachedTokens = ({ attachments }: Turn): number =>
  attachments.reduce((sum, { kind, bytes }) => sum + (kind === "image" ? 0 : bytes), 0) / bytesPerToken;
