// The log as this layer uses it: no line reaches it with a key in it, and no line breaks out of its line.
import type { Log } from "../util/log.ts";
import { type Mask, maskedWords } from "../util/mask.ts";

export function maskedLog(log: Log, mask: Mask): Log {
  const clean = (text: string) => maskedWords(mask, text, 4_000).replace(/\n/g, " ");
  return {
    debug: (message) => log.debug(clean(message)),
    info: (message) => log.info(clean(message)),
    warn: (message) => log.warn(clean(message)),
    // Errors are told, never dumped: they may carry headers.
    error: (message, cause) =>
      log.error(clean(cause === undefined ? message : `${message}: ${String(cause)}`)),
  };
}
