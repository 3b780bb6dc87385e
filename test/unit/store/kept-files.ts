// The users of the append log and of the document, each behind the same few calls, so that one table of faults is tried on
// all of them. What is kept are numbers, counted from 1.
import { join } from "node:path";
import { type FileSystem, nodeFileSystem } from "../../../src/store/file-system.ts";
import { Draft, draftName } from "../../../src/store/internal/draft-file.ts";
import { Journal } from "../../../src/store/internal/journal.ts";
import { addFiles, FileLedger } from "../../../src/uploaded-files/file-ledger.ts";
import { usageLedger } from "../../../src/usage/ledger.ts";
import type { UsageRow } from "../../../src/usage/usage-rows.ts";
import { english } from "../../support/english.ts";

/** A file in a process that has just begun. */
export interface OpenedFile {
  /** Durable once it resolves. */
  add(number: number): Promise<void>;
  /** What is there, in order; a document has only its newest. */
  read(): Promise<readonly number[]>;
  /** How often damage was reported. */
  readonly told: number;
  close(): Promise<void>;
}

export interface KeptFile {
  readonly name: string;
  readonly kind: "log" | "document";
  /** Its path in the folder. */
  readonly path: string;
  open(folder: string, fs?: FileSystem): Promise<OpenedFile>;
}

const april = Date.UTC(2024, 3, 1);
const row = (number: number): UsageRow => ({
  ...{ at: april + number, conversation: "c", turn: `t${number}`, request: 1, input: 100 + number },
});

const journal: KeptFile = {
  name: "a journal",
  kind: "log",
  path: "log.jsonl",
  async open(folder, fs = nodeFileSystem) {
    const opened = await Journal.open({ fs, folder, id: "c", place: "", now: () => april });
    return {
      add: (number) => opened.append({ type: "item", number }, { durable: true }),
      read: async () => (await opened.read((type) => type === "item")).map(({ number }) => Number(number)),
      get told() {
        return opened.repair === undefined ? 0 : 1;
      },
      close: () => opened.close(),
    };
  },
};

const ledger: KeptFile = {
  name: "a ledger",
  kind: "log",
  path: join("usage", "2024-04.jsonl"),
  async open(folder, fs = nodeFileSystem) {
    const opened = usageLedger(fs, folder);
    const told: string[] = [];
    opened.onDamage((message) => void told.push(english(message)));
    return {
      add: (number) => opened.add(row(number)),
      read: async () =>
        (await opened.since(0)).map(({ at, turn, input }) => {
          const number = at - april;
          return turn === `t${number}` && input === 100 + number ? number : Number.NaN;
        }),
      get told() {
        return told.length;
      },
      close: () => opened.flush(),
    };
  },
};

const draft: KeptFile = {
  name: "a draft",
  kind: "document",
  path: draftName,
  async open(folder, fs = nodeFileSystem) {
    const opened = new Draft({ fs, folder, name: draftName, place: "" });
    const told = (await opened.mend().catch(() => false)) ? 1 : 0;
    return {
      add: (number) => opened.write(`draft ${number}`),
      read: async () => {
        const text = await opened.read();
        return text === "" ? [] : [Number(text.split(" ").at(-1))];
      },
      told,
      close: async () => {},
    };
  },
};

const fileLedger: KeptFile = {
  name: "the list of uploaded files",
  kind: "document",
  path: "files.json",
  async open(folder, fs = nodeFileSystem) {
    const opened = new FileLedger(fs, folder);
    const told: string[] = [];
    opened.onDamage((message) => void told.push(english(message)));
    return {
      add: async (number) => {
        await opened.change((entries) => addFiles(entries, [`f${number}`], number));
      },
      read: async () => (await opened.read()).slice(-1).map(({ id }) => Number(id.slice(1))),
      get told() {
        return told.length;
      },
      close: async () => {},
    };
  },
};

export const keptFiles = [journal, ledger, draft, fileLedger] as const;

/** What the process is told that is killed. */
export interface KillPoint {
  readonly folder: string;
  /** The place of its file among `keptFiles`. */
  readonly file: number;
  readonly phase: KillPhase;
  /** How often the phase goes by unharmed. */
  readonly pass: number;
}

export const killPhases = ["in a write", "before a sync", "before a rename", "after a rename"] as const;
export type KillPhase = (typeof killPhases)[number];
