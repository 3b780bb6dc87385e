// The readable text of a turn, drawn or not, piece by piece in the order in which the views draw it. The element that
// shows a piece has the attribute `data-read`, so that highlights match what was counted.
import type { Part, Turn } from "../../../conversation/state.ts";
import { visible } from "../../../util/hidden-characters.ts";
import { questionWords } from "../../words/messages.ts";
import { patchWords } from "../changes/patch-part.ts";
import { citationWords, withNumbers } from "../parts/citations.ts";
import { otherWords } from "../parts/other-part.ts";
import { searchWords } from "../parts/search-part.ts";
import { steeredWords } from "../parts/steered-part.ts";
import { noteWords } from "../parts/text-part.ts";
import { toolWords } from "../parts/tool-part.ts";
import { endingWords } from "../transcript/turn/ending.ts";
import { withoutMarks } from "./find-text.ts";

const known = new WeakMap<Turn, readonly string[]>();

/** Results are cached by object: a changed turn is another object. */
export function searchableText(turn: Turn): readonly string[] {
  const before = known.get(turn);
  if (before !== undefined) return before;
  const pieces = [
    ...[...turn.attachments, ...(turn.beside ?? [])].map(({ label }) => label),
    questionWords(turn.prompt),
    ...turn.parts.flatMap((part) => wordsOf(part, turn)),
    ...endingWords(turn),
  ];
  const shown = pieces.filter((text) => text !== "").map(visible);
  known.set(turn, shown);
  return shown;
}

function wordsOf(part: Part, turn: Turn): string | readonly string[] {
  switch (part.type) {
    case "text":
      return [withoutMarks(withNumbers(part)), ...citationWords(part)];
    case "refusal":
    case "reasoning":
      return withoutMarks(part.text);
    case "note":
      return noteWords(part);
    case "search":
      return searchWords(part, turn);
    case "other":
      return otherWords(part);
    case "tool":
      return toolWords(part);
    case "steered":
      return steeredWords(part);
    case "patch":
      return patchWords(part);
    default:
      part satisfies never;
      return "";
  }
}
