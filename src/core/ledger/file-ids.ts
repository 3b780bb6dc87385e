// Ids of uploaded files out of whatever a person pastes or picks: one per line, a list, a piece of JSON, a table.
// The interface shows no list of files and no form of an id, so nothing is looked up and little is assumed.

import { refuseFileId } from "../api/delete-file.ts";
import type { Message } from "../messages/message.ts";

export interface FoundIds {
  /** Each once, in the order of the text. */
  readonly ids: readonly string[];
  readonly refused: readonly { readonly text: string; readonly message: Message }[];
  /** The text held more than can be taken at once. */
  readonly tooMany: boolean;
}

const maxIds = 10_000;
const longestText = 4 * 1024 * 1024;
/** What such services usually name a file. Where a text holds names like this, the rest of it is something else. */
const usual = /^file[-_]./i;

export function findFileIds(text: string): FoundIds {
  const words = text
    .slice(0, longestText)
    .split(/[\s,;"'`()[\]{}<>]+/)
    // A key in JSON ends with a colon; so does a label that somebody wrote before an id.
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
