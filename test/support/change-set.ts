// A change set over files in memory: what is proposed, typed, accepted, rejected and taken back, step by step and without
// waiting. It uses the product's own rules and keeps nothing.
import { randomUUID } from "node:crypto";
import { ChangeSet } from "../../src/changes/change-set.ts";
import { memoryChangeStore, Texts } from "../../src/changes/change-store.ts";
import { chooseHunks, type ShownProposal } from "../../src/changes/internal/accept-files.ts";
import { ChangeSetState } from "../../src/changes/internal/change-set-state.ts";
import { viewProposal } from "../../src/changes/internal/proposal-index.ts";
import { reversalsOf } from "../../src/changes/internal/written-changes.ts";
import { ratedFile, unratedFile } from "../../src/changes/pending-changes.ts";
import { type PathLookup, type PathState, planReverse } from "../../src/changes/plan-undo.ts";
import {
  type HunkStatus,
  isSameFile,
  overlayOf,
  type Proposal,
  textOfView,
} from "../../src/changes/proposal.ts";
import { linesOf } from "../../src/patch/diff-and-merge.ts";
import { lineEdits, nameAfter } from "../../src/patch/edits.ts";
import { defaultPathInfo, type FileChange, type FileName } from "../../src/patch/model.ts";
import { PatchError } from "../../src/patch/patch-error.ts";
import { planPatch } from "../../src/patch/plan.ts";
import { printPatch } from "../../src/patch/print-patch.ts";
import { rating } from "../../src/risk/file-risk.ts";
import { describeDecision } from "../../src/session/internal/decision-report.ts";
import { silentLog } from "../../src/util/log.ts";
import { MemoryWorkspace } from "./memory-workspace.ts";

/** At which line, so many lines out, these in. */
export type LineChange = readonly [at: number, out: number, ...into: string[]];

export function changedLines(text: string, changes: readonly LineChange[]): string {
  const lines = text.split(/(?<=\n)/);
  for (const [at, out, ...into] of changes.toReversed())
    lines.splice(at, out, ...into.map((line) => `${line}\n`));
  return lines.join("");
}

/** The patch that makes one text of a file of the other. */
export function patchFrom(path: string, one: string, other: string): string {
  const file = { folder: "", path };
  const permission = { verdict: "allow", reasons: [], real: path } as const;
  const base = { text: one, sha256: "", version: undefined };
  const change = { kind: "update", file, permission, base, edits: lineEdits(one, other), hunks: [] } as const;
  return printPatch([change], () => path);
}

export interface SetHunk {
  readonly id: string;
  readonly path: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** The file and the proposal have changed the same lines, or the file is in the way. */
  readonly conflict: boolean;
}

/** One as a session has it, on these files in memory and with a store there; `more` is as it says. */
export function sessionChanges(
  disk: MemoryWorkspace,
  more: Partial<ConstructorParameters<typeof ChangeSet>[0]> = {},
): ChangeSet {
  return new ChangeSet({
    world: () => disk,
    async apply(changes) {
      disk.apply(changes);
      return { outcome: "applied" };
    },
    store: memoryChangeStore(),
    log: silentLog,
    newId: randomUUID,
    decided: async () => {},
    nameOf: ({ path }) => path,
    redact: async (text) => text,
    isFull: () => false,
    ...more,
  });
}

