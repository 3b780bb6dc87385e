// Remarks about the proposals of one conversation, written one by one at their lines and sent together. They are stored
// beside the conversation, so that they survive a reload and go when it is deleted.
import * as z from "zod/mini";
import { takeOutSecrets } from "../../files/privacy.ts";
import { createMutex } from "../../util/concurrency.ts";
import { asArray, parseJson } from "../../util/json.ts";
import type { Log } from "../../util/log.ts";
import type { ConversationJournal } from "./recorder.ts";

const short = z.string().check(z.maxLength(4096));
/** Characters of what is quoted, and of the words. */
const longest = 64 * 1024;
const long = z.string().check(z.maxLength(longest));
const count = z.int().check(z.nonnegative());

const Remark = z.object({
  id: short,
  /** The change it was written at. */
  hunk: short,
  /** The path that the file would have. */
  path: short,
  /** Lines of the proposed text, 1-based and inclusive. */
  first: count,
  last: count,
  /** These lines as a person saw them, each after `+`, or `-` if the proposal removes it. */
  quoted: long,
  words: long,
});

export type Remark = Readonly<z.infer<typeof Remark>>;

/** More than a person can keep in view, and than one message should ask for. */
const most = 100;

interface SessionRemarksDeps {
  /** The current journal. */
  journal(): Pick<ConversationJournal, "readOnly" | "readRemarks" | "writeRemarks">;
  changed(): void;
  readonly log: Log;
}

export class SessionRemarks {
  readonly #deps: SessionRemarksDeps;
  readonly #one = createMutex();
  #list: readonly Remark[] = [];

  constructor(deps: SessionRemarksDeps) {
    this.#deps = deps;
    this.reread();
  }

  /** In the order in which they were written. */
  get list(): readonly Remark[] {
    return this.#list;
  }

  /** Adds it, or replaces the one with its id. False if there are too many. */
  put(remark: Remark): boolean {
    const isKnown = this.#list.some(({ id }) => id === remark.id);
    if (!isKnown && this.#list.length >= most) return false;
    const quoted = takeOutSecrets(remark.quoted).text.slice(0, longest);
    const kept = { ...remark, quoted, words: remark.words.slice(0, longest) };
    this.#set(
      isKnown ? this.#list.map((each) => (each.id === remark.id ? kept : each)) : [...this.#list, kept],
    );
    return true;
  }

  drop(id: string): void {
    if (this.#list.some((each) => each.id === id)) this.#set(this.#list.filter((each) => each.id !== id));
  }

  /** Removes and returns all, because they are sent now. */
  take(): readonly Remark[] {
    const taken = this.#list;
    if (taken.length > 0) this.#set([]);
    return taken;
  }

  /** Reads them from the current journal, in place of those known so far. What is written meanwhile stays. */
  reread(): void {
    const before = this.#list;
    this.#one(async () => {
      const read = parseJson((await this.#deps.journal().readRemarks?.()) ?? "");
      const kept = asArray(read).flatMap((each) => {
        const one = Remark.safeParse(each);
        return one.success ? [one.data] : [];
      });
      // What was written here while they were read.
      const written = this.#list.filter((each) => !before.includes(each));
      if (kept.length + this.#list.length === 0) return;
      this.#list = [...kept.filter(({ id }) => written.every((each) => each.id !== id)), ...written];
      this.#deps.changed();
    }).catch((error: unknown) => this.#deps.log.error("The remarks could not be read.", error));
  }

  /** Resolves when everything so far was written, or could not be. */
  settled(): Promise<void> {
    return this.#one(async () => undefined);
  }

  #set(list: readonly Remark[]): void {
    this.#list = list;
    this.#deps.changed();
    this.#one(async () => {
      const { readOnly, writeRemarks } = this.#deps.journal();
      if (readOnly === undefined) await writeRemarks?.call(this.#deps.journal(), spelled(this.#list));
    }).catch((error: unknown) => this.#deps.log.error("The remarks could not be saved.", error));
  }
}

const spelled = (list: readonly Remark[]): string => (list.length === 0 ? "" : JSON.stringify(list));
