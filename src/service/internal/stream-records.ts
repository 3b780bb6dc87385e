// Splits bytes into records, in any framing: SSE (WHATWG rules), JSON lines or one JSON document. The first bytes
// decide, not what was requested and not the content type, which proxies and mocks get wrong. Enforces limits, and does
// not interpret records.
import { createParser } from "eventsource-parser";

// Limits of the amount of structure in a reply. A limit on bytes is not enough: half a million items fit into ten
// megabytes, and each takes a hundred times its own length once it is parsed.

export class ReplyTooLarge extends Error {}

/** Items and parts of one reply; a model that writes for an hour produces some hundreds. */
const maxPieces = 2_000;

/** Throws ReplyTooLarge. */
export function limitPieces(count: number): void {
  if (count > maxPieces) throw new ReplyTooLarge();
}

/** Anything smaller is read quickly, whatever it contains. */
const smallBytes = 128 * 1024;
/** Objects, lists and members, including those within strings. The longest output of a model has fewer. */
const maxMarks = 150_000;
const maxEscapes = 1_200_000;
const [comma, brace, bracket, backslash] = [0x2c, 0x7b, 0x5b, 0x5c];

/** Estimates the cost of a record while it arrives. */
class RecordWeight {
  #bytes = 0;
  #marks = 0;
  #escapes = 0;

  /** Throws ReplyTooLarge. */
  add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (this.#bytes <= smallBytes) return;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === comma || byte === brace || byte === bracket) this.#marks++;
      else if (byte === backslash) this.#escapes++;
    }
    if (this.#marks > maxMarks || this.#escapes > maxEscapes) throw new ReplyTooLarge();
  }

  reset(): void {
    this.#bytes = this.#marks = this.#escapes = 0;
  }
}

export interface WireRecord {
  /** The SSE `event:` name. */
  readonly name?: string | undefined;
  readonly data: string;
  /** The body ended before the record did, so it is used only if it can be read (faults R5). */
  readonly torn: boolean;
}

export type Framing = "unknown" | "sse" | "lines" | "document" | "html";

interface RecordLimits {
  readonly recordBytes: number;
  readonly replyBytes: number;
}

/** Faults R8. */
const recordLimits: RecordLimits = { recordBytes: 32 * 2 ** 20, replyBytes: 128 * 2 ** 20 };

/** How many characters of an unreadable body are kept; its beginning suffices to recognize it. */
export const maxUnread = 16_384;

/** Each check reads everything received so far, so a document in very many pieces is not checked after each of them. */
const maxLooked = 32 * 2 ** 20;

export class RecordReader {
  readonly #onRecord: (record: WireRecord) => void;
  readonly #limits: RecordLimits;
  readonly #decoder = new TextDecoder();
  readonly #parser;
  #framing: Framing = "unknown";
  #pending: string[] = [];
  #endedWithCr = false;
  #ending = false;
  #replyBytes = 0;
  #recordBytes = 0;
  readonly #weight = new RecordWeight();
  #looked = 0;
  /** The number of records delivered. */
  count = 0;
  /** Lines that are not part of an event stream. */
  strangeLines = 0;
  /** The beginning of the body as received, for a body that could not be read. */
  beginning = "";

  constructor(onRecord: (record: WireRecord) => void, limits = recordLimits) {
    this.#onRecord = onRecord;
    this.#limits = limits;
    this.#parser = createParser({
      onEvent: ({ event, data }) => this.#emit(data, event),
      // A heartbeat does not belong to the record that follows it.
      onComment: () => this.#beginRecord(),
      onError: () => {
        if (!this.#ending) this.strangeLines++;
      },
    });
    // The parser would treat "ï»¿" as a byte order mark; the decoder removes a real one, so those are characters.
    this.#parser.feed("");
  }

  get framing(): Framing {
    return this.#framing;
  }

  get bytes(): number {
    return this.#replyBytes;
  }

  /** Whether the JSON is complete to its last brace, so that nothing need follow even if the body has not ended. */
  get looksWhole(): boolean {
    if (this.#framing !== "document" && this.#framing !== "lines") return false;
    if (this.#pending.at(-1)?.trimEnd().endsWith("}") !== true || this.#looked > maxLooked) return false;
    const text = this.#takePending();
    this.#pending = [text];
    this.#looked += text.length;
    return isJson(text);
  }

  push(bytes: Uint8Array): void {
    this.#replyBytes += bytes.length;
    this.#recordBytes += bytes.length;
    try {
      if (this.#replyBytes > this.#limits.replyBytes || this.#recordBytes > this.#limits.recordBytes)
        throw new ReplyTooLarge();
      this.#weight.add(bytes);
    } catch (error) {
      this.#pending = [];
      throw error;
    }
    this.#take(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The body ended cleanly. A record without its closing blank line is delivered as torn. */
  end(): void {
    this.#ending = true;
    this.#take(this.#decoder.decode());
    if (this.#framing === "sse") this.#parser.feed("\n\n");
    else if (this.#pending.length > 0) this.#emit(this.#takePending());
  }

  #take(text: string): void {
    if (this.beginning.length < maxUnread) this.beginning += text.slice(0, maxUnread - this.beginning.length);
    this.#read(text);
  }

  #read(text: string): void {
    switch (this.#framing) {
      case "unknown":
        this.#decide(text);
        return;
      case "sse":
        this.#feedParser(text);
        return;
      case "html":
        return;
      case "lines":
      case "document":
        this.#readJson(text);
        return;
      default:
        this.#framing satisfies never;
    }
  }

  #decide(text: string): void {
    this.#pending.push(text);
    const first = /\S/.exec(text)?.[0];
    if (first === undefined) return;
    this.#framing = first === "{" || first === "[" ? "lines" : first === "<" ? "html" : "sse";
    this.#read(this.#takePending());
  }

  /** A CR alone ends a line; the parser would wait for a possible LF and delay the record. */
  #feedParser(text: string): void {
    const rest = this.#endedWithCr && text.startsWith("\n") ? text.slice(1) : text;
    if (text !== "") this.#endedWithCr = rest.endsWith("\r");
    // The parser would also search for the next CR again at each line.
    if (rest !== "") this.#parser.feed(rest.includes("\r") ? rest.replace(/\r\n?/g, "\n") : rest);
  }

  /** The first line distinguishes lines from a document: a line that parses alone is a record. */
  #readJson(text: string): void {
    this.#pending.push(text);
    if (this.#framing === "document" || !text.includes("\n")) return;
    const lines = this.#takePending().split("\n");
    const rest = lines.pop() ?? "";
    for (const [index, line] of lines.entries()) {
      if (this.count === 0 && line.trim() !== "" && !isJson(line)) {
        this.#framing = "document";
        this.#pending = [[...lines.slice(index), rest].join("\n")];
        return;
      }
      this.#emit(line.trim());
    }
    if (rest !== "") this.#pending = [rest];
  }

  #emit(data: string, name?: string): void {
    this.#beginRecord();
    if (data.trim() === "") return;
    this.count++;
    this.#onRecord({ name, data, torn: this.#ending });
  }

  #beginRecord(): void {
    this.#recordBytes = 0;
    this.#weight.reset();
  }

  #takePending(): string {
    const text = this.#pending.join("");
    this.#pending = [];
    return text;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