export function changeSet(files: Readonly<Record<string, string>>) {
  const live = new MemoryWorkspace(files);
  const texts = new Texts(memoryChangeStore());
  let ids = 0;
  const changes = new ChangeSetState(texts, () => `p${++ids}`);
  const calls: { call: string; paths: readonly string[] }[] = [];
  const told = new Map<string, string>();
  /** What was accepted, for `undo`: the last first. */
  const accepted: (readonly string[])[] = [];

  const stored = () => ({ proposals: changes.kept.proposals, texts });
  const stands: PathLookup = ({ path }): PathState => {
    const text = live.files.get(path);
    const standing = {
      ...defaultPathInfo,
      kind: text === undefined ? "nothing" : "file",
      real: path,
      bytes: text?.length ?? 0,
    } as const;
    return { live: text === undefined ? { kind: "nothing" } : { kind: "text", text }, info: standing };
  };

  function shown(): ShownProposal[] {
    return changes.open.flatMap((proposal) => {
      const { view, requires } = viewProposal(proposal, changes, stands);
      const at = (file: FileName | undefined) => (file === undefined ? nowhere : stands(file).info);
      const looked = { view, live: at(proposal.base?.file), target: at(proposal.proposed?.file) };
      const unrated = unratedFile(proposal, looked);
      if (unrated === undefined) return [];
      const file = { ...ratedFile(proposal, view, unrated, rating.run(unrated)), requires };
      return [{ proposal, view, file }];
    });
  }

  function overlay(): MemoryWorkspace {
    const world = new MemoryWorkspace(Object.fromEntries(live.files));
    const states = changes.open.map((proposal) => ({
      proposal,
      state: overlayOf(proposal, viewProposal(proposal, changes, stands).view),
    }));
    for (const { proposal, state } of states) {
      const { base } = proposal;
      if (state !== "live" && base && (state === undefined || !isSameFile(base.file, state.file)))
        world.files.delete(base.file.path);
    }
    for (const { state } of states)
      if (state !== "live" && state !== undefined) world.files.set(state.file.path, state.text);
    return world;
  }

  function reverse(of: readonly string[], to: "applied" | "undone"): readonly string[] {
    const { proposals, texts } = stored();
    const found = reversalsOf(texts, of, to);
    for (const proposal of proposals) found.add(proposal);
    const { reversals } = found.all();
    const plan = planReverse(reversals, stands, ({ path }) => path);
    live.apply(plan.changes);
    changes.markReversed(plan.reversed, to, changes.filesOf(plan.changes));
    return plan.left.map(({ why }) => why.code);
  }

  const all = () =>
    shown().flatMap(({ file }) => (file.problem === undefined ? file.hunks.map(({ id }) => id) : []));

  return {
    async propose(patch: string): Promise<{ ok: true } | { ok: false; why: string }> {
      const world = overlay();
      try {
        const plan = await planPatch(patch, world);
        const call = `call-${calls.length + 1}`;
        calls.push({ call, paths: plan.changes.map(({ file }) => file.path) });
        for (const change of plan.changes)
          changes.enter({ change, ids: namesOf(change) }, { call, turn: "turn" }, stands);
        return { ok: true };
      } catch (error) {
        if (error instanceof PatchError) return { ok: false, why: error.forModel };
        throw error;
      }
    },
    /** A call has made this of the proposed text, with so many changes in a hunk. */
    proposeText(path: string, text: string, inHunk = 1): void {
      const file = { folder: live.folders[0] ?? "", path };
      const before = overlay().files.get(path) ?? "";
      const edits = lineEdits(before, text).map((edit, at) => ({
        ...edit,
        hunks: [Math.floor(at / inHunk)],
      }));
      const base = { text: before, sha256: "", version: undefined };
      const permission = { verdict: "allow", reasons: [], real: path } as const;
      const call = `call-${calls.length + 1}`;
      calls.push({ call, paths: [path] });
      const change = { kind: "update", file, permission, base, edits, hunks: [] } as const;
      const count = Math.ceil(edits.length / inHunk);
      const ids = Array.from({ length: count }, (_, hunk) => `${path}#${hunk + 1}`);
      changes.enter({ change, ids }, { call, turn: "turn" }, stands);
    },
    live: (path: string): string | undefined => live.files.get(path),
    /** The file as a person has it from now on. */
    type(path: string, text: string): void {
      live.files.set(path, text);
    },
    /** A person has made this of the proposed text. */
    edit(path: string, text: string): void {
      const edited = shown().find(({ file }) => nameAfter(file.change).path === path);
      if (edited === undefined) return;
      const from = textOfView(edited.view) ?? "";
      changes.edit(edited, text, lineEdits(from, text));
    },
    proposed: (path: string): string | undefined => overlay().files.get(path),
    hunks: (): SetHunk[] => shown().flatMap(hunksOf),
    /** Without names: all that can be. False: one of them is not there any more, and nothing was done. */
    accept(hunks: readonly string[] = all()): boolean {
      const parts = chooseHunks(hunks, shown());
      if (parts === undefined) return false;
      live.apply(parts.map(({ change }) => change));
      const known = changes.kept.proposals.map(({ id, writes }) => [id, writes.length] as const);
      changes.accepted(parts.map((part) => changes.accepting(part)));
      const written = writtenSince(new Map(known), changes.kept.proposals);
      accepted.push(calls.map(({ call }) => call).filter((call) => written.has(call)));
      return true;
    },
    reject(hunks: readonly string[] = all(), reason?: string): boolean {
      const decided = changes.reject(hunks, shown());
      if (decided === undefined) return false;
      for (const call of decided) changes.note(call, { reason });
      return true;
    },
    /** What has become of each change of a call. */
    statuses: (number: number): ReadonlyMap<string, HunkStatus> => changes.statusesOf(`call-${number}`),
    /** What waits and is this call's, as names of hunks. */
    hunksOf: (number: number): string[] =>
      shown().flatMap((each) => changes.hunksOf(new Set([`call-${number}`]), each)),
    rejectCall(number: number): void {
      changes.rejectCall(`call-${number}`);
    },
    /** What was accepted last is taken back, as far as it can be: the codes of the reasons for what stays. */
    undo: (): readonly string[] => reverse((accepted.pop() ?? []).toReversed(), "undone"),
    /** What of a call is in the files is taken back, as far as it can be. */
    undoCall: (number: number): readonly string[] => reverse([`call-${number}`], "undone"),
    /** What was taken back of a call is applied once more. @throws HumanError where it cannot be. */
    acceptAgain(number: number): void {
      reverse([`call-${number}`], "applied");
    },
    /** What the model is told with the next request; once. */
    news(): string[] {
      return calls.flatMap(({ call, paths }, at) => {
        const isRevised = calls
          .slice(at + 1)
          .some((later) => later.paths.some((each) => paths.includes(each)));
        const known = { statuses: changes.statusesOf(call), note: changes.noteOf(call) };
        const news = describeDecision({ call, paths, isRevised, ...known });
        if (news === told.get(call)) return [];
        if (news === undefined) return [];
        told.set(call, news);
        return [news];
      });
    },
  };
}

