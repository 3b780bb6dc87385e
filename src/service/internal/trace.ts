// Logs the traffic as a person requested: headers, or bodies too. Whatever identifies somebody or is a credential is
// hidden before the text is cut into lines, because half a secret would not be recognized.
import { replaceEncrypted } from "../../util/json.ts";
import type { Log } from "../../util/log.ts";
import { cutBeforeWord, type Mask, maskedText, maskedWords } from "../../util/mask-secrets.ts";
import type { TraceLevel } from "../settings.ts";
import type { Exchange, ReplyBody } from "./http.ts";

interface Traced {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** Headers with private values. */
  readonly hidden: readonly string[];
}

interface Trace {
  request(request: Traced): void;
  /** Returns the same exchange; its body is logged once it has been read. */
  reply<T extends Exchange>(exchange: T): T;
}

/** Per body. */
const maxBytes = 256 * 1024;
/** The log cuts longer lines. */
const lineLength = 3_500;

export function createTrace(level: TraceLevel, log: Log, mask: Mask): Trace {
  const write = (title: string, text: string) => {
    const clean = mask(withoutOpaque(text), maxBytes);
    for (let at = 0; at < Math.max(1, clean.length); at += lineLength)
      log.info(`${title} ${clean.slice(at, at + lineLength)}`);
  };
  return {
    request({ method, path, headers, body, hidden: own }) {
      if (level === "off") return;
      write(
        "→",
        `${method} ${path} ${shown(headers, new Set([...hidden, ...own.map((name) => name.toLowerCase())]))}`,
      );
      if (level === "bodies" && body !== undefined) write("→", textOf([body]));
    },
    reply(exchange) {
      if (level === "off") return exchange;
      write("←", `${exchange.status} ${shown(exchange.headers, hidden)}`);
      if (level !== "bodies") return exchange;
      return { ...exchange, body: listen(exchange.body, (chunks) => write("←", textOf(chunks))) };
    },
  };
}

const hidden: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
  "svc-request-signature",
]);

function shown(headers: Exchange["headers"], without: ReadonlySet<string>): string {
  const logged = Object.entries(headers).map(([name, value]) => [
    name,
    without.has(name.toLowerCase()) ? maskedText : value,
  ]);
  return JSON.stringify(Object.fromEntries(logged));
}

/**
 * Wire §9.2: encrypted content is never logged. Pictures are removed only for their length. The last of either may be
 * truncated.
 */
export const withoutOpaque = (text: string): string =>
  replaceEncrypted(text, () => maskedText).replace(/(data:image\/[\w.+-]+;base64,)[\w+/=]+/g, "$1…");

function textOf(chunks: readonly Uint8Array[]): string {
  const begun = chunks.map((chunk) => chunk.subarray(0, maxBytes + 1));
  const bytes = Buffer.concat(begun);
  const text = bytes.subarray(0, maxBytes).toString("utf8");
  return bytes.length <= maxBytes ? text : `${cutBeforeWord(text)}… (cut after ${maxBytes} bytes)`;
}

function listen(body: ReplyBody, onDone: (chunks: readonly Uint8Array[]) => void): ReplyBody {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isDone = false;
  const done = () => {
    if (isDone) return;
    isDone = true;
    onDone(chunks);
  };
  return {
    async next(within) {
      try {
        const chunk = await body.next(within);
        if (chunk === "end") done();
        else if (chunk !== "late" && size <= maxBytes) {
          chunks.push(chunk);
          size += chunk.length;
        }
        return chunk;
      } catch (error) {
        done();
        throw error;
      }
    },
    release() {
      done();
      body.release();
    },
    close() {
      done();
      body.close();
    },
    digest: () => body.digest(),
  };
}

export function maskedLog(log: Log, mask: Mask): Log {
  const clean = (text: string) => maskedWords(mask, text, 4_000).replace(/\n/g, " ");
  return {
    debug: (message) => log.debug(clean(message)),
    info: (message) => log.info(clean(message)),
    warn: (message) => log.warn(clean(message)),
    // Only the message of an error is logged, because its properties may contain headers.
    error: (message, cause) =>
      log.error(clean(cause === undefined ? message : `${message}: ${String(cause)}`)),
  };
}
