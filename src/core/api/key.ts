// What may be an API key. Never says what the key was: its sentence is shown and may be logged.

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

const refused = (message: Message): KeyReading => ({ ok: false, message });
