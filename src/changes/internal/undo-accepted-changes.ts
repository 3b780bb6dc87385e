// Undoes accepted changes or reapplies undone ones: everything possible as one step; what is left is reported. If the
// editor refuses the step because of one file, that file is located and left, and the others proceed without it.
import { type Message, message } from "../../conversation/messages.ts";
import type { ApplyOutcome, RefusedFile } from "../../files/workspace.ts";
import { linesOf } from "../../patch/diff-and-merge.ts";
import { applyEdits } from "../../patch/edits.ts";
import type { FileChange, FileName } from "../../patch/model.ts";
import { runTask } from "../../util/background.ts";
import { createYieldPoint } from "../../util/concurrency.ts";
import type { Step } from "../change-store.ts";
import {
  type LeftReversal,
  type PathLookup,
  type PathState,
  type Reversal,
  type ReversalPlan,
  reversing,
} from "../plan-undo.ts";
import { isSameFile, keyOf, type LeftFile, type ReverseOutcome } from "../proposal.ts";
import type { ChangeSetCore } from "./change-set-core.ts";
import { reversalsOf } from "./written-changes.ts";

/** Undoes and reapplies what was accepted in a set. Called under its mutex. */
export class Reversals {
  readonly #set: ChangeSetCore;
  /** What the editor refused to reverse for a call in the last attempt. */
  readonly #refused = new Map<string, readonly LeftFile[]>();

  constructor(set: ChangeSetCore) {
    this.#set = set;
  }

  /**
   * Reverses what was applied or undone of these calls, in this order and in one step, as far as possible. `only`
   * restricts this to files in which the calls have one of these hunks.
   */
  async reverse(
    calls: readonly string[],
    to: "applied" | "undone",
    only?: ReadonlySet<string>,
  ): Promise<ReverseOutcome> {
    const { deps, state, views } = this.#set;
    const { nameOf } = deps;
    const { reversals, gone } = await this.#reversalsOf(calls, to, only);
    const stay = await applyReversals(reversals, {
      nameOf,
      apply: (changes) =>
        this.#set.apply(changes, "Patchbay: undo edits", to === "undone" ? "undo" : "again"),
      lookUp: (files) => {
        views.forget();
        return views.lookUp(files);
      },
      filesOf: async (changes) => {
        const files: Step["files"][number][] = [];
        const nextStep = createYieldPoint();
        for (const change of changes) {
          await nextStep();
          for (const file of state.filesOf([change])) files.push(file);
        }
        return files;
      },
      onReversed: async ({ reversed }, files, done) => {
        state.markReversed(reversed, to, files);
        const own = new Set(reversed.map(({ call }) => call));
        this.#set.noteUnsaved(own, done);
        await this.#set.tell(own);
      },
    });
    if (stay === "declined") return { outcome: "declined" };
    const lost = gone.map(({ call, proposal, file }): LeftFile => {
      const path = nameOf(file);
      return { call, file: proposal, path, why: message("editsGone") };
    });
    const left = [...groupLeftByFile(stay, nameOf), ...lost];
    const all = [...reversals, ...gone];
    const touched = new Set(calls);
    for (const call of touched) {
      const isOwn = (each: { readonly call: string }) => each.call === call;
      const own = [
        ...groupLeftByFile(
          stay.filter(({ reversal }) => isOwn(reversal)),
          nameOf,
        ),
        ...lost.filter(isOwn),
      ];
      this.#refused.set(call, own);
      const from = to === "undone" ? "applied" : "undone";
      const isOver =
        own.length > 0 || only === undefined || ![...state.statusesOf(call).values()].includes(from);
      // With `only`, what was noted about the call's other files remains valid.
      if (isOver) state.noteLeft(call, summarizeLeft(own, countFiles(all.filter(isOwn)), to));
    }
    await this.#set.tell(touched);
    const said = summarizeLeft(left, countFiles(all), to);
    return { outcome: "done", left, ...(said && { said }) };
  }

