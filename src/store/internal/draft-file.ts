// Unsent input of a conversation, stored next to its journal: the text in the composer, its attachments, and questions
// that are in no turn yet. Each has its own file, so that typing writes only the text; each file is replaced as a
// whole, so that deleted text does not remain. The newest text wins: while one is being written, only the newest of
// those that follow is kept.
import { join } from "node:path";
import { asObject, parseJson } from "../../util/json.ts";
import { keepDamaged, sealed, signOf, unreadable, unsaved, unsealed } from "../documents.ts";
import { type FileSystem, isMissing, replaceText } from "../file-system.ts";
import { hashOf } from "./blobs.ts";

export const draftName = "draft.json";
export const attachedName = "attached.json";
export const sentName = "sent.json";

/** The file with proposals for one of the editor's workspaces. */
export const changesNameOf = (place: string): string =>
  `changes-${hashOf(Buffer.from(place)).slice(0, 16)}.json`;
export const isChangesName = (name: string): boolean => /^changes-[0-9a-f]{16}\.json$/.test(name);

interface SavedDraft {
  readonly text: string;
  /** The editor's workspace in which it was typed. */
  readonly place: string;
}

interface ReadDraft extends SavedDraft {
  /** Identifies the damage to the file; absent if the file is intact. */
  readonly damage?: string;
}

/**
 * Returns empty texts if there is none, and as much as can be read of a damaged draft: a draft is never a reason to
 * fail.
 */
export async function readDraft(fs: FileSystem, path: string): Promise<ReadDraft> {
  try {
    return draftIn(await fs.read(path));
  } catch {
    return { text: "", place: "" };
  }
}

/**
 * Reads a file that is only useful as a whole. @throws if the file exists and cannot be read, since it would be
 * overwritten.
 */
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

/** Extracts the text from invalid JSON: up to the end of the string, or to the end of the file. */
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

interface DraftDeps {
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

  /** All of it or nothing. @throws if it cannot be read now. */
  async readWhole(): Promise<string> {
    return this.#wanted ?? readWhole(this.#needs.fs, this.#path);
  }

  /**
   * Moves a damaged file aside and writes what could be read in its place. Returns whether it was damaged. Only for the
   * writer.
   */
  async mend(): Promise<boolean> {
    const { fs, name } = this.#needs;
    const { text, damage } = await readDraft(fs, this.#path);
    if (damage === undefined) return false;
    await keepDamaged(fs, this.#path, damage);
    // A person sees the text before sending it, but altered attachments or other contents would go unnoticed.
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
      // Synchronous after the last check for a newer text, so a later call starts a new write.
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
