// What stands in the composer of one conversation. The newest text wins; while one is being written, only the
// newest of those that follow is kept.
import { join } from "node:path";
import { type FileSystem, isMissing } from "./file-system.ts";
import { replaceText } from "./replace-file.ts";
import { unsaved } from "./store-error.ts";

export const draftName = "draft.json";

export interface SavedDraft {
  readonly text: string;
  /** The editor's workspace it was typed in. */
  readonly place: string;
}

/** Empty when there is none, or none that can be read: a draft is never a reason to fail. */
export async function readDraft(fs: FileSystem, folder: string): Promise<SavedDraft> {
  try {
    const saved: unknown = JSON.parse(Buffer.from(await fs.read(join(folder, draftName))).toString("utf8"));
    const fields: Readonly<Record<string, unknown>> = { ...(typeof saved === "object" && saved) };
    return { text: String(fields["text"] ?? ""), place: String(fields["place"] ?? "") };
  } catch {
    return { text: "", place: "" };
  }
}

export class Draft {
  readonly #fs: FileSystem;
  readonly #folder: string;
  readonly #place: string;
  #wanted: string | undefined;
  #writing: Promise<void> | undefined;

  constructor(fs: FileSystem, folder: string, place: string) {
    this.#fs = fs;
    this.#folder = folder;
    this.#place = place;
  }

  async read(): Promise<string> {
    return this.#wanted ?? (await readDraft(this.#fs, this.#folder)).text;
  }

  write(text: string): Promise<void> {
    this.#wanted = text;
    this.#writing ??= this.#save();
    return this.#writing;
  }

  get #path(): string {
    return join(this.#folder, draftName);
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
    if (text === "") return this.#fs.remove(this.#path);
    const json = JSON.stringify({ version: 1, text, place: this.#place });
    try {
      await replaceText(this.#fs, this.#path, json);
    } catch (error) {
      if (!isMissing(error)) throw error;
      await this.#fs.makeFolder(this.#folder);
      await replaceText(this.#fs, this.#path, json);
    }
  }
}