  /** What could not be reversed for a call, if that was tried now. */
  async leftOf(call: string): Promise<readonly LeftFile[]> {
    const isAgain = this.#set.state.noteOf(call)?.left?.code.startsWith("again") === true;
    const { reversals, left: found } = await this.#leftOnDisk([call], isAgain ? "applied" : "undone");
    // Only the editor knows what it has refused, so the last attempt is remembered.
    const known = new Set(found.map(({ file }) => file));
    const there = new Set(reversals.map(({ proposal }) => proposal));
    const refused = (this.#refused.get(call) ?? []).filter(({ file }) => there.has(file) && !known.has(file));
    return [...found, ...refused];
  }

  /** What an undo of all these calls would leave, if that was tried now. */
  async leftByUndo(calls: readonly string[]): Promise<readonly LeftFile[]> {
    return (await this.#leftOnDisk(calls.toReversed(), "undone")).left;
  }

  /** In a step for each proposal, because a thousand files are worth a tenth of a second. */
  async #reversalsOf(calls: readonly string[], to: "applied" | "undone", only?: ReadonlySet<string>) {
    const { proposals, texts } = await this.#set.storedOf(calls);
    const found = reversalsOf(texts, calls, to, only);
    const nextStep = createYieldPoint();
    for (const proposal of proposals) {
      await nextStep();
      found.add(proposal);
    }
    return found.all();
  }

  async #leftOnDisk(calls: readonly string[], to: "applied" | "undone") {
    const { deps, views } = this.#set;
    const { nameOf } = deps;
    const { reversals } = await this.#reversalsOf(calls, to);
    const { left } = await planOnDisk(reversals, { lookUp: (files) => views.lookUp(files), nameOf });
    return { reversals, left: groupLeftByFile(left, nameOf) };
  }
}

interface ReversalDeps {
  /** Looks up the current state of the files. */
  lookUp(files: readonly FileName[]): Promise<PathLookup>;
  apply(changes: readonly FileChange[]): Promise<ApplyOutcome>;
  /** What the step is known by, worked out before anything is written, so that it is marked at once afterwards. */
  filesOf(changes: readonly FileChange[]): Promise<Step["files"]>;
  /** Reports the reversals that were carried out. They have been saved when it resolves. */
  onReversed(
    plan: ReversalPlan,
    files: Step["files"],
    done: Extract<ApplyOutcome, { outcome: "applied" }>,
  ): Promise<void>;
  nameOf(file: FileName): string;
}

/** Enough rounds for any plausible race between typing and undoing. */
const maxRounds = 20;

/** Applies the reversals and returns those that could not be applied. */
async function applyReversals(
  reversals: readonly Reversal[],
  deps: ReversalDeps,
): Promise<readonly LeftReversal[] | "declined"> {
  for (let round = 0; round < maxRounds; round++) {
    const plan = await planOnDisk(reversals, deps);
    const files = await deps.filesOf(plan.changes);
    const done: ApplyOutcome =
      plan.changes.length === 0 ? { outcome: "applied" } : await deps.apply(plan.changes);
    switch (done.outcome) {
      case "stale":
        continue;
      case "declined":
        return "declined";
      case "applied":
        await deps.onReversed(plan, files, done);
        return plan.left;
      default:
        // If it stopped halfway, the files show what was done; the rest gets the reason and can be tried again.
        if (done.halfDone === true || done.files === undefined) return allLeft(reversals, done.why);
        return withoutRefused(reversals, { why: done.why, files: done.files }, deps);
    }
  }
  return allLeft(reversals, message("editsMoving"));
}

const allLeft = (reversals: readonly Reversal[], why: Message): readonly LeftReversal[] =>
  reversals.map((reversal) => ({ reversal, why }));

async function planOnDisk(
  reversals: readonly Reversal[],
  { lookUp, nameOf }: Pick<ReversalDeps, "lookUp" | "nameOf">,
): Promise<ReversalPlan> {
  const files = new Map(reversals.flatMap(pathsOfReversal).map((file) => [keyOf(file), file]));
  const at = await lookUp([...files.values()]);
  const states = new Map([...files].map(([key, file]) => [key, { ...at(file), name: nameOf(file) }]));
  return runTask(reversing, { reversals, files: states }, sizeOf([...states.values()]));
}

/** In characters. */
const sizeOf = (states: readonly PathState[]): number =>
  states.reduce((sum, { live }) => sum + (live.kind === "text" ? live.text.length : 0), 0);

/**
 * Retries without the refused files. If the editor named them, the others go as one step; otherwise bisects until only
 * the refused file is left. A notebook cell that one call edited and another removed comes back only as it was when it was
 * removed, so the calls of such a notebook are retried one by one.
 */
