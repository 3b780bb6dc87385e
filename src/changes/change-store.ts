// A change set on the disk: its state as one small file that is replaced as a whole, and the texts it refers to as
// blobs beside it. A reader always finds either the previous state or the next one.
import * as z from "zod/mini";
import { Message } from "../conversation/problem.ts";
import { createYieldPoint } from "../util/concurrency.ts";
import { parseJson } from "../util/json.ts";
import type { Log } from "../util/log.ts";
import { present } from "../util/present.ts";
import { keepLines, LinesForm, openLines } from "./internal/kept-lines.ts";
import {
  type CallEdit,
  type CallWrite,
  type FileState,
  hashOf,
  isOpen,
  type KeptState,
  type Proposal,
  withoutPending,
} from "./proposal.ts";

interface TextStore {
  /** Stores a text under its hash. @throws with the reason if there is no room. */
  put(text: string): Promise<void>;
  /** `undefined` if it is not stored, or no longer. */
  get(name: string): Promise<string | undefined>;
  /** Deletes all texts except these. */
  keepOnly(names: ReadonlySet<string>): Promise<void>;
}

/** In characters: the texts of a few long files. */
const maxRemembered = 16_000_000;

/**
 * The texts a change set refers to, keyed by their hashes. A kept text is in memory at once and on the disk before
 * anything that refers to it; texts not used for a while are read again.
 */
export class Texts {
  readonly #store: TextStore;
  readonly #texts = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #unsaved = new Set<string>();
  #size = 0;

  constructor(store: TextStore) {
    this.#store = store;
  }

