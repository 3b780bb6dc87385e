// A change set on the disk: what it says as one small file that is replaced as a whole, the texts that it speaks of as
// blobs beside it. Whatever happens, one of two states is found: the one before, or the one after.
import * as z from "zod/mini";
import { Message } from "../messages/schema.ts";
import { parseJson } from "../util/json.ts";
import type { Log } from "../util/log.ts";
import { present } from "../util/present.ts";
import type { CallShare, Proposal } from "./proposal.ts";
import { hashOf, type TextStore, type Texts } from "./text-store.ts";

/** Where a change set is kept. */
export interface ChangeStore extends TextStore {
  /** Empty: there is none. */
  read(): Promise<string>;
  /** Durable when it resolves. `waits`: something in it is to be decided. */
  write(state: string, waits: boolean): Promise<void>;
  /** All texts but these may go. */
  keepOnly(names: ReadonlySet<string>): Promise<void>;
}

const FileName = z.object({ folder: z.string(), path: z.string() });
const KeptStateForm = z.object({ file: FileName, text: z.string() });
const LineRange = z.object({ first: z.number(), last: z.number() });
const state = z.optional(KeptStateForm);

const ShareForm = z.object({
  call: z.string(),
  turn: z.string(),
  before: state,
  after: state,
  hunks: z.array(
    z.object({
      id: z.string(),
      at: z.optional(LineRange),
      fate: z.enum(["pending", "applied", "rejected", "undone", "conflict", "replaced"]),
    }),
  ),
  reasons: z.array(Message),
  outside: z.optional(z.boolean()),
  model: z.optional(z.string()),
  receipt: z.optional(z.string()),
  acceptance: z.optional(z.object({ at: z.number(), proof: z.array(Message) })),
});

const ProposalForm = z.object({
  id: z.string(),
  revision: z.number(),
  base: state,
  proposed: state,
  edited: z.optional(z.string()),
  shares: z.array(ShareForm),
});

/** Files that were changed as one, by hash before and after; nothing: there was no file. */
const StepForm = z.object({
  id: z.string(),
  /** What it did to these changes; the editor's own Undo and Redo turn it round. */
  kind: z.enum(["applied", "undone"]),
  isDone: z.boolean(),
  files: z.array(z.object({ file: FileName, before: z.optional(z.string()), after: z.optional(z.string()) })),
  hunks: z.array(z.object({ call: z.string(), id: z.string() })),
});
export type Step = Readonly<z.infer<typeof StepForm>>;

/** What is about to be written: nobody knows yet whether it was. */
const IntentionForm = z.object({
  files: z.array(z.object({ proposal: z.string(), hunks: z.array(z.string()), before: state, after: state })),
});
export type Intention = Readonly<z.infer<typeof IntentionForm>>;

/** What a window has left that went away while it wrote: so many of the files were written, and no more. */
const HalfWrittenForm = z.object({
  written: z.number(),
  all: z.number(),
  /** What was written, or was to be, is theirs. */
  calls: z.array(z.string()),
  /** What was still to be written. */
  hunks: z.array(z.string()),
});
export type HalfWritten = Readonly<z.infer<typeof HalfWrittenForm>>;

/** What the model proposed of a file and what a person made of it before accepting, as a difference. */
const NoteForm = z.object({
  call: z.string(),
  reason: z.optional(z.string()),
  edited: z.optional(z.string()),
  /** Files that hold it in the editor alone: saving them was tried. */
  unsaved: z.optional(z.array(z.string())),
});
export type DecisionNote = Readonly<z.infer<typeof NoteForm>>;

const ChangesForm = z.object({
  version: z.literal(1),
  proposals: z.array(ProposalForm),
  steps: z.array(StepForm),
  notes: z.array(NoteForm),
  intention: z.optional(IntentionForm),
  halfWritten: z.optional(HalfWrittenForm),
});

