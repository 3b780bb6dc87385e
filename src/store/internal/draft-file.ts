// Unsent input of a conversation, stored next to its journal: the text in the composer, its attachments, and questions
// that are in no turn yet. Each has its own document, so that typing writes only the text.
import { join } from "node:path";
import { asObject, parseJson } from "../../util/json.ts";
import { Document, sealed, unsealed } from "../documents.ts";
import type { FileSystem } from "../file-system.ts";
import { hashOf } from "./blobs.ts";

export const draftName = "draft.json";
export const attachedName = "attached.json";
export const sentName = "sent.json";
/** Several tries at one question, of which none was taken yet. */
export const trialName = "trial.json";

const placeName = (place: string): string => hashOf(Buffer.from(place)).slice(0, 16);

/** The file with proposals for one of the editor's workspaces. */
export const changesNameOf = (place: string): string => `changes-${placeName(place)}.json`;
/** Remarks about these proposals that were not sent yet. */
export const remarksNameOf = (place: string): string => `remarks-${placeName(place)}.json`;
export const isChangesName = (name: string): boolean => /^changes-[0-9a-f]{16}\.json$/.test(name);

interface SavedDraft {
  readonly text: string;
  /** The editor's workspace in which it was typed. */
  readonly place: string;
}

const documentAt = (fs: FileSystem, path: string): Document<SavedDraft> =>
  new Document(fs, path, {
    encode: ({ text, place }) => (text === "" ? "" : sealed({ version: 1, text, place })),
    decode(json) {
      const whole = unsealed(json);
      const fields = whole ?? asObject(parseJson(json)) ?? { text: wordsIn(json) };
      const value = { text: String(fields["text"] ?? ""), place: String(fields["place"] ?? "") };
      return { value, isWhole: whole !== undefined };
    },
  });

/**
 * Returns empty texts if there is none, and as much as can be read of a damaged draft: a draft is never a reason to
 * fail.
 */
export const readDraft = (fs: FileSystem, path: string): Promise<SavedDraft> => draftIn(documentAt(fs, path));

async function draftIn(document: Document<SavedDraft>): Promise<SavedDraft> {
  const read = await document.read().catch(() => undefined);
  return read?.value ?? { text: "", place: "" };
}

/**
 * Reads a file that is only useful as a whole. @throws if the file exists and cannot be read, since it would be
 * overwritten.
 */
export const readWhole = (fs: FileSystem, path: string): Promise<string> => wholeIn(documentAt(fs, path));

async function wholeIn(document: Document<SavedDraft>): Promise<string> {
  const read = await document.read();
  return read === undefined || read.damage !== undefined ? "" : read.value.text;
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
  readonly #name: string;
  readonly #place: string;
  readonly #document: Document<SavedDraft>;

  constructor({ fs, folder, name, place }: DraftDeps) {
    this.#name = name;
    this.#place = place;
    this.#document = documentAt(fs, join(folder, name));
  }

  async read(): Promise<string> {
    return (this.#document.unsaved?.value ?? (await draftIn(this.#document))).text;
  }

  /** All of it or nothing. @throws if it cannot be read now. */
  async readWhole(): Promise<string> {
    return this.#document.unsaved?.value.text ?? wholeIn(this.#document);
  }

  /**
   * Moves a damaged file aside and writes what could be read in its place. Returns whether it was damaged. Only for the
   * writer.
   */
  async mend(): Promise<boolean> {
    const read = await this.#document.read();
    if (read?.damage === undefined) return false;
    await this.#document.keepDamaged(read.damage);
    // A person sees the text before sending it, but altered attachments or other contents would go unnoticed.
    await this.write(this.#name === draftName ? read.value.text : "");
    return true;
  }

  write(text: string): Promise<void> {
    return this.#document.write({ text, place: this.#place });
  }
}