/** The calls that have written something, beyond so many writes of each proposal. */
const writtenSince = (known: ReadonlyMap<string, number>, proposals: readonly Proposal[]) =>
  new Set(
    proposals.flatMap(({ id, shares, writes }) =>
      writes.slice(known.get(id) ?? 0).flatMap(({ share }) => shares[share]?.call ?? []),
    ),
  );

const nowhere = { ...defaultPathInfo, kind: "nothing", real: "" } as const;

const namesOf = (change: FileChange): string[] =>
  "hunks" in change && change.hunks.length > 0
    ? change.hunks.map((_, hunk) => `${change.file.path}#${hunk + 1}`)
    : [change.file.path];

function hunksOf({ file, view }: ShownProposal): SetHunk[] {
  const { change, problem, conflicts } = file;
  const path = change.kind === "move" ? change.to.path : change.file.path;
  const plain = (lines: readonly string[]) => lines.map((line) => line.replace(/\r?\n$/, ""));
  const hunks = file.hunks.map(({ id, number }): SetHunk => {
    const edit = "edits" in change && number !== undefined ? change.edits[number] : undefined;
    const removed = edit?.removed ?? (change.kind === "delete" ? change.base.text : "");
    const added = edit?.text ?? (change.kind === "add" ? change.text : "");
    return {
      id,
      path,
      removed: plain(linesOf(removed)),
      added: plain(linesOf(added)),
      conflict: problem !== undefined,
    };
  });
  const text = linesOf(view.kind === "text" ? view.shown : "");
  const aside = conflicts.map(
    ({ from, to, theirs }, at): SetHunk => ({
      id: `${file.id}:aside.${at}`,
      path,
      removed: plain(text.slice(from, to)),
      added: plain(theirs),
      conflict: true,
    }),
  );
  return [...hunks, ...aside];
}
