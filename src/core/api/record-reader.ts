// Bytes → records, whatever frames them: SSE (WHATWG rules), JSON lines or one JSON document. The first bytes
// decide, not what was asked for and not the content type, which proxies and mocks get wrong.
// Knows limits and framing, nothing of what a record means.
import { createParser } from "eventsource-parser";
import { RecordWeight, ReplyTooLarge } from "./reply-weight.ts";

export interface WireRecord {
  /** The SSE `event:` name. */
  readonly name?: string | undefined;
  readonly data: string;
  /** The body ended before the record did: used only if it can be read (faults R5). */
  readonly torn: boolean;
}

export type Framing = "unknown" | "sse" | "lines" | "document" | "html";

export interface RecordLimits {
  readonly recordBytes: number;
  readonly replyBytes: number;
}

/** Faults R8. */
export const recordLimits: RecordLimits = { recordBytes: 32 * 2 ** 20, replyBytes: 128 * 2 ** 20 };

/** Characters of what could not be read: who can make sense of it can by its beginning. */
export const maxUnread = 16_384;

/** Every look reads all that is there: of a document in very many pieces not each is worth one. */
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
  /** Records that were handed on. */
  count = 0;
  /** Lines that are no part of an event stream. */
  strangeLines = 0;
  /** As it came, for whoever wants to look at what could not be read. */
  beginning = "";

  constructor(onRecord: (record: WireRecord) => void, limits = recordLimits) {
    this.#onRecord = onRecord;
    this.#limits = limits;
    this.#parser = createParser({
      onEvent: ({ event, data }) => this.#emit(data, event),
      // A heartbeat is no part of the record that follows it.
      onComment: () => this.#beginRecord(),
      onError: () => {
        if (!this.#ending) this.strangeLines++;
      },
    });
    // The parser takes "ï»¿" for a byte order mark; ours is removed by the decoder, so those are characters.
    this.#parser.feed("");
  }

  get framing(): Framing {
    return this.#framing;
  }

  get bytes(): number {
    return this.#replyBytes;
  }

  /** JSON that is there to its last brace: nothing needs to follow, although the body has not ended. */
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

  /** A clean end of the body. A record without its closing blank line is handed on as torn. */
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

  /** A CR ends a line by itself; the parser would wait for the LF that may follow and hold the record back. */
  #feedParser(text: string): void {
    const rest = this.#endedWithCr && text.startsWith("\n") ? text.slice(1) : text;
    if (text !== "") this.#endedWithCr = rest.endsWith("\r");
    // It also looks for the next CR again at each line.
    if (rest !== "") this.#parser.feed(rest.includes("\r") ? rest.replace(/\r\n?/g, "\n") : rest);
  }

  /** The first line tells lines from a document: one that can be read alone is a record. */
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
