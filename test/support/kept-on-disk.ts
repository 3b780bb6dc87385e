// What the process that wrote it has left on the disk when it died: read as it stands, without a lock and without mending.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { StoredRecord } from "../../src/conversation/events.ts";
import { emptyConversation } from "../../src/conversation/reduce.ts";
import type { Turn } from "../../src/conversation/state.ts";
import { Transcript } from "../../src/session/internal/transcript.ts";
import { nodeFileSystem } from "../../src/store/file-system.ts";
import { draftName, sentName } from "../../src/store/internal/draft-file.ts";
import { JournalReader } from "../../src/store/internal/journal-reader.ts";

export interface KeptConversation {
  readonly id: string;
  readonly title: string;
  /** Where it branched off. */
  readonly branchOf: string | undefined;
  readonly turns: readonly Turn[];
}

export interface KeptOnDisk {
  readonly conversations: readonly KeptConversation[];
  /** The words in the boxes. */
  readonly drafts: readonly string[];
  /** Questions that have left a box, and are in no turn yet. */
  readonly sent: readonly string[];
  /** What is damaged or half written, one sentence each. */
  readonly damage: readonly string[];
}

/** `folder`: the one in which we keep everything. */
export async function readKept(folder: string): Promise<KeptOnDisk> {
  const conversations: KeptConversation[] = [];
  const drafts: string[] = [];
  const sent: string[] = [];
  const damage: string[] = [];
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  for (const name of names) {
    const path = join(folder, name);
    const isUnfinished = /\.tmp$|\/\.(new|gone)-/.test(name);
    if (isUnfinished) continue;
    if (name.includes(".corrupt-")) damage.push(`${name} was set aside`);
    if (basename(name) === "log.jsonl") conversations.push(await readJournal(path, damage));
    if (!name.endsWith(".json")) continue;
    try {
      const json = JSON.parse(readFileSync(path, "utf8"));
      if (basename(name) === draftName) drafts.push(String(json.text));
      if (basename(name) === sentName) sent.push(...wordsOf(String(json.text)));
    } catch (error) {
      damage.push(`${name}: ${error}`);
    }
  }
  return { conversations, drafts, sent, damage };
}

const wordsOf = (list: string): readonly string[] =>
  JSON.parse(list).map(({ words }: { readonly words: unknown }) => String(words));

async function readJournal(path: string, damage: string[]): Promise<KeptConversation> {
  const id = basename(dirname(path));
  const reader = new JournalReader({ fs: nodeFileSystem, path, id, wants: () => true });
  await reader.advance();
  if (reader.scanner.condition() === "damaged") damage.push(`${id} is damaged: ${reader.scanner.lost} lines`);
  const records = reader.records.flatMap((record) => StoredRecord.safeParse(record).data ?? []);
  const { turns } = records.length === 0 ? emptyConversation(id) : new Transcript(id, records).state;
  const { title, branchOf } = reader.summary;
  return { id, title, branchOf, turns };
}
