// What a journal knows by heart: the summary that lists show, and the store's own records. Read from the file once, and
// kept up to date by what this process saves.
import type { JournalReader } from "./journal-reader.ts";
import type { JournalRecord } from "./record-line.ts";
import { type ConversationSummary, isListed, isOwn, summarize } from "./summary.ts";
import type { Vocabulary } from "./vocabulary.ts";

export class JournalMemory {
  readonly #vocabulary: Vocabulary;
  #summary: ConversationSummary;
  #own: JournalRecord[] = [];

  constructor(reader: JournalReader, vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#summary = reader.summary;
  }

  get summary(): ConversationSummary {
    return this.#summary;
  }

  get own(): readonly JournalRecord[] {
    return this.#own;
  }

  /** All that has just been read. Answers whether the summary is another one now. */
  take(reader: JournalReader): boolean {
    const before = JSON.stringify(this.#summary);
    this.#summary = reader.summary;
    this.#own = [...reader.own];
    return JSON.stringify(this.#summary) !== before;
  }

  /** Answers whether the summary is another one now. */
  add(records: readonly JournalRecord[]): boolean {
    const before = this.#summary;
    for (const record of records) {
      if (isOwn(record.type)) this.#own.push(record);
      if (isListed(record.type, this.#vocabulary))
        this.#summary = summarize(this.#summary, record, this.#vocabulary);
    }
    return this.#summary !== before;
  }
}
