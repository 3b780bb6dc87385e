// What the latest response claims of the changes that wait, and the facts about them: from the conversation, the pending
// changes and the results of checks. Reading a response is done once; setting it against facts whenever they change.
import type { PendingFile } from "../changes/pending-changes.ts";
import type { CheckResult } from "../checks/check-result.ts";
import type { PatchPart, Turn } from "../conversation/state.ts";
import type { FileName } from "../patch/model.ts";
import type { RiskFlag } from "../risk/flags.ts";
import {
  type ChangeFact,
  type Claim,
  checkFactOf,
  type FoundClaims,
  findClaims,
  judgeClaims,
  type ReferenceFact,
} from "./claims.ts";
import { lastParagraphs } from "./internal/own-words.ts";

export interface ResponseFacts {
  readonly turns: readonly Turn[];
  readonly pending: readonly PendingFile[];
  readonly results: readonly CheckResult[];
  /** As far as they were counted. */
  readonly references?: readonly ReferenceFact[];
  /** The displayed path of a file. */
  nameOf(file: FileName): string;
}

/** Claims stand near the end of a response; no more letters of it are read. */
const longest = 32_768;

/** The claims of the response that has made the last pending change, and of those after it. */
export function claimsOfResponse(given: ResponseFacts): readonly Claim[] {
  const { turns, pending, results, references = [] } = given;
  if (pending.length === 0 || turns.at(-1)?.status === "running") return [];
  const calls = new Set(pending.flatMap((file) => file.calls));
  const at = turns.findLastIndex((turn) => patchesOf(turn).some(({ call }) => calls.has(call)));
  if (at < 0) return [];
  const checks = results.map(checkFactOf);
  let facts = { checks, changes: changesOf(patchesOf(turns[at]), given), references };
  const claims = turns.slice(at).flatMap((turn, after) => {
    const patches = patchesOf(turn);
    // It speaks of its own changes, none of which is pending any more; so do those after it.
    if (after > 0 && patches.length > 0)
      facts = { checks, changes: changesOf(patches, given), references: [] };
    return judgeClaims(claimsIn(turn), facts);
  });
  return claims.sort(contradictedFirst);
}

const contradictedFirst = (one: Claim, other: Claim): number =>
  Number(other.verdict === "contradicted") - Number(one.verdict === "contradicted");

const patchesOf = (turn: Turn | undefined): readonly PatchPart[] =>
  (turn?.parts ?? []).filter((part) => part.type === "patch");

/** Turns are replaced when they change. */
const known = new WeakMap<Turn, FoundClaims>();

function claimsIn(turn: Turn): FoundClaims {
  const before = known.get(turn);
  if (before !== undefined) return before;
  const text = turn.parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n\n");
  const found = findClaims(lastParagraphs(text, longest));
  known.set(turn, found);
  return found;
}

/** What has never been in the files, and never will, is no change of the response. */
const dropped: ReadonlySet<PatchPart["status"]> = new Set(["failed", "stopped", "lost", "arriving"]);

function changesOf(patches: readonly PatchPart[], { pending, nameOf }: ResponseFacts): readonly ChangeFact[] {
  const own = new Set(patches.map(({ call }) => call));
  const waiting = new Map<string, PendingFile>();
  for (const file of pending) {
    waiting.set(nameOf(file.change.file), file);
    if (file.change.kind === "move") waiting.set(nameOf(file.change.to), file);
  }
  const all = new Map<string, ChangeFact>();
  for (const { status, files } of patches) {
    if (dropped.has(status)) continue;
    for (const { path, to, change: kind, added, removed, hunks } of files) {
      const before = all.get(path);
      // What a later call of the response has replaced was never in the file.
      const isWhole = hunks.every(({ status: own }) => own === "pending" || own === "replaced");
      const file = waiting.get(path);
      const isOwn = file?.calls.every((call) => own.has(call)) === true && !file.isEdited;
      // What an earlier call has changed in it is not in what waits, if that was decided.
      const isKnown = before === undefined || before.flags !== undefined;
      const flags: readonly (readonly RiskFlag[])[] | undefined =
        file !== undefined && isOwn && isWhole && isKnown ? file.hunks.map((hunk) => hunk.flags) : undefined;
      all.set(path, {
        path,
        kind: before?.kind === "add" ? "add" : kind,
        added: added + (before?.added ?? 0),
        removed: removed + (before?.removed ?? 0),
        ...(to !== undefined && { to }),
        ...(flags !== undefined && { flags }),
      });
    }
  }
  return [...all.values()];
}
