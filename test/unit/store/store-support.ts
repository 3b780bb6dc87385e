// What the store's tests share: a folder that lives as long as one test, a library on it, and a turn to put in.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { importVisible } from "../../../src/session/internal/sanitize-import.ts";
import { type FileSystem, nodeFileSystem } from "../../../src/store/file-system.ts";
import { encodeRecord, type NewRecord, type OpenJournal } from "../../../src/store/journal-records.ts";
import { createLibrary, type Library } from "../../../src/store/library.ts";

const libraries = new Map<string, Library[]>();

export function temporaryFolder(test: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-store-"));
  libraries.set(folder, []);
  test.after(async () => {
    for (const library of libraries.get(folder) ?? []) await library.close();
    libraries.delete(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Another window is another library on the same folder. It is closed with the test. */
export function libraryOn(folder: string, fs: FileSystem = nodeFileSystem, place = ""): Library {
  const library = createLibrary({
    fs,
    folder,
    place,
    now: () => Date.now(),
    arriving: importVisible,
  });
  libraries.get(folder)?.push(library);
  return library;
}

export const logOf = (folder: string, id: string): string => join(folder, "conversations", id, "log.jsonl");

export const started = (turn: string, prompt = `Question ${turn}`): NewRecord => ({
  type: "started",
  turn,
  at: 1000,
  model: "svc-k3",
  route: "responses",
  prompt,
});
export const text = (turn: string, delta: string, part = "a"): NewRecord => ({
  type: "text",
  turn,
  part,
  delta,
});
export const ended = (turn: string, at = 2000): NewRecord => ({ type: "ended", turn, at, ending: "done" });

export async function addTurn(journal: OpenJournal, turn: string, answer = `Answer ${turn}`): Promise<void> {
  await journal.append(started(turn), { durable: true });
  await journal.append(text(turn, answer), { durable: false });
  await journal.append(ended(turn), { durable: true });
}

export async function addConversation(library: Library, id: string, ...turns: string[]): Promise<void> {
  const journal = await library.create(id);
  for (const turn of turns) await addTurn(journal, turn);
  await journal.close();
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Every byte of every file, for what must not be there any more. */
export const onDisk = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");

/** Resolves with the first change of one kind. */
export function changeOf(journal: OpenJournal, type: "appended" | "reloaded" | "state"): Promise<void> {
  return new Promise((resolve) => {
    const listening = journal.onDidChange((change) => {
      if (change.type !== type) return;
      listening.dispose();
      resolve();
    });
  });
}

/** An exported conversation with these records, as anybody could make it. */
export const bundleOf = (...records: NewRecord[]): Buffer =>
  Buffer.concat([...records, { type: "store-end" }].map((record, seq) => encodeRecord(seq, record)));

export async function* pieces(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}
