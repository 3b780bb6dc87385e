// What can be read in a turn, drawn or not: piece by piece, in the order in which the views draw it. The element that
// shows a piece bears `data-read`, so that the marks of a search fall on what was counted.
import { visible } from "../core/conversation/hidden-characters.ts";
import type { Part, Turn } from "../core/conversation/state.ts";
import { withoutMarks } from "./find-text.ts";
import { endingWords } from "./view/ending.ts";
import { citationWords, withNumbers } from "./view/parts/citations.ts";
import { otherWords } from "./view/parts/other-part.ts";
import { patchWords } from "./view/parts/patch-part.ts";
import { searchWords } from "./view/parts/search-part.ts";
import { noteWords } from "./view/parts/text-part.ts";
import { toolWords } from "./view/parts/tool-part.ts";

const known = new WeakMap<Turn, readonly string[]>();

/** A turn that changes is another object. */
export function searchableText(turn: Turn): readonly string[] {
  const before = known.get(turn);
  if (before !== undefined) return before;
  const pieces = [
    ...turn.attachments.map(({ label }) => label),
    turn.prompt,
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
    case "patch":
      return patchWords(part);
    default:
      part satisfies never;
      return "";
  }
}
