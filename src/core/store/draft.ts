// What waits to be sent in one conversation, beside its journal: the words in the composer, what is attached to them, and
// the questions that are in no turn yet. A file each, so that typing writes the words alone; each is replaced as a whole, so
// that nothing stays of what was taken out again. The newest text wins; while one is being written, only the newest of those that follow is kept.
import { join } from "node:path";
import { asObject, parseJson } from "../util/json.ts";
import { hashOf } from "./blobs.ts";
import { type FileSystem, isMissing } from "./file-system.ts";
import { replaceText } from "./replace-file.ts";
import { keepDamaged, sealed, signOf, unsealed } from "./sealed-json.ts";
import { unreadable, unsaved } from "./store-error.ts";

export const draftName = "draft.json";
export const attachedName = "attached.json";
export const sentName = "sent.json";

/** What is proposed for the files of one of the editor's workspaces. */
export const changesNameOf = (place: string): string =>
  `changes-${hashOf(Buffer.from(place)).slice(0, 16)}.json`;
export const isChangesName = (name: string): boolean => /^changes-[0-9a-f]{16}\.json$/.test(name);

export interface SavedDraft {
  readonly text: string;
  /** The editor's workspace it was typed in. */
  readonly place: string;
}

interface ReadDraft extends SavedDraft {
  /** By what the damage of the file is known again; absent: it is whole. */
  readonly damage?: string;
}

/** Empty when there is none; as much as can be read of one that is damaged: a draft is never a reason to fail. */
export async function readDraft(fs: FileSystem, path: string): Promise<ReadDraft> {
  try {
    return draftIn(await fs.read(path));
  } catch {
    return { text: "", place: "" };
  }
}

/** The same of what is all or nothing. @throws where it is there and cannot be read: it would be written over. */
export async function readWhole(fs: FileSystem, path: string): Promise<string> {
  try {
    const { text, damage } = draftIn(await fs.read(path));
    return damage === undefined ? text : "";
  } catch (error) {
    if (isMissing(error)) return "";
    throw unreadable(error);
  }
}

function draftIn(bytes: Uint8Array): ReadDraft {
  const json = Buffer.from(bytes).toString("utf8");
  const whole = unsealed(json);
  const fields = whole ?? asObject(parseJson(json)) ?? { text: wordsIn(json) };
  const saved = { text: String(fields["text"] ?? ""), place: String(fields["place"] ?? "") };
  return whole === undefined ? { ...saved, damage: signOf(bytes) } : saved;
}

/** The words in what is no JSON any more: up to their end, or to where the file ends. */
function wordsIn(json: string): string {
  const mark = '"text":"';
  const from = json.indexOf(mark);
  if (from < 0) return "";
  let end = from + mark.length;
  while (end < json.length && json[end] !== '"') end += json[end] === "\\" ? 2 : 1;
  const words = json.slice(from + mark.length, end);
  const read = parseJson(`"${words}"`);
  return typeof read === "string" ? read : words.replaceAll("\\n", "\n").replaceAll('\\"', '"');
}

export interface DraftDeps {
  readonly fs: FileSystem;
  readonly folder: string;
  readonly name: string;
  readonly place: string;
}

export class Draft {
  readonly #needs: DraftDeps;
  #wanted: string | undefined;
  #writing: Promise<void> | undefined;

  constructor(deps: DraftDeps) {
    this.#needs = deps;
  }

  async read(): Promise<string> {
    return this.#wanted ?? (await readDraft(this.#needs.fs, this.#path)).text;
  }

  /** All of it or nothing. @throws where it cannot be read now. */
  async readWhole(): Promise<string> {
    return this.#wanted ?? readWhole(this.#needs.fs, this.#path);
  }

  /** Puts a damaged file aside and what is left of it in its place; answers whether it was damaged. Its writer's alone. */
  async mend(): Promise<boolean> {
    const { fs, name } = this.#needs;
    const { text, damage } = await readDraft(fs, this.#path);
    if (damage === undefined) return false;
    await keepDamaged(fs, this.#path, damage);
    // Words are seen before they go out; something else than what was attached would go unseen.
    await this.#put(name === draftName ? text : "");
    return true;
  }

  write(text: string): Promise<void> {
    this.#wanted = text;
    this.#writing ??= this.#save();
    return this.#writing;
  }

  get #path(): string {
    return join(this.#needs.folder, this.#needs.name);
  }

  async #save(): Promise<void> {
    try {
      for (let written: string | undefined; this.#wanted !== undefined && this.#wanted !== written; ) {
        written = this.#wanted;
        await this.#put(written);
      }
      this.#wanted = undefined;
    } catch (error) {
      throw unsaved(error);
    } finally {
      // In the same breath as the last look at what is wanted: whoever writes now begins again.
      this.#writing = undefined;
    }
  }

  async #put(text: string): Promise<void> {
    const { fs, folder, place } = this.#needs;
    if (text === "") return fs.remove(this.#path);
    const json = sealed({ version: 1, text, place });
    try {
      await replaceText(fs, this.#path, json);
    } catch (error) {
      if (!isMissing(error)) throw error;
      await fs.makeFolder(folder);
      await replaceText(fs, this.#path, json);
    }
  }
}
