// Remarks about the proposals of one conversation, written one by one at their lines and sent together. They are stored
// beside the conversation, so that they survive a reload and go when it is deleted.
import * as z from "zod/mini";
import { MessageError } from "../../conversation/english.ts";
import { type Message, message } from "../../conversation/messages.ts";
import { cleanQuote } from "../../tools/attached-text.ts";
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

type Remark = Readonly<z.infer<typeof Remark>>;

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
  /** What was done here and is not on the disk, by id; undefined: removed. */
  readonly #unsaved = new Map<string, Remark | undefined>();

  constructor(deps: SessionRemarksDeps) {
    this.#deps = deps;
    this.reread();
  }

  /** In the order in which they were written. */
  get list(): readonly Remark[] {
    return this.#list;
  }

  /** Why this one cannot be changed here now, or one more cannot be added. */
  refusal(id?: string): Message | undefined {
    const isKnown = this.#list.some((each) => each.id === id);
    const isFull = !isKnown && this.#list.length >= most;
    return this.#deps.journal().readOnly ?? (isFull ? message("remarksFull", { count: most }) : undefined);
  }

  /**
   * Adds it, or replaces the one with its id. Resolves when it is on the disk. Rejects with a readable message if it is
   * refused, or is only in memory.
   */
  async put(remark: Remark): Promise<void> {
    const refusal = this.refusal(remark.id);
    if (refusal !== undefined) throw new MessageError(refusal);
    const quoted = cleanQuote(remark.quoted).slice(0, longest);
    const kept = { ...remark, quoted, words: remark.words.slice(0, longest) };
    const isKnown = this.#list.some(({ id }) => id === remark.id);
    this.#unsaved.set(kept.id, kept);
    await this.#set(
      isKnown ? this.#list.map((each) => (each.id === remark.id ? kept : each)) : [...this.#list, kept],
    );
  }

  /** The same for removing it. */
  async drop(id: string): Promise<void> {
    if (this.#list.every((each) => each.id !== id)) return;
    const refusal = this.refusal(id);
    if (refusal !== undefined) throw new MessageError(refusal);
    this.#unsaved.set(id, undefined);
    await this.#set(this.#list.filter((each) => each.id !== id));
  }

  /** Removes and returns all, because they are sent now. */
  take(): readonly Remark[] {
    const taken = this.#list;
    for (const { id } of taken) this.#unsaved.set(id, undefined);
    if (taken.length > 0) this.#set([]).catch((error: unknown) => this.#failed(error));
    return taken;
  }

  /** Reads them from the current journal, in place of those known so far. What was done here and is not saved stays. */
  reread(): void {
    this.#one(async () => {
      const read = parseJson((await this.#deps.journal().readRemarks?.()) ?? "");
      const kept = asArray(read).flatMap((each) => {
        const one = Remark.safeParse(each);
        return one.success ? [one.data] : [];
      });
      const own = [...this.#unsaved.values()].filter((each) => each !== undefined);
      if (kept.length + own.length + this.#list.length === 0) return;
      const added = own.filter(({ id }) => kept.every((each) => each.id !== id));
      const now = kept.flatMap((each) =>
        this.#unsaved.has(each.id) ? (this.#unsaved.get(each.id) ?? []) : each,
      );
      this.#list = [...now, ...added];
      this.#deps.changed();
    }).catch((error: unknown) => this.#deps.log.error("The remarks could not be read.", error));
  }

  /** Resolves when everything so far was written, or could not be. */
  settled(): Promise<void> {
    return this.#one(() => this.#save()).catch((error: unknown) => this.#failed(error));
  }

  #set(list: readonly Remark[]): Promise<void> {
    this.#list = list;
    this.#deps.changed();
    return this.#one(() => this.#save());
  }

  async #save(): Promise<void> {
    const saving = new Map(this.#unsaved);
    if (saving.size === 0) return;
    const journal = this.#deps.journal();
    if (journal.readOnly !== undefined) throw new MessageError(journal.readOnly);
    await journal.writeRemarks?.(spelled(this.#list));
    for (const [id, saved] of saving) if (this.#unsaved.get(id) === saved) this.#unsaved.delete(id);
  }

  #failed(error: unknown): void {
    this.#deps.log.error("The remarks could not be saved.", error);
  }
}

const spelled = (list: readonly Remark[]): string => (list.length === 0 ? "" : JSON.stringify(list));
