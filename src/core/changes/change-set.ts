// What a session proposes, until a person has decided: the second text of the workspace. A patch enters it and is answered
// at once; people accept, reject, edit and take back here, and nowhere else. It is on the disk before anything follows
// from it, and what the files hold is always the files' own word.

import { lineEdits } from "../diff/line-edits.ts";
import { merging } from "../diff/merge.ts";
import { type Message, message } from "../messages/message.ts";
import { MessageError } from "../messages/message-error.ts";
import { nameAfter } from "../patch/edits.ts";
import type { FileChange, FileName, Workspace as PatchWorkspace } from "../patch/model.ts";
import { printPatch } from "../patch/print.ts";
import { Emitter } from "../util/emitter.ts";
import { inOrder } from "../util/in-order.ts";
import type { Log } from "../util/log.ts";
import { inSlices, inSteps } from "../util/yield-to-event-loop.ts";
import { type CallOfTurn, Changes, type ProposedChange } from "./changes.ts";
import { choose, type Part, type Shown } from "./chosen.ts";
import {
  ChangeFile,
  type ChangeStore,
  type DecisionNote,
  type HalfWritten,
  type Intention,
} from "./kept-changes.ts";
import { type PendingFile, pendingFile } from "./pending-file.ts";
import {
  type Acceptance,
  type Fate,
  type FileState,
  isSameFile,
  keyOf,
  type Live,
  learned,
  overlayOf,
  type Proposal,
  type Seen,
  seenOf,
  textOf,
} from "./proposal.ts";
import { Texts } from "./texts.ts";
import type { Stand, Stands } from "./way-back.ts";
import type { Applied, Workspace } from "./workspace.ts";
import { linesWrittenBy, type Written } from "./written.ts";

export interface ChangeSetDeps {
  /** The files as they are, with what is known of each. */
  world(): PatchWorkspace;
  readonly apply: Workspace["apply"];
  readonly store: ChangeStore;
  readonly log: Log;
  newId(): string;
  /** Files are about to be written; what it answers is told which calls have written which of them. */
  applying?(changes: readonly FileChange[]): (written: ReadonlyMap<string, readonly FileName[]>) => void;
  /** What is to be known of it later, as things stand now. */
  acceptance?(): Acceptance;
  /** These calls have become something else, which is on the disk: where it is told, nobody goes on before. */
  decided(calls: ReadonlySet<string>): Promise<void>;
  /** How a file is called. */
  nameOf(file: FileName): string;
  /** What may be told of a file's text. */
  quotable(text: string): Promise<string>;
  /** How many secrets it holds. */
  secretsIn(text: string): number;
  /** Of an error of the store: it keeps as much as it may, and would take nothing more. */
  isFull(error: unknown): boolean;
}

export type Accepted =
  | { readonly outcome: "done" }
  /** What was shown is not what would be applied any more; nothing was. */
  | { readonly outcome: "revised" }
  /** A person was asked by the editor itself, and said no. */
  | { readonly outcome: "declined" }
  | { readonly outcome: "refused"; readonly why: Message };

/** Longer than any honest race between typing and accepting. */
const maxRounds = 20;

interface Derived {
  /** What it was made from. */
  readonly revision: number;
  readonly stands: readonly Stand[];
  readonly frees: string | undefined;
  readonly seen: Seen;
  readonly file: PendingFile | undefined;
}

export class ChangeSet {
  readonly #deps: ChangeSetDeps;
  readonly #texts: Texts;
  readonly #file: ChangeFile;
  readonly #changes: Changes;
  readonly #one = inOrder();
  readonly #changed = new Emitter<void>();
  /** The files as they were found in this turn. */
  readonly #standing = new Map<string, Stand>();
  readonly #derived = new Map<string, Derived>();
  #shown: readonly Shown[] = [];
  #revision = 0;
  #opened: Promise<void> | undefined;

  /** What is pending is something else. */
  readonly onDidChange = this.#changed.on;

  constructor(deps: ChangeSetDeps) {
    this.#deps = deps;
    this.#texts = new Texts(deps.store);
    this.#file = new ChangeFile(deps.store, this.#texts, deps.log);
    this.#changes = new Changes(this.#texts, deps.newId);
  }

