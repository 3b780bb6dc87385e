// Finds ids of files in a text that a person pasted.
import type { Message } from "../../conversation/messages.ts";
import { refuseFileId } from "../../service/url-and-key.ts";

export interface FoundIds {
  /** Without duplicates, in the order of the text. */
  readonly ids: readonly string[];
  readonly refused: readonly { readonly text: string; readonly message: Message }[];
  /** The text contained more ids than are accepted at once. */
  readonly tooMany: boolean;
}

const maxIds = 10_000;

const longestText = 4 * 1024 * 1024;

/** The usual form of file ids. If a text contains such ids, all other words are ignored. */
const usual = /^file[-_]./i;

/**
 * Extracts ids of uploaded files from whatever a person pastes or picks: one per line, a list, JSON, a table. The
 * interface documents neither a list of files nor a format of ids, so nothing is looked up and little is assumed.
 */
export function findFileIds(text: string): FoundIds {
  const words = text
    .slice(0, longestText)
    .split(/[\s,;"'`()[\]{}<>]+/)
    // JSON keys end with a colon, and so do labels in front of an id.
    .filter((word) => word !== "" && !word.endsWith(":"));
  const named = words.filter((word) => usual.test(word));
  const unique = [...new Set(named.length > 0 ? named : words)];
  const taken = unique.slice(0, maxIds);
  const refused = taken.flatMap((word) => {
    const message = refuseFileId(word);
    return message === undefined ? [] : [{ text: word.slice(0, 80), message }];
  });
  return {
    ids: taken.filter((word) => refuseFileId(word) === undefined),
    refused,
    tooMany: unique.length > maxIds || text.length > longestText,
  };
}
