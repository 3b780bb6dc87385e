// Saves a change set even if the disk fails. While the disk refuses writes, work continues in memory and is saved once
// writing succeeds; when storage is full, the oldest decided changes are dropped first. Decides nothing itself.

import type { Mutex } from "../../util/concurrency.ts";
import type { Log } from "../../util/log.ts";
import type { ChangeFile, Intention, Texts } from "../change-store.ts";
import { pendingFiles } from "../pending-changes.ts";
import { deriveView, isSameFile, type PathContent } from "../proposal.ts";
import { type ChosenChange, chooseHunks } from "./accept-files.ts";
import type { ChangeSetState } from "./change-set-state.ts";
import { absentPath, type ProposalViewDeps, readPathState } from "./proposal-views.ts";

export interface ChangeSaverDeps {
  readonly log: Log;
  /** Whether an error of the store means that its quota is used up and it would accept nothing more. */
  isFull(error: unknown): boolean;
}

const retryEvery = 5000;

export class ChangeSaver {
  readonly #file: Pick<ChangeFile, "write" | "tidy">;
  readonly #state: Pick<ChangeSetState, "kept" | "forgetDecided">;
  readonly #oneByOne: Mutex;
  readonly #deps: ChangeSaverDeps;
  /** The last write failed. */
  #isUnsaved = false;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** `oneByOne`: the mutex under which the set is changed; later retries run in it too. */
  constructor(
    file: Pick<ChangeFile, "write" | "tidy">,
    state: Pick<ChangeSetState, "kept" | "forgetDecided">,
    oneByOne: Mutex,
    deps: ChangeSaverDeps,
  ) {
    this.#file = file;
    this.#state = state;
    this.#oneByOne = oneByOne;
    this.#deps = deps;
  }

  /** @throws if there is no room even after dropping old decided changes. */
  async save(): Promise<void> {
    clearTimeout(this.#retry);
    try {
      await this.#write();
      this.#isUnsaved = false;
    } catch (error) {
      if (this.#deps.isFull(error)) throw error;
      this.#saveLater(error);
    }
  }

  /** What nothing refers to any more is deleted before anything is forgotten. */
  async #write(): Promise<void> {
    for (let isTidy = false; ; isTidy = true) {
      try {
        return await this.#file.write(this.#state.kept);
      } catch (error) {
        if (!this.#deps.isFull(error)) throw error;
        if (isTidy && !this.#state.forgetDecided()) throw error;
      }
      await this.#file.tidy(this.#state.kept);
    }
  }

  /** Retries a failed write once, for the last time. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#saveAgain();
  }

  /** The disk refuses all writes for now; the conversation says so. */
  #saveLater(error: unknown): void {
    if (!this.#isUnsaved) this.#deps.log.error("Proposed changes could not be saved.", error);
    this.#isUnsaved = true;
    if (!this.#isClosed)
      this.#retry = setTimeout(() => void this.#oneByOne(() => this.#saveAgain()), retryEvery).unref();
  }

  async #saveAgain(): Promise<void> {
    clearTimeout(this.#retry);
    if (!this.#isUnsaved) return;
    await this.save().catch((error: unknown) =>
      this.#deps.log.error("Proposed changes could not be saved.", error),
    );
  }
}

type KeptFile = Intention["files"][number];

/**
 * Resolves a write that was interrupted when its window closed. The content of each file tells whether it was written:
 * those that were are accepted, the others stay pending, and that they belonged together is remembered. Writes and
 * repeats nothing. Returns the calls that this decides or that were part of the write.
 */
export async function settleInterrupted(
  { files }: Intention,
  state: ChangeSetState,
  texts: Texts,
  deps: ProposalViewDeps,
): Promise<ReadonlySet<string>> {
  const parts: ChosenChange[] = [];
  const left: KeptFile[] = [];
  for (const each of files) {
    const part = await writtenPart(each, state, texts, deps);
    if (part === undefined) left.push(each);
    else parts.push(part);
  }
  const calls = new Set(state.accepted(parts.map((part) => state.accepting(part))));
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
  { world }: ProposalViewDeps,
): Promise<ChosenChange | undefined> {
  const [before, after] = [texts.stateOf(keptBefore), texts.stateOf(keptAfter)];
  const proposal = state.open.find((each) => each.id === id);
  if (proposal === undefined || before === "gone" || after === "gone") return undefined;
  const file = (after ?? before)?.file;
  if (file === undefined) return undefined;
  const { live } = await readPathState(file, world());
  const isWritten =
    after === undefined ? live.kind === "nothing" : live.kind === "text" && live.text === after.text;
  if (!isWritten) return undefined;
  const then: PathContent = before === undefined ? { kind: "nothing" } : { kind: "text", text: before.text };
  const isMove = before !== undefined && after !== undefined && !isSameFile(before.file, after.file);
  const seen = deriveView(proposal, then, isMove ? { kind: "nothing" } : then);
  const looked = { view: seen, live: absentPath.info, target: absentPath.info };
  const [pending] = await pendingFiles([{ proposal, viewed: looked, requires: [] }]);
  return pending && chooseHunks(hunks, [{ proposal, view: seen, file: pending }])?.[0];
}