  // What there is to see.

  /** As it was when it was looked at last. */
  get pending(): readonly PendingFile[] {
    return this.#shown.map(({ file }) => file);
  }

  /** Counts the states of what is pending. */
  get revision(): number {
    return this.#revision;
  }

  /** A window went away in the middle of writing; known until somebody decides about it. */
  get halfWritten(): HalfWritten | undefined {
    return this.#changes.halfWritten;
  }

  /** What a person said, or did, when they decided about this call. */
  noteOf(call: string): DecisionNote | undefined {
    return this.#changes.noteOf(call);
  }

  /** What became of the changes of a call, by the names of its row. */
  fatesOf(call: string): ReadonlyMap<string, Fate> {
    return this.#changes.fatesOf(call);
  }

  /** The files may be others by now. */
  refresh(): Promise<void> {
    return this.#glance(async () => undefined);
  }

  /** What waits and was made by one of these calls: as names of hunks. */
  hunksOf(calls: readonly string[]): Promise<readonly string[]> {
    return this.#glance(async () => {
      await this.#loadOpen();
      const wanted = new Set(calls);
      return this.#shown.flatMap((shown) => this.#changes.hunksOf(wanted, shown));
    });
  }

  /** Which lines of this file its calls have written. */
  writtenIn(file: FileName): Promise<readonly Written[]> {
    return this.#one(async () => {
      this.#opened ??= this.#open();
      await this.#opened;
      const shares = this.#changes.sharesIn(file);
      await this.#texts.load(shares.map(({ after }) => after));
      return shares.flatMap((share): Written[] => {
        const state = this.#texts.stateOf(share.after);
        return state === "gone" || state === undefined ? [] : [linesWrittenBy(share, state.text)];
      });
    });
  }

  /** Names at which something else stands for the tools of this session than on the disk. */
  overlaid(): Promise<readonly (readonly [FileName, FileState])[]> {
    return this.#glance(() => this.#overlaid());
  }

  /** What a call did: as it was taken, or where nothing of it was, as it was proposed. Nothing: it is not kept any more. */
  changesOf(call: string): Promise<readonly FileChange[]> {
    return this.#glance(async () => {
      await this.#load(call);
      const isTaken = [...this.fatesOf(call).values()].some(wasTaken);
      const found = this.#changes.changesOf(call, ({ fate }) => !isTaken || wasTaken(fate));
      return found === "gone" ? [] : found;
    });
  }

  // What is done.

  /** "stale": it was planned on something else. It is on the disk when this resolves. */
  propose(changes: readonly ProposedChange[], by: CallOfTurn): Promise<"kept" | "stale"> {
    return this.#turn(async () => {
      const open = this.#changes.open.flatMap((proposal) => this.#changes.namesOf(proposal));
      const stands = await this.#stands([...open, ...changes.map(({ change }) => change.file)]);
      const overlaid = new Map((await this.#overlaid()).map(([name, state]) => [keyOf(name), state]));
      const textAt = (file: FileName) => {
        const { live } = stands(file);
        const isLive = !overlaid.has(keyOf(file));
        return isLive ? (live.kind === "text" ? live.text : undefined) : overlaid.get(keyOf(file))?.text;
      };
      const isStale = ({ change }: ProposedChange) =>
        "base" in change && textAt(change.file) !== change.base.text;
      if (changes.some(isStale)) return "stale";
      const before = this.#changes.kept;
      try {
        await this.#loadOpen();
        const breath = inSteps();
        for (const each of changes) {
          await breath();
          this.#changes.enter(each, by, stands);
        }
        await this.#save();
      } catch (error) {
        this.#changes.kept = before;
        throw error;
      }
      return "kept";
    });
  }

  /** All of these or none, as one step. */
  accept(hunks: readonly string[]): Promise<Accepted> {
    return this.#turn(() => this.#accept(() => hunks));
  }

  /** What a window had begun to write is written to its end; what fits no more is a conflict, and waits. */
  finish(): Promise<Accepted> {
    return this.#turn(() =>
      this.#accept(() => {
        const free = this.#shown.filter(({ file }) => file.problem === undefined);
        const known = new Set(free.flatMap(({ file }) => file.hunks.map(({ id }) => id)));
        return this.halfWritten?.hunks.filter((id) => known.has(id)) ?? [];
      }),
    );
  }

  /** "revised": what was shown is not there any more. */
  reject(hunks: readonly string[], reason?: string): Promise<"done" | "revised"> {
    return this.#turn(async () => {
      await this.#loadOpen();
      const calls = this.#changes.reject(hunks, this.#shown);
      if (calls === undefined) return "revised";
      await this.#tell(calls, reason);
      return "done";
    });
  }

  /** What stands aside in this file is given up. */
  rejectAside(file: string): Promise<void> {
    return this.#turn(async () => {
      await this.#loadOpen();
      const shown = this.#shown.find((each) => each.file.id === file);
      if (shown !== undefined) await this.#tell(this.#changes.rejectAside(shown));
    });
  }

  /** All that waits of one call; what later calls have built on it stands aside. */
  rejectCall(call: string, reason?: string): Promise<void> {
    return this.#turn(async () => {
      await this.#loadOpen();
      const calls = this.#changes.rejectCall(call);
      this.#changes.note(call, { reason });
      await this.#tell(calls);
    });
  }

  /** A person has made this of `from`, the proposed text as they had it; what has come to it meanwhile stays. */
  edit(file: string, text: string, from: string): Promise<void> {
    return this.#turn(async () => {
      await this.#loadOpen();
      const shown = this.#shown.find((each) => each.file.id === file);
      const now = shown && textOf(shown.seen);
      if (shown === undefined || now === undefined) return;
      const wanted = (await inSlices()(merging(from, text, now))).text;
      if (wanted === now) return;
      const last = shown.proposal.shares.at(-1);
      await this.#texts.load([last?.before, last?.after]);
      this.#changes.edit(shown, wanted);
      await this.#save();
    });
  }

  /** What was applied of these calls is taken back, the last first. False: a person was asked, and said no. */
  undo(calls: readonly string[]): Promise<boolean> {
    return this.#turnRound(calls.toReversed(), "undone");
  }

  /** What was taken back of these calls is applied once more. */
  acceptAgain(calls: readonly string[]): Promise<boolean> {
    return this.#turnRound(calls, "applied");
  }

  /** Their turns are no longer part of the conversation: what waits of them is withdrawn. */
  withdraw(calls: readonly string[]): Promise<void> {
    return this.#turn(async () => {
      await this.#loadOpen();
      for (const call of calls) this.#changes.rejectCall(call);
      await this.#save();
    });
  }

  /** The editor's own Undo or Redo has touched a file: what it turned round is so from now on. */
  async notice(file: FileName, by?: "undo" | "redo"): Promise<void> {
    if (this.#changes.filesNear(file).length === 0) return;
    await this.#turn(async () => {
      const stands = await this.#stands(this.#changes.filesNear(file));
      const calls = this.#changes.notice(file, by, stands);
      if (calls.size > 0) await this.#tell(calls);
    });
  }

  /** Resolves when all that was begun is done. */
  settled(): Promise<void> {
    return this.#one(async () => undefined);
  }

  // How it is done.

  /** One after the other, once it was read from the disk, and on the files as they are. It changes nothing. */
  #glance<T>(work: () => Promise<T>): Promise<T> {
    return this.#one(async () => {
      this.#opened ??= this.#open();
      await this.#opened;
      await this.#lookAgain();
      return work();
    });
  }

  /** What is pending is known again afterwards. */
  #turn<T>(work: () => Promise<T>): Promise<T> {
    return this.#glance(async () => {
      try {
        return await work();
      } finally {
        await this.#lookAgain();
      }
    });
  }

  async #open(): Promise<void> {
    this.#changes.kept = await this.#file.read();
    const { intention } = this.#changes;
    if (intention === undefined) return;
    this.#changes.intention = undefined;
    await this.#settle(intention);
  }

  /** @throws where there is no room for it, once what was decided long ago is let go. */
  async #save(): Promise<void> {
    try {
      await this.#file.write(this.#changes.kept);
    } catch (error) {
      if (this.#changes.forgetDecided()) {
        await this.#file.tidy(this.#changes.kept);
        return this.#save();
      }
      if (this.#deps.isFull(error)) throw error;
      // The disk refuses everything now, which the conversation says; what is proposed goes on in memory.
      this.#deps.log.error("Proposed changes could not be saved.", error);
    }
  }

  async #tell(calls: ReadonlySet<string>, reason?: string): Promise<void> {
    const half = this.halfWritten?.calls ?? [];
    const isOver = half.some((call) => calls.has(call));
    if (isOver) this.#changes.halfWritten = undefined;
    for (const call of calls) this.#changes.note(call, { reason });
    await this.#save();
    await this.#lookAgain();
    if (calls.size > 0) await this.#deps.decided(isOver ? new Set([...calls, ...half]) : calls);
  }

  async #accept(hunks: () => readonly string[]): Promise<Accepted> {
    for (let round = 0; round < maxRounds; round++) {
      await this.#lookAgain();
      const parts = choose(hunks(), this.#shown);
      if (parts === undefined || parts.length === 0) return { outcome: "revised" };
      const done = await this.#write(parts);
      if (done.outcome === "applied") return { outcome: "done" };
      if (done.outcome !== "stale") return done;
    }
    return { outcome: "revised" };
  }

  async #write(parts: readonly Part[]): Promise<Applied> {
    this.#changes.intend(parts);
    await this.#save();
    await this.#loadOpen();
    const names = parts.map(({ change }) => this.#deps.nameOf(nameAfter(change))).join(", ");
    const written = writtenBy(parts);
    const applied = this.#deps.applying?.(parts.map(({ change }) => change));
    const acceptance = this.#deps.acceptance?.();
    const done = await this.#apply(
      parts.map(({ change }) => change),
      `Patchbay: ${names}`,
    );
    this.#changes.intention = undefined;
    if (done.outcome !== "applied") {
      await this.#save();
      return done;
    }
    const calls = this.#changes.accepted(parts, acceptance);
    for (const part of parts) await this.#noteEdited(part);
    this.#noteUnsaved(calls, done);
    await this.#tell(calls);
    applied?.(written);
    return done;
  }

  #apply(changes: readonly FileChange[], label: string, purpose?: "undo"): Promise<Applied> {
    const { apply, log } = this.#deps;
    return apply(changes, label, purpose).catch((error: unknown): Applied => {
      log.error("Changes could not be applied.", error);
      return { outcome: "refused", why: message("editsRefused") };
    });
  }

  /** Whoever reads the disk does not see it yet: person and model hear so. */
  #noteUnsaved(calls: Iterable<string>, { unsaved = [] }: Extract<Applied, { outcome: "applied" }>): void {
    for (const call of calls) {
      const own = this.#changes.namesOfCall(call);
      const names = unsaved.filter((file) => own.some((each) => isSameFile(each, file)));
      if (names.length > 0 || this.noteOf(call)?.unsaved !== undefined)
        this.#changes.note(call, { unsaved: names.map((file) => this.#deps.nameOf(file)) });
    }
  }

  /** For the model: what a person has made of its words. */
  async #noteEdited({ proposal: { edited, shares }, seen, change }: Part): Promise<void> {
    const [shown, call] = [textOf(seen), shares.at(-1)?.call];
    if (edited === undefined || shown === undefined || call === undefined || edited === shown) return;
    const { quotable, nameOf } = this.#deps;
    const [from, to] = [await quotable(edited), await quotable(shown)];
    const file = nameAfter(change);
    const permission = { verdict: "allow", reasons: [], real: file.path } as const;
    const base = { text: from, sha256: "", version: undefined };
    const edits = lineEdits(from, to);
    const difference = printPatch([{ kind: "update", file, permission, base, edits, hunks: [] }], nameOf);
    this.#changes.note(call, { edited: difference });
  }

  #turnRound(calls: readonly string[], to: "applied" | "undone"): Promise<boolean> {
    return this.#turn(async () => {
      for (const call of calls) if (!(await this.#turnOne(call, to))) return false;
      return true;
    });
  }

  async #turnOne(call: string, to: "applied" | "undone"): Promise<boolean> {
    await this.#load(call);
    const { nameOf } = this.#deps;
    for (let round = 0; round < maxRounds; round++) {
      this.#standing.clear();
      const stands = await this.#stands(this.#changes.namesOfCall(call));
      const way = this.#changes.wayOf(call, to, stands, nameOf);
      const done: Applied =
        way.length === 0 ? { outcome: "applied" } : await this.#apply(way, "Patchbay: undo edits", "undo");
      if (done.outcome === "stale") continue;
      if (done.outcome === "declined") return false;
      if (done.outcome === "refused") throw new MessageError(done.why);
      this.#changes.turnedRound(call, to, way);
      this.#noteUnsaved([call], done);
      await this.#tell(new Set([call]));
      return true;
    }
    throw new MessageError(message("editsMoving"));
  }

  // Looking.

  /** The files may be others than a moment ago. */
  async #lookAgain(): Promise<void> {
    this.#standing.clear();
    await this.#look();
  }

  async #look(): Promise<void> {
    const stands = await this.#allStands();
    const { open } = this.#changes;
    const shown: Shown[] = [];
    const breath = inSteps();
    for (const proposal of open) {
      await breath();
      const { seen, file } = await this.#see(proposal, stands);
      if (file !== undefined) shown.push({ proposal, seen, file });
    }
    const ids = new Set(open.map(({ id }) => id));
    for (const id of this.#derived.keys()) if (!ids.has(id)) this.#derived.delete(id);
    const isSame =
      shown.length === this.#shown.length && shown.every(({ file }, at) => file === this.#shown[at]?.file);
    this.#shown = shown;
    if (isSame) return;
    this.#revision += 1;
    this.#changed.fire();
  }

  async #see(proposal: Proposal, stands: Stands): Promise<Derived> {
    const { revision } = proposal;
    const now = this.#changes.namesOf(proposal).map((file) => stands(file));
    const frees = this.#changes.freeing(proposal, stands)?.id;
    const known = this.#derived.get(proposal.id);
    const isKnown = known?.revision === revision && known.frees === frees && areAlike(known.stands, now);
    if (isKnown) return known;
    const [live = nothing, target = live] = now;
    await inSlices()(learned(proposal, live.live));
    const { seen, requires } = this.#changes.see(proposal, stands);
    const looked = { seen, live: live.standing, target: target.standing };
    const file = await inSlices()(
      pendingFile(proposal, looked, requires, { known: known?.file, secretsIn: this.#deps.secretsIn }),
    );
    const derived = { revision, stands: now, frees, seen, file };
    this.#derived.set(proposal.id, derived);
    return derived;
  }

  async #overlaid(): Promise<readonly (readonly [FileName, FileState])[]> {
    const stands = await this.#allStands();
    const found: (readonly [FileName, FileState])[] = [];
    for (const proposal of this.#changes.open) {
      const overlay = overlayOf(proposal, (await this.#see(proposal, stands)).seen);
      if (overlay === "live") continue;
      const { base } = proposal;
      if (overlay !== undefined) found.push([overlay.file, overlay]);
      if (base !== undefined && (overlay === undefined || !isSameFile(base.file, overlay.file)))
        found.push([base.file, undefined]);
    }
    return found;
  }

  #allStands(): Promise<Stands> {
    return this.#stands(this.#changes.open.flatMap((proposal) => this.#changes.namesOf(proposal)));
  }

  /** These files as they were when they were looked at last. */
  async #stands(files: readonly FileName[]): Promise<Stands> {
    const world = this.#deps.world();
    const known = this.#standing;
    const breath = inSteps();
    for (const file of files) {
      const key = keyOf(file);
      if (known.has(key)) continue;
      await breath();
      known.set(key, await standOf(file, world));
    }
    return (file) => known.get(keyOf(file)) ?? nothing;
  }

  /** The texts that deciding about what waits may need. */
  #loadOpen(): Promise<void> {
    const isWaiting = ({ hunks }: Proposal["shares"][number]) => hunks.some(({ fate }) => fate === "pending");
    const shares = this.#changes.open.flatMap((proposal) => proposal.shares.filter(isWaiting));
    return this.#texts.load(shares.flatMap(({ before, after }) => [before, after]));
  }

  #load(call: string): Promise<void> {
    const all = this.#changes.kept.proposals.flatMap(({ shares }) => shares);
    const own = all.filter((share) => share.call === call);
    return this.#texts.load(own.flatMap(({ before, after }) => [before, after]));
  }

  // After a crash.

  /** The window went away while files were written: each file tells whether it was. */
  async #settle({ files }: Intention): Promise<void> {
    const parts: Part[] = [];
    await this.#texts.load(files.flatMap(({ before, after }) => [before, after]));
    await this.#loadOpen();
    const world = this.#deps.world();
    const done = new Set<number>();
    for (const [at, { proposal: id, hunks, before: keptBefore, after: keptAfter }] of files.entries()) {
      const [before, after] = [this.#texts.stateOf(keptBefore), this.#texts.stateOf(keptAfter)];
      const proposal = this.#changes.open.find((each) => each.id === id);
      const file = after === "gone" || before === "gone" ? undefined : (after ?? before)?.file;
      if (proposal === undefined || file === undefined || before === "gone" || after === "gone") continue;
      const { live } = await standOf(file, world);
      const isWritten =
        after === undefined ? live.kind === "nothing" : live.kind === "text" && live.text === after.text;
      if (!isWritten) continue;
      const then: Live = before === undefined ? { kind: "nothing" } : { kind: "text", text: before.text };
      const isMove = before !== undefined && after !== undefined && !isSameFile(before.file, after.file);
      const seen = seenOf(proposal, then, isMove ? { kind: "nothing" } : then);
      const looked = { seen, live: nothing.standing, target: nothing.standing };
      const pending = await inSlices()(pendingFile(proposal, looked, [], this.#deps));
      if (pending === undefined) continue;
      const [part] = choose(hunks, [{ proposal, seen, file: pending }]) ?? [];
      if (part === undefined) continue;
      parts.push(part);
      done.add(at);
    }
    const calls = new Set(this.#changes.accepted(parts));
    const left = files.filter((_, at) => !done.has(at));
    if (parts.length > 0 && left.length > 0) {
      for (const { proposal } of left)
        for (const call of this.#changes.callsWaitingIn(proposal)) calls.add(call);
      const hunks = left.flatMap((each) => each.hunks);
      this.#changes.halfWritten = { written: parts.length, all: files.length, calls: [...calls], hunks };
    }
    await this.#save();
    if (calls.size > 0) await this.#deps.decided(calls);
  }
}

const wasTaken = (fate: Fate): boolean => fate === "applied" || fate === "undone";

/** Which call has written a file last. */
function writtenBy(parts: readonly Part[]): ReadonlyMap<string, readonly FileName[]> {
  const written = new Map<string, FileName[]>();
  for (const { proposal, change } of parts) {
    const call = proposal.shares.at(-1)?.call;
    if (call === undefined || change.kind === "delete") continue;
    written.set(call, [...(written.get(call) ?? []), nameAfter(change)]);
  }
  return written;
}

const nothing: Stand = {
  live: { kind: "nothing" },
  standing: {
    kind: "nothing",
    real: "",
    link: false,
    names: 1,
    bytes: 0,
    writable: true,
    spelled: undefined,
    guarded: false,
  },
};

const areAlike = (before: readonly Stand[], now: readonly Stand[]): boolean =>
  before.length === now.length && before.every((one, at) => isAlike(one, now[at]));

/** As far as anything is made of it. */
function isAlike(one: Stand, other: Stand | undefined): boolean {
  if (other === undefined || one.live.kind !== other.live.kind) return false;
  if (one.live.kind === "text" && other.live.kind === "text" && one.live.text !== other.live.text)
    return false;
  return decisive.every((name) => one.standing[name] === other.standing[name]);
}

const decisive = [
  ...(["kind", "real", "link", "names"] as const),
  ...(["writable", "guarded", "protection", "ignored"] as const),
];

async function standOf(file: FileName, world: PatchWorkspace): Promise<Stand> {
  if (!world.folders.includes(file.folder)) return { ...nothing, live: { kind: "other" } };
  const standing = await world.look(file);
  if (standing.kind === "nothing") return { live: { kind: "nothing" }, standing };
  const reading = standing.kind === "file" ? await world.read(file).catch(() => undefined) : undefined;
  const live: Live = reading?.kind === "text" ? { kind: "text", text: reading.text } : { kind: "other" };
  return { live, standing };
}
