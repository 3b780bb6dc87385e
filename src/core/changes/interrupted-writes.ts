// A window went away while files were written: each of them tells whether it was. Those that were are accepted, the others
// wait on, and it is known that one thing was meant. Nothing is written or repeated.
import { inSlices } from "../util/yield-to-event-loop.ts";
import type { ChangeSetState } from "./change-set-state.ts";
import type { Intention } from "./kept-changes.ts";
import { pendingFile } from "./pending-file.ts";
import { isSameFile, type Live, seenOf } from "./proposal.ts";
import { nothing, type SeenFilesDeps, standOf } from "./seen-files.ts";
import { choose, type Part } from "./select-changes.ts";
import type { Texts } from "./text-store.ts";

type KeptFile = Intention["files"][number];

/** The calls that this decides, or that were to be written with them. */
export async function settleInterrupted(
  { files }: Intention,
  state: ChangeSetState,
  texts: Texts,
  deps: SeenFilesDeps,
): Promise<ReadonlySet<string>> {
  const parts: Part[] = [];
  const left: KeptFile[] = [];
  for (const each of files) {
    const part = await writtenPart(each, state, texts, deps);
    if (part === undefined) left.push(each);
    else parts.push(part);
  }
  const calls = new Set(state.accepted(parts));
  if (parts.length > 0 && left.length > 0) {
    for (const { proposal } of left) for (const call of state.callsWaitingIn(proposal)) calls.add(call);
    const hunks = left.flatMap((each) => each.hunks);
    state.halfWritten = { written: parts.length, all: files.length, calls: [...calls], hunks };
  }
  return calls;
}

async function writtenPart(
  { proposal: id, hunks, before: keptBefore, after: keptAfter }: KeptFile,
  state: ChangeSetState,
  texts: Texts,
  { world, secretsIn }: SeenFilesDeps,
): Promise<Part | undefined> {
  const [before, after] = [texts.stateOf(keptBefore), texts.stateOf(keptAfter)];
  const proposal = state.open.find((each) => each.id === id);
  if (proposal === undefined || before === "gone" || after === "gone") return undefined;
  const file = (after ?? before)?.file;
  if (file === undefined) return undefined;
  const { live } = await standOf(file, world());
  const isWritten =
    after === undefined ? live.kind === "nothing" : live.kind === "text" && live.text === after.text;
  if (!isWritten) return undefined;
  const then: Live = before === undefined ? { kind: "nothing" } : { kind: "text", text: before.text };
  const isMove = before !== undefined && after !== undefined && !isSameFile(before.file, after.file);
  const seen = seenOf(proposal, then, isMove ? { kind: "nothing" } : then);
  const looked = { seen, live: nothing.standing, target: nothing.standing };
  const pending = await inSlices()(pendingFile(proposal, looked, [], { secretsIn }));
  return pending && choose(hunks, [{ proposal, seen, file: pending }])?.[0];
}
