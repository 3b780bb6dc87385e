// How much of a conversation travels at once: the end first, as much as a person can look at, then the rest in
// pieces small enough that none of them holds up a frame.
import type { Conversation, Turn } from "../core/conversation/state.ts";

const maxTurns = 100;
const maxCharacters = 256 * 1024;

/** Index of the first turn of the window that ends before `end`. Never empty while there are turns. */
export function windowStart({ turns }: Conversation, end: number): number {
  let first = end;
  let characters = 0;
  while (first > 0 && end - first < maxTurns && characters < maxCharacters) {
    first -= 1;
    const turn = turns[first];
    if (turn !== undefined) characters += sizeOf(turn);
  }
  return first;
}

const sizeOf = ({ prompt, parts }: Turn): number =>
  parts.reduce((sum, part) => sum + ("text" in part ? part.text.length : 200), prompt.length);