  /** Keeps the text in memory and returns a reference to it. */
  keep(state: FileState): KeptState | undefined {
    if (state === undefined) return undefined;
    const { file, text } = state;
    const name = this.nameOf(text);
    if (this.#texts.has(name)) return { file, text: name };
    this.#remember(name, text);
    this.#unsaved.add(name);
    return { file, text: name };
  }

  /** The hash of a text: that of a kept one is known. */
  nameOf(text: string): string {
    return this.#names.get(text) ?? hashOf(text);
  }

  /** The state of a reference that was loaded or kept before; "gone" if its text could not be found. */
  stateOf(kept: KeptState | undefined): FileState | "gone" {
    if (kept === undefined) return undefined;
    const text = this.#texts.get(kept.text);
    return text === undefined ? "gone" : { file: kept.file, text };
  }

  async load(kept: readonly (KeptState | undefined)[]): Promise<void> {
    for (const each of kept) {
      if (each === undefined || this.#texts.has(each.text)) continue;
      const text = await this.#store.get(each.text);
      if (text !== undefined) this.#remember(each.text, text);
    }
  }

  /**
   * The kept texts with these names are on the disk when this resolves. A text that was never stored and is not among
   * them is dropped, so that what did not happen takes no room.
   */
  async flush(named: ReadonlySet<string>): Promise<void> {
    for (const name of [...this.#unsaved]) {
      const text = this.#texts.get(name);
      if (!named.has(name)) this.#drop(name);
      else if (text !== undefined) await this.#store.put(text);
      this.#unsaved.delete(name);
    }
    this.#forget();
  }

  /** Deletes all texts except these. One that is kept again later is stored again. */
  async keepOnly(named: ReadonlySet<string>): Promise<void> {
    for (const name of this.#texts.keys()) if (!named.has(name)) this.#drop(name);
    await this.#store.keepOnly(named);
  }

  #remember(name: string, text: string): void {
    this.#texts.set(name, text);
    this.#names.set(text, name);
    this.#size += text.length;
  }

  /**
   * Drops the oldest texts. Runs only between operations, so that no text loaded for one of them is dropped while it
   * runs.
   */
  #forget(): void {
    for (const name of this.#texts.keys()) {
      if (this.#size <= maxRemembered) return;
      this.#drop(name);
    }
  }

  #drop(name: string): void {
    const text = this.#texts.get(name);
    if (text === undefined) return;
    this.#texts.delete(name);
    this.#names.delete(text);
    this.#unsaved.delete(name);
    this.#size -= text.length;
  }
}

export interface ChangeStore extends TextStore {
  /** Empty if there is none. */
  read(): Promise<string>;
  /** Durable when it resolves. `waits`: something in it is pending. */
  write(state: string, waits: boolean): Promise<void>;
}

const FileName = z.object({ folder: z.string(), path: z.string() });
const KeptStateForm = z.object({ file: FileName, text: z.string() });
const state = z.optional(KeptStateForm);

const ShareForm = z.object({
  call: z.string(),
  turn: z.string(),
  before: state,
  after: state,
  hunks: z.array(
    z.object({
      id: z.string(),
      status: z.enum(["pending", "applied", "rejected", "undone", "conflict", "replaced"]),
    }),
  ),
  reasons: z.array(Message),
  outside: z.optional(z.boolean()),
  model: z.optional(z.string()),
  receipt: z.optional(z.string()),
  acceptance: z.optional(z.object({ at: z.number(), proof: z.array(Message) })),
  edited: z.optional(z.boolean()),
});

const WriteForm = z.object({
  share: z.number(),
  before: state,
  after: state,
  changes: z.array(z.object({ from: z.number(), to: z.number(), newFrom: z.number(), newTo: z.number() })),
  hunks: z.array(z.object({ id: z.string(), changes: z.array(z.number()), undone: z.optional(z.boolean()) })),
});

const ProposalForm = z.object({
  id: z.string(),
  revision: z.number(),
  base: state,
  proposed: state,
  edited: z.optional(z.string()),
  shares: z.array(ShareForm),
  writes: z.array(WriteForm),
  lines: z.optional(LinesForm),
});

/** Files that were changed in one step, by hash before and after; a missing hash means that there was no file. */
const StepForm = z.object({
  id: z.string(),
  /** What the step did to these written hunks; the editor's own Undo and Redo reverse it. */
  kind: z.enum(["applied", "undone"]),
  isDone: z.boolean(),
  files: z.array(z.object({ file: FileName, before: z.optional(z.string()), after: z.optional(z.string()) })),
  hunks: z.array(z.object({ proposal: z.string(), write: z.number(), id: z.string() })),
});
export type Step = Readonly<z.infer<typeof StepForm>>;

/** What is about to be written; whether it was is not known yet. */
const IntentionForm = z.object({
  files: z.array(z.object({ proposal: z.string(), hunks: z.array(z.string()), before: state, after: state })),
});
export type Intention = Readonly<z.infer<typeof IntentionForm>>;

/** A write that was interrupted when its window closed: how many of the files were written. */
const HalfWrittenForm = z.object({
  written: z.number(),
  all: z.number(),
  /** The calls whose changes were written or were to be. */
  calls: z.array(z.string()),
  /** The hunks that were not written yet. */
  hunks: z.array(z.string()),
});
export type HalfWritten = Readonly<z.infer<typeof HalfWrittenForm>>;

/** Notes on a decision, among them as `edited` the difference between the proposal and what a person made of it. */
const NoteForm = z.object({
  call: z.string(),
  reason: z.optional(z.string()),
  edited: z.optional(z.string()),
  /** Files that could not be saved; only the editor holds the change. */
  unsaved: z.optional(z.array(z.string())),
  /** What could not be undone or applied again in the last attempt. */
  left: z.optional(Message),
});
export type DecisionNote = Readonly<z.infer<typeof NoteForm>>;

/** Why something could not be done in a file, and the state of the proposal and the file at that time. */
const RefusalForm = z.object({ proposal: z.string(), why: Message, stood: z.string() });
export type KeptRefusal = Readonly<z.infer<typeof RefusalForm>>;

/** All but the proposals, which may be a thousand, so that each is read in a step of its own. */
const AroundProposalsForm = z.object({
  version: z.literal(1),
  proposals: z.array(z.unknown()),
  steps: z.array(StepForm),
  notes: z.array(NoteForm),
  intention: z.optional(IntentionForm),
  halfWritten: z.optional(HalfWrittenForm),
  refusals: z.optional(z.array(RefusalForm)),
});

const ChangesForm = z.extend(AroundProposalsForm, { proposals: z.array(ProposalForm) });

export interface KeptChanges {
  readonly proposals: readonly Proposal[];
  readonly steps: readonly Step[];
  readonly notes: readonly DecisionNote[];
  readonly intention?: Intention | undefined;
  readonly halfWritten?: HalfWritten | undefined;
  readonly refusals?: readonly KeptRefusal[] | undefined;
}

const nothing: KeptChanges = { proposals: [], steps: [], notes: [] };

/** A proposal as it is stored, and the names of the texts it refers to. */
interface SpelledProposal {
  readonly spelled: string;
  readonly names: readonly string[];
}

/** The names of the texts before and after these changes. */
const namesIn = (changes: readonly Pick<CallWrite, "before" | "after">[]): readonly string[] =>
  changes.flatMap(({ before, after }) => [...(before ? [before.text] : []), ...(after ? [after.text] : [])]);

/** The names of the texts a stored proposal refers to. */
const namesOf = ({ base: before, proposed: after, shares, writes }: Referring): readonly string[] =>
  namesIn([{ before, after }, ...shares, ...writes]);

type Referring = Pick<StoredProposal, "base" | "proposed"> & Pick<Proposal, "shares" | "writes">;

export class ChangeFile {
  readonly #store: ChangeStore;
  readonly #texts: Texts;
  readonly #log: Log;
  /** A proposal never changes, but most of them are written many times. */
  readonly #spelledProposals = new WeakMap<Proposal, SpelledProposal>();
  /** Nor does a step, which may name a thousand files. */
  readonly #spelledSteps = new WeakMap<Step, string>();
  /** The set as last written or read. */
  #written = nothing;

  constructor(store: ChangeStore, texts: Texts, log: Log) {
    this.#store = store;
    this.#texts = texts;
    this.#log = log;
  }

  async read(): Promise<KeptChanges> {
    const spelled = await this.#store.read();
    if (spelled === "") return nothing;
    const read = z.safeParse(AroundProposalsForm, parseJson(spelled));
    if (!read.success) return this.#refuse(read.error);
    const { version: _, proposals: stored, ...rest } = read.data;
    const proposals: Proposal[] = [];
    const nextStep = createYieldPoint();
    for (const each of stored) {
      await nextStep();
      const proposal = z.safeParse(ProposalForm, each);
      if (!proposal.success) return this.#refuse(proposal.error);
      proposals.push(await this.#whole(proposal.data));
    }
    this.#written = { ...rest, proposals };
    return this.#written;
  }

  #refuse(error: unknown): KeptChanges {
    this.#log.error("Proposed changes could not be read.", error);
    return nothing;
  }

  async write(kept: KeptChanges): Promise<void> {
    const { spelled, names } = await this.#spell(kept);
    await this.#texts.flush(names);
    await this.#put(kept, spelled);
  }

  /**
   * Makes room: decided proposals that this set no longer has leave the stored state as well, which takes no new text,
   * and texts that neither of the two refers to are deleted. A proposal that is still open in the stored state stays
   * there, since the decision about it may never be saved.
   */
  async tidy(kept: KeptChanges): Promise<void> {
    const ids = new Set(kept.proposals.map(({ id }) => id));
    const written = this.#written;
    const proposals = written.proposals.filter((each) => ids.has(each.id) || isOpen(each));
    const left = { ...written, proposals };
    const stored = await this.#spell(left);
    if (proposals.length < written.proposals.length) await this.#put(left, stored.spelled);
    const { names } = await this.#spell(kept);
    await this.#texts.keepOnly(new Set([...stored.names, ...names]));
  }

  /** All texts that it refers to are stored. */
  async #put(kept: KeptChanges, spelled: string): Promise<void> {
    await this.#store.write(spelled, isWaiting(kept));
    this.#written = kept;
  }

  async #spell({ proposals, steps, ...rest }: KeptChanges) {
    const names = new Set(namesIn(rest.intention?.files ?? []));
    // Not joined, which would copy all of it here and again where it is written.
    let spelled = '{"version":1,"proposals":[';
    let separator = "";
    const nextStep = createYieldPoint();
    for (const each of proposals) {
      await nextStep();
      const part = this.#spelledProposals.get(each) ?? this.#spellProposal(each);
      spelled += separator + part.spelled;
      separator = ",";
      for (const name of part.names) names.add(name);
    }
    spelled += '],"steps":[';
    separator = "";
    for (const each of steps) {
      await nextStep();
      spelled += separator + this.#spellStep(each);
      separator = ",";
    }
    return { spelled: `${spelled}],${JSON.stringify(rest).slice(1)}`, names };
  }