async function withoutRefused(
  reversals: readonly Reversal[],
  { why, files }: { readonly why: Message; readonly files: readonly RefusedFile[] },
  deps: ReversalDeps,
): Promise<readonly LeftReversal[]> {
  const groups = independent(reversals);
  const left: LeftReversal[] = [];
  const oneByOne: (readonly Reversal[])[] = [];
  const reasonOf = (group: readonly Reversal[]) =>
    files.find(({ file }) => group.flatMap(pathsOfReversal).some((name) => isSameFile(name, file)))?.why;
  const others = groups.filter((group) => {
    const reason = groups.length === 1 ? (reasonOf(group) ?? why) : reasonOf(group);
    const calls = new Set(group.map(({ call }) => call));
    if (reason?.code === "editsCellsLost" && calls.size > 1)
      for (const call of calls) oneByOne.push(group.filter((each) => each.call === call));
    else if (reason !== undefined) for (const reversal of group) left.push({ reversal, why: reason });
    return reason === undefined;
  });
  const middle = Math.ceil(others.length / 2);
  const isNamed = others.length < groups.length;
  const parts = isNamed ? [others.flat()] : [others.slice(0, middle).flat(), others.slice(middle).flat()];
  for (const part of [...parts, ...oneByOne]) {
    const wanted = new Set(part);
    const own = reversals.filter((reversal) => wanted.has(reversal));
    if (own.length === 0) continue;
    const rest = await applyReversals(own, deps);
    const declined = () =>
      own.map((reversal) => ({
        reversal,
        why: message("editsDeclined", { name: deps.nameOf(reversal.change.file) }),
      }));
    for (const each of rest === "declined" ? declined() : rest) left.push(each);
  }
  return left;
}

/** Groups reversals that share a file name; a group must stay together. */
function independent(reversals: readonly Reversal[]): readonly (readonly Reversal[])[] {
  const groups = new Map<string, Reversal[]>();
  for (const reversal of reversals) {
    const names = pathsOfReversal(reversal).map(keyOf);
    const joined = [...new Set(names.flatMap((name) => groups.get(name) ?? []))];
    const group = [...joined, reversal];
    for (const name of [...names, ...joined.flatMap((each) => pathsOfReversal(each).map(keyOf))])
      groups.set(name, group);
  }
  return [...new Set(groups.values())];
}

const pathsOfReversal = ({ change }: Reversal): readonly FileName[] =>
  change.kind === "move" ? [change.file, change.to] : [change.file];

/** At most this many files are named in a sentence. */
const maxNamed = 3;

/** Describes in one sentence what was left; `files` is the total number of files. */
function summarizeLeft(
  left: readonly LeftFile[],
  files: number,
  to: "applied" | "undone",
): Message | undefined {
  const [first] = left;
  if (first === undefined) return undefined;
  const isOfAll = left.every(({ why }) => JSON.stringify(why) === JSON.stringify(first.why));
  if (files === 1 || (isOfAll && filesLeft(left) === files))
    return message(to === "undone" ? "undoneNotAll" : "againNotAll", { why: first.why });
  const paths = [...new Map(left.map(({ file, path }) => [file, path])).values()];
  const names = `${paths.slice(0, maxNamed).join(", ")}${paths.length > maxNamed ? ", …" : ""}`;
  const args = { count: files - paths.length, all: files, names };
  return message(to === "undone" ? "undoneInPart" : "againInPart", args);
}

/** Reversals by several calls of a file that no longer exists are joined into one entry. */
function groupLeftByFile(
  left: readonly LeftReversal[],
  nameOf: (file: FileName) => string,
): readonly LeftFile[] {
  const files: LeftFile[] = [];
  const whole = new Map<string, number>();
  for (const { reversal, why } of left) {
    const { call, proposal: file, change } = reversal;
    const before = files[whole.get(file) ?? -1];
    const joined = before?.change && why.code === before.why.code ? inOne(before.change, change) : undefined;
    if (before !== undefined && joined !== undefined) {
      files[whole.get(file) ?? -1] = { ...before, change: joined };
      continue;
    }
    if (why.code !== "editsTouched") whole.set(file, files.length);
    files.push({ call, file, path: nameOf(change.file), why, change: change });
  }
  return files;
}

function inOne(first: FileChange, next: FileChange): FileChange | undefined {
  if (first.kind !== "update" || next.kind !== "update" || !isSameFile(first.file, next.file))
    return undefined;
  const { text } = first.base;
  const lines = { first: 0, last: linesOf(text).length };
  const target = applyEdits(next.base.text, next.edits);
  const edit = { start: 0, end: text.length, removed: text, text: target, lines, hunks: [] };
  return { ...first, edits: [{ ...edit, written: linesOf(target).length }] };
}

const filesLeft = (left: readonly LeftFile[]): number => new Set(left.map(({ file }) => file)).size;

/** The number of files these reversals affect. */
const countFiles = (reversals: readonly { readonly proposal: string }[]): number =>
  new Set(reversals.map(({ proposal }) => proposal)).size;
