// Searches a conversation for a text. Text arrives in pieces, and a later replacement may supersede earlier text, so
// parts are assembled first and searched as a whole, turn by turn.

import type { Hit } from "../conversation-summary.ts";
import type { FileSystem } from "../file-system.ts";
import { searchable, searchedTypes, withoutCuts } from "../journal-records.ts";
import { JournalReader } from "./journal-reader.ts";

interface SearchedConversation {
  readonly fs: FileSystem;
  readonly path: string;
  readonly id: string;
  readonly title: string;
}

const around = 60;

/** Returns at most one hit per turn: a hit only has to lead to the turn. */
export async function searchConversation(
  searched: SearchedConversation,
  needle: RegExp,
): Promise<readonly Hit[]> {
  const { fs, path, id, title } = searched;
  const turns = new Map<string, Map<string, string>>();
  const reader = new JournalReader({
    fs,
    path,
    id,
    wants: (type) => searchedTypes.has(type),
  });
  await reader.advance();
  for (const record of withoutCuts(reader.records)) {
    const piece = searchable(record);
    if (piece === undefined) continue;
    const parts = turns.get(piece.turn) ?? new Map<string, string>();
    parts.set(piece.part, piece.replaces ? piece.text : (parts.get(piece.part) ?? "") + piece.text);
    turns.set(piece.turn, parts);
  }
  const hits: Hit[] = [];
  for (const [turn, parts] of turns) {
    for (const text of parts.values()) {
      const found = needle.exec(text);
      if (found === null) continue;
      hits.push({ conversation: id, title, turn, ...excerptOf(text, found.index, found[0].length) });
      break;
    }
  }
  return hits;
}

/** Ignores letter case and treats all white space alike: people remember words, not line breaks. */
export function needleFor(wanted: string): RegExp {
  const words = wanted
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(words.join("\\s+"), "iu");
}

function excerptOf(
  text: string,
  at: number,
  length: number,
): { excerpt: string; start: number; length: number } {
  const before = oneLine(text.slice(Math.max(0, at - around), at)).trimStart();
  const found = oneLine(text.slice(at, at + length));
  const after = oneLine(text.slice(at + length, at + length + around)).trimEnd();
  const lead = at > around ? "…" : "";
  const trail = at + length + around < text.length ? "…" : "";
  return {
    excerpt: `${lead}${before}${found}${after}${trail}`,
    start: lead.length + before.length,
    length: found.length,
  };
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");
