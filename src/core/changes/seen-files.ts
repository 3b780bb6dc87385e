// What is proposed, on the files as they are: each file is looked at once in a turn, and what has stayed the same since is not
// worked out again. Writes nothing and decides nothing.

import { type FileName, plainStanding, type Workspace } from "../patch/model.ts";
import { inSlices, inSteps } from "../util/yield-to-event-loop.ts";
import type { ChangeSetState } from "./change-set-state.ts";
import { freeing, namesOf, see } from "./names-of-proposals.ts";
import { type PendingFile, pendingFile } from "./pending-file.ts";
import type { Stand, Stands } from "./plan-undo.ts";
import {
  type FileState,
  isSameFile,
  keyOf,
  type Live,
  learned,
  overlayOf,
  type Proposal,
  type Seen,
} from "./proposal.ts";
import type { Shown } from "./select-changes.ts";

export interface SeenFilesDeps {
  /** The files as they are, with what is known of each. */
  world(): Workspace;
  /** How many secrets a text holds. */
  secretsIn(text: string): number;
}

interface Derived {
  /** What it was made from. */
  readonly revision: number;
  readonly stands: readonly Stand[];
  readonly frees: string | undefined;
  readonly seen: Seen;
  readonly file: PendingFile | undefined;
}

export class SeenFiles {
  readonly #deps: SeenFilesDeps;
  readonly #state: ChangeSetState;
  /** The files as they were found in this turn. */
  readonly #standing = new Map<string, Stand>();
  readonly #derived = new Map<string, Derived>();

  constructor(deps: SeenFilesDeps, state: ChangeSetState) {
    this.#deps = deps;
    this.#state = state;
  }

  /** The files may be others than a moment ago. */
  forget(): void {
    this.#standing.clear();
  }

  /** All of which something is left to be decided. */
  async shown(): Promise<readonly Shown[]> {
    const stands = await this.#openStands();
    const { open } = this.#state;
    const shown: Shown[] = [];
    const nextStep = inSteps();
    for (const proposal of open) {
      await nextStep();
      const { seen, file } = await this.#see(proposal, stands);
      if (file !== undefined) shown.push({ proposal, seen, file });
    }
    const ids = new Set(open.map(({ id }) => id));
    for (const id of this.#derived.keys()) if (!ids.has(id)) this.#derived.delete(id);
    return shown;
  }

  /** Names at which something else stands for the tools of this session than on the disk. */
  async overlaid(): Promise<readonly (readonly [FileName, FileState])[]> {
    const stands = await this.#openStands();
    const there = new Map<string, readonly [FileName, FileState]>();
    const freed: FileName[] = [];
    for (const proposal of this.#state.open) {
      const overlay = overlayOf(proposal, (await this.#see(proposal, stands)).seen);
      if (overlay === "live") continue;
      const { base } = proposal;
      if (overlay !== undefined) there.set(keyOf(overlay.file), [overlay.file, overlay]);
      if (base !== undefined && (overlay === undefined || !isSameFile(base.file, overlay.file)))
        freed.push(base.file);
    }
    // A name that one of them frees may be another one's by now, whichever of the two came first.
    const gone = freed.filter((file) => !there.has(keyOf(file)));
    return [...there.values(), ...gone.map((file) => [file, undefined] as const)];
  }

  /** These files as they were when they were looked at last. */
  async stands(files: readonly FileName[]): Promise<Stands> {
    const world = this.#deps.world();
    const known = this.#standing;
    const nextStep = inSteps();
    for (const file of files) {
      const key = keyOf(file);
      if (known.has(key)) continue;
      await nextStep();
      known.set(key, await standOf(file, world));
    }
    return (file) => known.get(keyOf(file)) ?? nothing;
  }

  #openStands(): Promise<Stands> {
    return this.stands(this.#state.open.flatMap(namesOf));
  }

  async #see(proposal: Proposal, stands: Stands): Promise<Derived> {
    const { revision } = proposal;
    const now = namesOf(proposal).map((file) => stands(file));
    const frees = freeing(proposal, this.#state, stands)?.id;
    const known = this.#derived.get(proposal.id);
    const isKnown = known?.revision === revision && known.frees === frees && areAlike(known.stands, now);
    if (isKnown) return known;
    const [live = nothing, target = live] = now;
    await inSlices()(learned(proposal, live.live));
    const { seen, requires } = see(proposal, this.#state, stands);
    const looked = { seen, live: live.standing, target: target.standing };
    const { secretsIn } = this.#deps;
    const file = await inSlices()(pendingFile(proposal, looked, requires, { known: known?.file, secretsIn }));
    const derived = { revision, stands: now, frees, seen, file };
    this.#derived.set(proposal.id, derived);
    return derived;
  }
}

export const nothing: Stand = {
  live: { kind: "nothing" },
  standing: { ...plainStanding, kind: "nothing", real: "" },
};

const areAlike = (before: readonly Stand[], now: readonly Stand[]): boolean =>
  before.length === now.length && before.every((one, at) => isAlike(one, now[at]));

/** Whether both lead to the same text and the same decisions; how they came about doesn't matter. */
function isAlike(one: Stand, other: Stand | undefined): boolean {
  if (one === other) return true;
  if (other === undefined || one.live.kind !== other.live.kind) return false;
  if (one.live.kind === "text" && other.live.kind === "text" && one.live.text !== other.live.text)
    return false;
  return decisive.every((name) => one.standing[name] === other.standing[name]);
}

const decisive = [
  ...(["kind", "real", "link", "names"] as const),
  ...(["writable", "guarded", "protection", "ignored"] as const),
];

export async function standOf(file: FileName, world: Workspace): Promise<Stand> {
  if (!world.folders.includes(file.folder)) return { ...nothing, live: { kind: "other" } };
  const standing = await world.look(file);
  if (standing.kind === "nothing") return { live: { kind: "nothing" }, standing };
  const reading = standing.kind === "file" ? await world.read(file).catch(() => undefined) : undefined;
  const live: Live = reading?.kind === "text" ? { kind: "text", text: reading.text } : { kind: "other" };
  return { live, standing };
}
