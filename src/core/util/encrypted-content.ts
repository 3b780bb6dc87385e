// The encrypted contents of a JSON text, found without a pattern: one content may have millions of escapes, and an
// engine of patterns would remember a place for each. Inside of a JSON string every quote is escaped, so that nothing
// else looks like the field. In a text that was cut the last content may end with it.
import { endOfString, skipBlank } from "./json-text.ts";

const field = '"encrypted_content"';

/** Empty contents stay as they are. */
export function replaceEncrypted(json: string, replace: (content: string) => string): string {
  const pieces: string[] = [];
  let copied = 0;
  let found = json.indexOf(field);
  while (found >= 0) {
    const colon = skipBlank(json, found + field.length);
    const quote = skipBlank(json, colon + 1);
    const isField = json[colon] === ":" && json[quote] === '"';
    const end = isField ? (endOfString(json, quote) ?? json.length) : colon;
    if (isField && end > quote + 1) {
      pieces.push(json.slice(copied, quote + 1), replace(json.slice(quote + 1, end)));
      copied = end;
    }
    found = json.indexOf(field, end);
  }
  return pieces.join("") + json.slice(copied);
}
