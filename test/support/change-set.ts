// A change set over files in memory, for corpora: what is proposed, typed, accepted, rejected and taken back, step by step
// and without waiting. It uses the product's own rules and keeps nothing.

import { ChangeSetState } from "../../src/core/changes/change-set-state.ts";
import { memoryChangeStore } from "../../src/core/changes/kept-changes.ts";
import { see } from "../../src/core/changes/names-of-proposals.ts";
import { pendingFile } from "../../src/core/changes/pending-file.ts";
import type { Stand, Stands } from "../../src/core/changes/plan-undo.ts";
import { isSameFile, overlayOf } from "../../src/core/changes/proposal.ts";
import { choose, type Shown } from "../../src/core/changes/select-changes.ts";
import { Texts } from "../../src/core/changes/text-store.ts";
import { linesOf } from "../../src/core/diff/diff-lines.ts";
import { merge3 as mergeTexts } from "../../src/core/diff/merge.ts";
import { takeOutSecrets } from "../../src/core/files/secrets.ts";
import { nameAfter } from "../../src/core/patch/edits.ts";
import { type FileChange, type FileName, plainStanding } from "../../src/core/patch/model.ts";
import { PatchError } from "../../src/core/patch/patch-error.ts";
import { planPatch } from "../../src/core/patch/plan.ts";
import { newsOf } from "../../src/core/turn/tell-decisions.ts";
import { atOnce } from "../../src/core/util/yield-to-event-loop.ts";
import { MemoryWorkspace } from "./memory-workspace.ts";

export function merge3(base: string, mine: string, theirs: string): { text: string; conflicts: number } {
  const { text, conflicts } = mergeTexts(base, mine, theirs);
  return { text, conflicts: conflicts.length };
}

export interface SetHunk {
  readonly id: string;
  readonly path: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** The file and the proposal have changed the same lines, or the file is in the way. */
  readonly conflict: boolean;
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

  const stands: Stands = ({ path }): Stand => {
    const text = live.files.get(path);
    const standing = {
      ...plainStanding,
      kind: text === undefined ? "nothing" : "file",
      real: path,
      bytes: text?.length ?? 0,
    } as const;
    return { live: text === undefined ? { kind: "nothing" } : { kind: "text", text }, standing };
  };

  function shown(): Shown[] {
    return changes.open.flatMap((proposal) => {
      const { seen, requires } = see(proposal, changes, stands);
      const at = (file: FileName | undefined) => (file === undefined ? nowhere : stands(file).standing);
      const looked = { seen, live: at(proposal.base?.file), target: at(proposal.proposed?.file) };
      const file = atOnce(
        pendingFile(proposal, looked, requires, { secretsIn: (text) => takeOutSecrets(text).removed }),
      );
      return file === undefined ? [] : [{ proposal, seen, file }];
    });
  }

  function overlay(): MemoryWorkspace {
    const world = new MemoryWorkspace(Object.fromEntries(live.files));
    const states = changes.open.map((proposal) => ({
      proposal,
      state: overlayOf(proposal, see(proposal, changes, stands).seen),
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
    live: (path: string): string | undefined => live.files.get(path),
    /** The file as a person has it from now on. */
    type(path: string, text: string): void {
      live.files.set(path, text);
    },
    /** A person has made this of the proposed text. */
    edit(path: string, text: string): void {
      const edited = shown().find(({ file }) => nameAfter(file.change).path === path);
      if (edited !== undefined) changes.edit(edited, text);
    },
    proposed: (path: string): string | undefined => overlay().files.get(path),
    hunks: (): SetHunk[] => shown().flatMap(hunksOf),
    /** Without names: all that can be. False: one of them is not there any more, and nothing was done. */
    accept(hunks: readonly string[] = all()): boolean {
      const parts = choose(hunks, shown());
      if (parts === undefined) return false;
      live.apply(parts.map(({ change }) => change));
      const decided = changes.accepted(parts);
      accepted.push(calls.map(({ call }) => call).filter((call) => decided.has(call)));
      return true;
    },
    reject(hunks: readonly string[] = all(), reason?: string): boolean {
      const decided = changes.reject(hunks, shown());
      if (decided === undefined) return false;
      for (const call of decided) changes.note(call, { reason });
      return true;
    },
    rejectCall(number: number): void {
      changes.rejectCall(`call-${number}`);
    },
    /** What was accepted last is taken back. @throws HumanError where it cannot be. */
    undo(): void {
      for (const call of (accepted.pop() ?? []).toReversed()) {
        const way = changes.wayOf(call, "undone", stands, ({ path }) => path);
        live.apply(way);
        changes.turnedRound(call, "undone", way);
      }
    },
    /** What the model is told with the next request; once. */
    news(): string[] {
      return calls.flatMap(({ call, paths }) => {
        const news = newsOf({ call, paths, fates: changes.fatesOf(call), note: changes.noteOf(call) });
        if (news === told.get(call)) return [];
        if (news === undefined) return [];
        told.set(call, news);
        return [news];
      });
    },
  };
}

const nowhere = { ...plainStanding, kind: "nothing", real: "" } as const;

const namesOf = (change: FileChange): string[] =>
  "hunks" in change && change.hunks.length > 0
    ? change.hunks.map((_, hunk) => `${change.file.path}#${hunk + 1}`)
    : [change.file.path];

function hunksOf({ file, seen }: Shown): SetHunk[] {
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
  const text = linesOf(seen.kind === "text" ? seen.shown : "");
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
