// What the list shows of every conversation, without reading them all again: a cache beside them, believed only
// where a journal still has the identity and the length it had. Anything else is read again, from where the cache
// ends. Losing it costs time and nothing else. Its replacement also tells other windows to look.
import { join } from "node:path";
import { attachedName, draftName, readDraft, sentName } from "./draft.ts";
import type { FileSystem } from "./file-system.ts";
import { JournalReader, type Resume, type Tail } from "./journal-reader.ts";
import { journalName } from "./journal-terms.ts";
import { replaceText } from "./replace-file.ts";
import { type ConversationSummary, emptySummary } from "./summary.ts";

interface Entry extends Resume {
  readonly size: number;
  /** How it ended before it lost something that nobody has mended yet. */
  readonly lost?: Tail;
}

interface IndexFile {
  readonly version: number;
  readonly entries: Readonly<Record<string, Entry>>;
}

const indexVersion = 2;
const atOnce = 32;

export const idForm = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export interface IndexDeps {
  readonly fs: FileSystem;
  readonly folder: string;
}

const nothing = {
  ...{ identity: undefined, size: 0, position: 0, version: 0 },
  ...{ last: -1, crc: 0, rewrites: 0 },
} as const satisfies Partial<Entry>;

const tailOf = (entry: Entry | undefined): Tail | undefined => entry?.lost ?? entry;

/** The same entry where that is known already. */
function asLost(known: Entry | undefined): Entry | undefined {
  if (known === undefined || (known.lost !== undefined && known.size === 0)) return known;
  const { last, crc, rewrites, summary } = known;
  const lost = known.lost ?? { last, crc, rewrites };
  return { ...known, ...nothing, lost, summary: { ...summary, damaged: true } };
}

export class ConversationIndex {
  readonly #needs: IndexDeps;
  #entries: Map<string, Entry> | undefined;
  #newer = false;
  /** How the index file looked when this process last read or wrote it. */
  #sign: string | undefined;
  #refreshing: Promise<readonly ConversationSummary[]> | undefined;

  constructor(deps: IndexDeps) {
    this.#needs = deps;
  }

  /** All conversations, as the disk has them now. */
  refresh(): Promise<readonly ConversationSummary[]> {
    this.#refreshing ??= this.#list().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** One conversation, as the disk has it now. */
  async find(id: string): Promise<ConversationSummary | undefined> {
    this.#entries ??= await this.#read();
    return (await this.#entry(id, this.#entries.get(id)))?.summary;
  }

  /** How a conversation's journal is known to have ended. */
  async tailOf(id: string): Promise<Tail | undefined> {
    this.#entries ??= await this.#read();
    return tailOf(this.#entries.get(id));
  }

  /** One conversation has changed, begun or gone: enough for the next list and for other windows. */
  async note(id: string): Promise<void> {
    await this.#refreshing?.catch(() => undefined);
    this.#entries ??= await this.#read();
    const entry = await this.#entry(id, this.#entries.get(id));
    if (entry === undefined) this.#entries.delete(id);
    else this.#entries.set(id, entry);
    await this.#save(this.#entries);
  }

  /** Whether another process has replaced the index since this one last read or wrote it. */
  async hasMoved(): Promise<boolean> {
    const sign = await this.#look();
    const moved = sign !== this.#sign;
    this.#sign = sign;
    return moved;
  }

  get #path(): string {
    return join(this.#needs.folder, "index.json");
  }

  /** A file system gives the number of a removed file to the next one, so two replacements may bring it back. */
  async #look(): Promise<string | undefined> {
    const found = await this.#needs.fs.stat(this.#path);
    return found && `${found.identity} ${found.modified} ${found.size}`;
  }

  async #list(): Promise<readonly ConversationSummary[]> {
    this.#entries ??= await this.#read();
    const before = this.#entries;
    const ids = (await this.#needs.fs.list(join(this.#needs.folder, "conversations"))).filter((id) =>
      idForm.test(id),
    );
    const after = new Map<string, Entry>();
    const left = ids.values();
    const worker = async () => {
      for (const id of left) {
        const entry = await this.#entry(id, before.get(id));
        if (entry !== undefined) after.set(id, entry);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    this.#entries = after;
    if (after.size !== before.size || ids.some((id) => after.get(id) !== before.get(id)))
      await this.#save(after);
    return [...after.values()].map(({ summary }) => summary);
  }

  async #entry(id: string, known: Entry | undefined): Promise<Entry | undefined> {
    const { fs, folder } = this.#needs;
    const path = join(folder, "conversations", id, journalName);
    try {
      const found = await fs.stat(path);
      if (found === undefined && (await this.#hasLost(id, known))) return asLost(known);
      if (found === undefined) return await this.#draftOnly(id, known);
      const same = known?.identity === found.identity;
      if (same && known.size === found.size) return known;
      const resume = same && known.size < found.size && !known.summary.damaged ? known : undefined;
      const reader = new JournalReader({ fs, path, id, wants: () => false }, resume);
      await reader.advance();
      const { resume: read, end: size } = reader;
      const tail = tailOf(known);
      if (tail === undefined || reader.reaches(tail)) return { ...read, size };
      return { ...read, size, lost: tail, summary: { ...read.summary, damaged: true } };
    } catch {
      // What cannot be read now is still listed as it was last seen.
      return known;
    }
  }

  /** It had a journal, and its folder is still there: nobody has deleted it. */
  async #hasLost(id: string, known: Entry | undefined): Promise<boolean> {
    if ((tailOf(known)?.last ?? -1) < 0) return false;
    return (await this.#needs.fs.stat(join(this.#needs.folder, "conversations", id))) !== undefined;
  }

  /** A question that was never sent is a conversation too: it has to be found again, and what is attached to it. */
  async #draftOnly(id: string, known: Entry | undefined): Promise<Entry | undefined> {
    const { fs, folder } = this.#needs;
    const paths = [draftName, attachedName, sentName].map((name) => join(folder, "conversations", id, name));
    const times = await Promise.all(paths.map(async (path) => (await fs.stat(path))?.modified ?? 0));
    const modified = Math.max(...times);
    if (modified === 0) return undefined;
    if (known?.size === 0 && known.summary.updatedAt === modified) return known;
    const { place } = await readDraft(fs, paths[times.indexOf(modified)] ?? "");
    const summary = { ...emptySummary(id), place, createdAt: modified, updatedAt: modified };
    return { ...nothing, summary };
  }

  async #read(): Promise<Map<string, Entry>> {
    try {
      const { fs } = this.#needs;
      const file: IndexFile = JSON.parse(Buffer.from(await fs.read(this.#path)).toString("utf8"));
      this.#sign = await this.#look();
      this.#newer = file.version > indexVersion;
      return new Map(file.version === indexVersion ? Object.entries(file.entries) : []);
    } catch {
      return new Map();
    }
  }

  async #save(entries: ReadonlyMap<string, Entry>): Promise<void> {
    if (this.#newer) return;
    const { fs } = this.#needs;
    const file: IndexFile = { version: indexVersion, entries: Object.fromEntries(entries) };
    try {
      await replaceText(fs, this.#path, JSON.stringify(file));
      this.#sign = await this.#look();
    } catch {
      // A cache that cannot be written is done without.
    }
  }
}
