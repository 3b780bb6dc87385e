// A cache of what the list shows for every conversation, so that journals need not be read again. An entry is used only
// if the journal still has the same identity and length; otherwise the journal is read from where the entry ends.
// Losing the cache only costs time. Replacing it also tells other windows to refresh.
import { join } from "node:path";
import { asArray, asObject, asString, parseJson } from "../../util/json.ts";
import { type ConversationSummary, emptySummary, titleFrom } from "../conversation-summary.ts";
import { cacheFile } from "../documents.ts";
import type { FileSystem } from "../file-system.ts";
import { journalName } from "../journal-records.ts";
import { attachedName, draftName, readDraft, sentName, trialName } from "./draft-file.ts";
import { JournalReader, type Resume, type Tail } from "./journal-reader.ts";

interface Entry extends Resume {
  readonly size: number;
  /** The tail of the journal before it lost something that has not been repaired yet. */
  readonly lost?: Tail;
}

interface IndexFile {
  readonly version: number;
  readonly entries: Readonly<Record<string, Entry>>;
}

const indexVersion = 2;
const atOnce = 32;

export const idForm = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

interface IndexDeps {
  readonly fs: FileSystem;
  readonly folder: string;
}

const nothing = {
  ...{ identity: undefined, size: 0, position: 0, version: 0 },
  ...{ last: -1, crc: 0, rewrites: 0 },
} as const satisfies Partial<Entry>;

const tailOf = (entry: Entry | undefined): Tail | undefined => entry?.lost ?? entry;

/** Drafts are not cached: their words must be gone once they are deleted. */
const isKept = ([, { identity, lost }]: readonly [string, Entry]): boolean =>
  identity !== undefined || lost !== undefined;

/** Returns the same entry if the loss is already known. */
function asLost(known: Entry | undefined): Entry | undefined {
  if (known === undefined || (known.lost !== undefined && known.size === 0)) return known;
  const { last, crc, rewrites, summary } = known;
  const lost = known.lost ?? { last, crc, rewrites };
  return { ...known, ...nothing, lost, summary: { ...summary, damaged: true } };
}

export class ConversationIndex {
  readonly #needs: IndexDeps;
  readonly #file: ReturnType<typeof cacheFile>;
  #entries: Map<string, Entry> | undefined;
  #newer = false;
  /** Identifies the index file as this process last read or wrote it. */
  #sign: string | undefined;
  #refreshing: Promise<readonly ConversationSummary[]> | undefined;

  constructor(deps: IndexDeps) {
    this.#needs = deps;
    this.#file = cacheFile(deps.fs, this.#path);
  }

  /** All conversations as they are on the disk now. */
  refresh(): Promise<readonly ConversationSummary[]> {
    this.#refreshing ??= this.#list().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** One conversation as it is on the disk now. */
  async find(id: string): Promise<ConversationSummary | undefined> {
    this.#entries ??= await this.#read();
    return (await this.#entry(id, this.#entries.get(id)))?.summary;
  }

  /** The last known tail of a conversation's journal. */
  async tailOf(id: string): Promise<Tail | undefined> {
    this.#entries ??= await this.#read();
    return tailOf(this.#entries.get(id));
  }

  /**
   * Records that a conversation was changed, created or removed, which updates the next list and notifies other
   * windows.
   */
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

  /**
   * The inode alone is not enough: a file system may reuse a removed file's inode, so after two replacements it may be
   * the same again.
   */
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
      const { resume: read } = reader;
      const size = reader.scanner.lines.position;
      const tail = tailOf(known);
      if (tail === undefined || reader.reaches(tail)) return { ...read, size };
      return { ...read, size, lost: tail, summary: { ...read.summary, damaged: true } };
    } catch {
      // An unreadable journal is still listed as it was last seen.
      return known;
    }
  }

  /** The journal is missing but its folder exists, so nobody has deleted the conversation. */
  async #hasLost(id: string, known: Entry | undefined): Promise<boolean> {
    if ((tailOf(known)?.last ?? -1) < 0) return false;
    return (await this.#needs.fs.stat(join(this.#needs.folder, "conversations", id))) !== undefined;
  }

  /**
   * A question that was never sent counts as a conversation, too, so that the draft and its attachments can be found
   * again.
   */
  async #draftOnly(id: string, known: Entry | undefined): Promise<Entry | undefined> {
    const { fs, folder } = this.#needs;
    const names = [draftName, attachedName, sentName, trialName];
    const paths = names.map((name) => join(folder, "conversations", id, name));
    const times = await Promise.all(paths.map(async (path) => (await fs.stat(path))?.modified ?? 0));
    const modified = Math.max(...times);
    if (modified === 0) return undefined;
    if (known?.size === 0 && known.summary.updatedAt === modified) return known;
    const [words, attached, sent, trial] = await Promise.all(paths.map((path) => readDraft(fs, path)));
    const { place = "" } = [words, attached, sent, trial][times.indexOf(modified)] ?? {};
    const said = [words?.text, ...wordsOfSent(sent?.text), tried(trial?.text), namesOf(attached?.text)];
    const title = titleFrom(said.find((each) => each !== undefined && each.trim() !== "") ?? "");
    const summary = { ...emptySummary(id), title, place, createdAt: modified, updatedAt: modified };
    return { ...nothing, summary };
  }

  async #read(): Promise<Map<string, Entry>> {
    const file = (await this.#file.load()) as Partial<IndexFile>;
    this.#sign = await this.#look().catch(() => undefined);
    const { version = 0, entries = {} } = file;
    this.#newer = version > indexVersion;
    return new Map(version === indexVersion ? Object.entries(entries).filter(isKept) : []);
  }

  async #save(entries: ReadonlyMap<string, Entry>): Promise<void> {
    if (this.#newer) return;
    const file: IndexFile = {
      version: indexVersion,
      entries: Object.fromEntries([...entries].filter(isKept)),
    };
    try {
      await this.#file.save(file);
      this.#sign = await this.#look();
    } catch {
      // If the cache cannot be written, continue without it.
    }
  }
}

const listIn = (json = "") => asArray(parseJson(json)).map((each) => asObject(each) ?? {});

const wordsOfSent = (json: string | undefined): readonly (string | undefined)[] =>
  listIn(json).map(({ words }) => asString(words));

/** The question of which several answers were tried. */
const tried = (json = ""): string | undefined => asString(asObject(parseJson(json))?.["words"]);

/** The base names of what is attached. */
const namesOf = (json: string | undefined): string =>
  listIn(json)
    .flatMap(({ name, path }) => asString(name) ?? asString(path)?.split("/").at(-1) ?? [])
    .join(", ");
