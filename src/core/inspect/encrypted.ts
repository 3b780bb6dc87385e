// Encrypted content in a text for people: only its size (requirements D5). What a person edits gets it back. Works on JSON
// as text, with comments or without.
import { replaceEncrypted } from "../util/encrypted-content.ts";

export interface Hidden {
  readonly text: string;
  /** What stood where: each placeholder stands for one content. */
  readonly contents: ReadonlyMap<string, string>;
}

/** Another content of the same size gets a number, so that each goes back to where it was, wherever it was moved. */
export function hideEncrypted(json: string): Hidden {
  const contents = new Map<string, string>();
  const places = new Map<string, string>();
  const sameSize = new Map<number, number>();
  const text = replaceEncrypted(json, (content) => {
    const known = places.get(content);
    if (known !== undefined) return known;
    const bytes = Buffer.byteLength(content);
    const number = (sameSize.get(bytes) ?? 0) + 1;
    sameSize.set(bytes, number);
    const place = number === 1 ? `[${bytes} bytes]` : `[${bytes} bytes, ${number}]`;
    places.set(content, place);
    contents.set(place, content);
    return place;
  });
  return { text, contents };
}

export const putBack = (json: string, contents: Hidden["contents"]): string =>
  replaceEncrypted(json, (place) => contents.get(place) ?? place);