  #spellStep(step: Step): string {
    const known = this.#spelledSteps.get(step);
    if (known !== undefined) return known;
    const spelled = JSON.stringify(step);
    this.#spelledSteps.set(step, spelled);
    return spelled;
  }

  #spellProposal(proposal: Proposal): SpelledProposal {
    const { base, proposed, lines } = proposal;
    const texts = { base: this.#texts.keep(base), proposed: this.#texts.keep(proposed) };
    const spelled = JSON.stringify({ ...proposal, ...texts, lines: lines && keepLines(lines) });
    const made = { spelled, names: namesOf({ ...proposal, ...texts }) };
    this.#spelledProposals.set(proposal, made);
    return made;
  }

  /** If its texts are lost, pending hunks become conflicted; decided ones may still be undone. */
  async #whole({
    base: keptBase,
    proposed: keptProposed,
    shares,
    lines,
    ...rest
  }: StoredProposal): Promise<Proposal> {
    await this.#texts.load([keptBase, keptProposed]);
    const [base, proposed] = [this.#texts.stateOf(keptBase), this.#texts.stateOf(keptProposed)];
    if (base === "gone" || proposed === "gone")
      return present({
        ...{ ...rest, base: undefined, proposed: undefined },
        shares: withoutPending({ shares, writes: rest.writes }, () => "conflict"),
      });
    const known = lines && openLines(lines, base?.text ?? "", proposed?.text ?? "");
    return present({ ...rest, base, proposed, shares, lines: known });
  }
}

const isWaiting = ({ proposals }: KeptChanges): boolean =>
  proposals.some(({ shares }) =>
    shares.some(({ hunks }) => hunks.some(({ status }) => status === "pending")),
  );

/** What was written of a call, and is in the file. */
export interface AppliedWrite {
  readonly edit: CallEdit;
  readonly write: CallWrite;
}

/** What the calls of these proposals have written and is in the files, oldest first. */
export const appliedWrites = (proposals: readonly Pick<Proposal, "shares" | "writes">[]): AppliedWrite[] =>
  proposals.flatMap(({ shares, writes }) =>
    writes.flatMap((write) => {
      const edit = shares[write.share];
      return edit !== undefined && write.hunks.some(({ undone }) => !undone) ? [{ edit, write }] : [];
    }),
  );

/** The same in a stored change set that is not open. */
export function appliedIn(spelled: string): readonly AppliedWrite[] {
  const read = z.safeParse(ChangesForm, parseJson(spelled));
  return read.success ? appliedWrites(read.data.proposals) : [];
}

type StoredProposal = z.infer<typeof ProposalForm>;

/** For conversations that are not stored. */
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