export interface KeptChanges {
  readonly proposals: readonly Proposal[];
  readonly steps: readonly Step[];
  readonly notes: readonly DecisionNote[];
  readonly intention?: Intention | undefined;
  readonly halfWritten?: HalfWritten | undefined;
}

const nothing: KeptChanges = { proposals: [], steps: [], notes: [] };

export class ChangeFile {
  readonly #store: ChangeStore;
  readonly #texts: Texts;
  readonly #log: Log;
  /** As it was written or read last. */
  #spelled = "";

  constructor(store: ChangeStore, texts: Texts, log: Log) {
    this.#store = store;
    this.#texts = texts;
    this.#log = log;
  }

  async read(): Promise<KeptChanges> {
    const spelled = await this.#store.read();
    if (spelled === "") return nothing;
    this.#spelled = spelled;
    const read = z.safeParse(ChangesForm, parseJson(spelled));
    if (!read.success) {
      this.#log.error("Proposed changes could not be read.", read.error);
      return nothing;
    }
    const proposals: Proposal[] = [];
    for (const each of read.data.proposals) proposals.push(await this.#whole(each));
    return { ...read.data, proposals };
  }

  async write(kept: KeptChanges): Promise<void> {
    const spelled = this.#spell(kept);
    await this.#texts.flush();
    await this.#store.write(spelled, isWaiting(kept));
    this.#spelled = spelled;
  }

  /** Lets go of every text that nothing speaks of any more, here or as it was written last. */
  async tidy(kept: KeptChanges): Promise<void> {
    const named =
      `${this.#spelled}${this.#spell(kept)}`.match(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g) ?? [];
    await this.#store.keepOnly(new Set(named));
  }

  #spell({ proposals, ...rest }: KeptChanges): string {
    const kept = proposals.map((each) => ({
      ...each,
      base: this.#texts.keep(each.base),
      proposed: this.#texts.keep(each.proposed),
    }));
    return JSON.stringify({ version: 1, proposals: kept, ...rest });
  }

  /** What is lost of it cannot be decided any more; what was decided may still be taken back. */
  async #whole({
    base: keptBase,
    proposed: keptProposed,
    shares,
    ...rest
  }: StoredProposal): Promise<Proposal> {
    await this.#texts.load([keptBase, keptProposed]);
    const [base, proposed] = [this.#texts.stateOf(keptBase), this.#texts.stateOf(keptProposed)];
    if (base === "gone" || proposed === "gone")
      return present({ ...rest, base: undefined, proposed: undefined, shares: shares.map(aside) });
    return present({ ...rest, base, proposed, shares });
  }
}

const isWaiting = ({ proposals }: KeptChanges): boolean =>
  proposals.some(({ shares }) => shares.some(({ hunks }) => hunks.some(({ fate }) => fate === "pending")));

/** What of a change set that nobody has open is in files: by whom, and where its text is kept. */
export function appliedIn(spelled: string): readonly CallShare[] {
  const read = z.safeParse(ChangesForm, parseJson(spelled));
  if (!read.success) return [];
  const all = read.data.proposals.flatMap(({ shares }) => shares);
  return all.filter(({ hunks }) => hunks.some(({ fate }) => fate === "applied"));
}

type StoredProposal = z.infer<typeof ProposalForm>;

const aside = (share: z.infer<typeof ShareForm>) => ({
  ...share,
  hunks: share.hunks.map((hunk) => (hunk.fate === "pending" ? { ...hunk, fate: "conflict" as const } : hunk)),
});

/** For conversations that are kept nowhere. */
export function memoryChangeStore(): ChangeStore {
  let state = "";
  const texts = new Map<string, string>();
  return {
    read: async () => state,
    async write(next) {
      state = next;
    },
    async put(text) {
      texts.set(hashOf(text), text);
    },
    get: async (name) => texts.get(name),
    async keepOnly(names) {
      for (const name of [...texts.keys()]) if (!names.has(name)) texts.delete(name);
    },
  };
}
