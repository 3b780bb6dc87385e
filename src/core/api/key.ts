// What may be an API key, and what may be kept of one. Never says what the key was: its sentence is shown and may be
// logged.

import { createHmac } from "node:crypto";
import { type Message, message } from "../messages/message.ts";

export type KeyReading =
  | { readonly ok: true; readonly key: string }
  | { readonly ok: false; readonly message: Message };

export function readKey(typed: string): KeyReading {
  const key = typed.trim();
  if (key === "") return refused(message("keyEmpty"));
  if (/[\r\n]/.test(key)) return refused(message("keyLines"));
  if (/\s/.test(key)) return refused(message("keySpace"));
  // RFC 9110: a header value outside visible ASCII would be changed or refused on its way.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return refused(message("keyLetter"));
  }
  return { ok: true, key };
}

/**
 * Tells what the service made under one key and address from what it made under others (requirements E12), within one
 * conversation: in the next it is another. Two bytes of a digest are kept, too few to find a key by.
 */
export const makerOf = (key: string, origin: string, conversation: string): string =>
  createHmac("sha256", key)
    .update(JSON.stringify([origin, conversation]))
    .digest("hex")
    .slice(0, 4);

const refused = (message: Message): KeyReading => ({ ok: false, message });
