// What waits to be sent in one conversation, beside its journal: the words in the composer, and what is attached to
// them. A file each, so that typing writes the words alone; each is replaced as a whole, so that nothing stays of what
// was taken out again. The newest text wins; while one is being written, only the newest of those that follow is kept.
import { join } from "node:path";
import { type FileSystem, isMissing } from "./file-system.ts";
import { replaceText } from "./replace-file.ts";
import { unsaved } from "./store-error.ts";

export const draftName = "draft.json";
export const attachedName = "attached.json";

export interface SavedDraft {
  readonly text: string;
  /** The editor's workspace it was typed in. */
  readonly place: string;
}

/** Empty when there is none, or none that can be read: a draft is never a reason to fail. */
export async function readDraft(fs: FileSystem, path: string): Promise<SavedDraft> {
  try {
    const saved: unknown = JSON.parse(Buffer.from(await fs.read(path)).toString("utf8"));
    const fields: Readonly<Record<string, unknown>> = { ...(typeof saved === "object" && saved) };
    return { text: String(fields["text"] ?? ""), place: String(fields["place"] ?? "") };
  } catch {
    return { text: "", place: "" };
  }
}

export interface DraftNeeds {
  readonly fs: FileSystem;
  readonly folder: string;
  readonly name: typeof draftName | typeof attachedName;
  readonly place: string;
}

export class Draft {
  readonly #needs: DraftNeeds;
  #wanted: string | undefined;
  #writing: Promise<void> | undefined;

  constructor(needs: DraftNeeds) {
    this.#needs = needs;
  }

  async read(): Promise<string> {
    return this.#wanted ?? (await readDraft(this.#needs.fs, this.#path)).text;
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
      // In the same breath as the last look at what is wanted: whoever writes now begins anew.
      this.#writing = undefined;
    }
  }

  async #put(text: string): Promise<void> {
    const { fs, folder, place } = this.#needs;
    if (text === "") return fs.remove(this.#path);
    const json = JSON.stringify({ version: 1, text, place });
    try {
      await replaceText(fs, this.#path, json);
    } catch (error) {
      if (!isMissing(error)) throw error;
      await fs.makeFolder(folder);
      await replaceText(fs, this.#path, json);
    }
  }
}
