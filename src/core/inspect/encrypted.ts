// Encrypted content in a text for people: only its size (requirements D5). What a person edits gets it back. Works on JSON
// as text, with comments or without: inside of a JSON string every quote is escaped, so nothing else looks like it.

/** Written so that the engine keeps no place to come back to for each character: a content may have millions. */
const field = /("encrypted_content"\s*:\s*")([^"\\]*(?:\\.[^"\\]*)*)(?=")/g;

export interface Hidden {
  readonly text: string;
  /** What stood where: each placeholder stands for one content. */
  readonly contents: ReadonlyMap<string, string>;
}

export function hideEncrypted(json: string): Hidden {
  const contents = new Map<string, string>();
  const text = json.replace(field, (_, head: string, content: string) => {
    if (content === "") return head;
    const place = placeFor(content, contents);
    contents.set(place, content);
    return `${head}${place}`;
  });
  return { text, contents };
}

/** Another content of the same size gets a number, so that each goes back to where it was, wherever it was moved. */
function placeFor(content: string, contents: ReadonlyMap<string, string>): string {
  const size = `${Buffer.byteLength(content)} bytes`;
  let place = `[${size}]`;
  for (let more = 2; contents.has(place) && contents.get(place) !== content; more++)
    place = `[${size}, ${more}]`;
  return place;
}

export const putBack = (json: string, contents: Hidden["contents"]): string =>
  json.replace(field, (_, head: string, place: string) => `${head}${contents.get(place) ?? place}`);
