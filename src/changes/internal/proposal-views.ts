// Derives the views of proposals from the files. Each file is read once per operation, and views whose inputs are
// unchanged are reused. Writes nothing and decides nothing.
import type { Message } from "../../conversation/messages.ts";
import { lineEdits, nameAfter } from "../../patch/edits.ts";
import { defaultPathInfo, type FileName, type Workspace } from "../../patch/model.ts";
import { printPatch } from "../../patch/print-patch.ts";
import { createYieldPoint, inBatches } from "../../util/concurrency.ts";
import { type PendingFile, type PendingQuestion, pendingFiles } from "../pending-changes.ts";
import type { PathLookup, PathState } from "../plan-undo.ts";
import {
  type FileState,
  isSameFile,
  keyOf,
  overlayOf,
  type PathContent,
  type Proposal,
  type ProposalView,
  textOfView,
  warmCache,
} from "../proposal.ts";
import type { ChosenChange, ShownProposal } from "./accept-files.ts";
import type { ChangeSetState } from "./change-set-state.ts";
import { findFreeingProposal, pathsOf, viewProposal } from "./proposal-index.ts";

export interface ProposalViewDeps {
  /** The files as they are, with their permissions and paths. */
  world(): Workspace;
  /** Whether the workspace is trusted. Files that could not be written in Restricted Mode can be once it is. */
  isTrusted?(): boolean;
}

/** What a view is derived from. */
interface Inputs {
  readonly proposal: Proposal;
  readonly stands: readonly PathState[];
  readonly frees: string | undefined;
  readonly refused: Message | undefined;
}

interface Derived extends Inputs {
  readonly view: ProposalView;
  readonly file: PendingFile | undefined;
}

export class ProposalViews {
  readonly #deps: ProposalViewDeps;
  readonly #state: ChangeSetState;
  /** The files as they were read in this operation. */
  readonly #standing = new Map<string, PathState>();
  readonly #derived = new Map<string, Derived>();

  constructor(deps: ProposalViewDeps, state: ChangeSetState) {
    this.#deps = deps;
    this.#state = state;
  }

  /** Discards the files read so far, as they may have changed. */
  forget(): void {
    this.#standing.clear();
  }

  /** All proposals with something left to decide. */
  async shown(): Promise<readonly ShownProposal[]> {
    const lookUp = await this.#lookUpOpen();
    const { open } = this.#state;
    const shown: ShownProposal[] = [];
    for (const { proposal, view, file } of await this.#see(open, lookUp))
      if (file !== undefined) shown.push({ proposal, view, file });
    const ids = new Set(open.map(({ id }) => id));
    for (const id of this.#derived.keys()) if (!ids.has(id)) this.#derived.delete(id);
    this.#state.refusals.keepOnly(ids);
    return shown;
  }

  /** File names whose content differs between the overlay of this session and the disk. */
  async overlaid(): Promise<readonly (readonly [FileName, FileState])[]> {
    const lookUp = await this.#lookUpOpen();
    const there = new Map<string, readonly [FileName, FileState]>();
    const freed: FileName[] = [];
    for (const { proposal, view } of await this.#see(this.#state.open, lookUp)) {
      const overlay = overlayOf(proposal, view);
      if (overlay === "live") continue;
      const { base } = proposal;
      if (overlay !== undefined) there.set(keyOf(overlay.file), [overlay.file, overlay]);
      if (base !== undefined && (overlay === undefined || !isSameFile(base.file, overlay.file)))
        freed.push(base.file);
    }
    // A name that one proposal frees may be taken by another, in whichever order they come.
    const gone = freed.filter((file) => !there.has(keyOf(file)));
    return [...there.values(), ...gone.map((file) => [file, undefined] as const)];
  }

  /** The state of these files when they were last read. */
  async lookUp(files: readonly FileName[]): Promise<PathLookup> {
    const world = this.#deps.world();
    const known = this.#standing;
    const unknown = new Map(files.map((file) => [keyOf(file), file]));
    for (const key of known.keys()) unknown.delete(key);
    const nextStep = createYieldPoint();
    await inBatches([...unknown], async ([key, file]) => {
      await nextStep();
      known.set(key, await readPathState(file, world));
    });
    return (file) => known.get(keyOf(file)) ?? absentPath;
  }

  #lookUpOpen(): Promise<PathLookup> {
    return this.lookUp(this.#state.open.flatMap(pathsOf));
  }

  /** The proposals as they are seen on the files now, in their order. */
  async #see(proposals: readonly Proposal[], lookUp: PathLookup): Promise<readonly Derived[]> {
    const seen: (Derived | undefined)[] = [];
    const news: (PendingQuestion & Omit<Derived, "file" | "view"> & { readonly at: number })[] = [];
    const nextStep = createYieldPoint();
    for (const [at, proposal] of proposals.entries()) {
      await nextStep();
      const inputs = this.#inputsOf(proposal, lookUp);
      const known = this.#derived.get(proposal.id);
      if (known !== undefined && areSameInputs(known, inputs)) {
        seen[at] = known.proposal === proposal ? known : { ...known, proposal };
        continue;
      }
      const [live = absentPath, target = live] = inputs.stands;
      await warmCache(proposal, live.live);
      const { view, requires } = viewProposal(proposal, this.#state, lookUp);
      const viewed = { view, live: live.info, target: target.info };
      news.push({ ...inputs, at, viewed, requires, known: known?.file });
    }
    const files = await pendingFiles(news);
    for (const [number, { at, proposal, stands, frees, refused, viewed, requires }] of news.entries()) {
      const found = files[number];
      const isMet = refused?.code === "changeNeeds" && requires.length === 0;
      const file = found && { ...found, refused: isMet ? undefined : refused };
      const derived = { proposal, stands, frees, refused, view: viewed.view, file };
      this.#derived.set(proposal.id, derived);
      seen[at] = derived;
    }
    return seen.filter((each) => each !== undefined);
  }

  #inputsOf(proposal: Proposal, lookUp: PathLookup): Inputs {
    const stands = pathsOf(proposal).map((file) => lookUp(file));
    const frees = findFreeingProposal(proposal, this.#state, lookUp)?.id;
    const why = this.#state.refusals.whyOf(proposal.id, proposal.revision, stands);
    const isLifted = why?.code === "editsRestricted" && this.#deps.isTrusted?.() === true;
    return { proposal, stands, frees, refused: isLifted ? undefined : why };
  }
}

const areSameInputs = (known: Inputs, now: Inputs): boolean =>
  known.proposal.revision === now.proposal.revision &&
  known.frees === now.frees &&
  known.refused === now.refused &&
  areAlike(known.stands, now.stands);

export const absentPath: PathState = {
  live: { kind: "nothing" },
  info: { ...defaultPathInfo, kind: "nothing", real: "" },
};

const areAlike = (before: readonly PathState[], now: readonly PathState[]): boolean =>
  before.length === now.length && before.every((one, at) => isAlike(one, now[at]));

/** Whether both lead to the same text and the same decisions, however they came about. */
function isAlike(one: PathState, other: PathState | undefined): boolean {
  if (one === other) return true;
  if (other === undefined || one.live.kind !== other.live.kind) return false;
  if (one.live.kind === "text" && other.live.kind === "text" && one.live.text !== other.live.text)
    return false;
  return decisive.every((name) => one.info[name] === other.info[name]);
}

const decisive = [
  ...(["kind", "real", "link", "names"] as const),
  ...(["writable", "guarded", "protection", "ignored"] as const),
];

export async function readPathState(file: FileName, world: Workspace): Promise<PathState> {
  if (!world.folders.includes(file.folder)) return { ...absentPath, live: { kind: "other" } };
  const standing = await world.look(file);
  if (standing.kind === "nothing") return { live: { kind: "nothing" }, info: standing };
  const reading = standing.kind === "file" ? await world.read(file).catch(() => undefined) : undefined;
  const live: PathContent =
    reading?.kind === "text" ? { kind: "text", text: reading.text } : { kind: "other" };
  return { live, info: standing };
}

export interface EditedByPersonDeps {
  /** The displayed name of a file. */
  nameOf(file: FileName): string;
  /** Removes what the model must not read from a file's text. */
  redact(text: string): Promise<string>;
}

/**
 * What a person has edited in a proposed text, as a patch to the model's version; the model gets it with its next
 * message. Returns the difference and the last call whose text was edited; undefined if the person changed nothing.
 */
export async function editedByPerson(
  { proposal: { edited, shares }, view, change }: ChosenChange,
  { nameOf, redact }: EditedByPersonDeps,
): Promise<{ readonly call: string; readonly difference: string } | undefined> {
  const shown = textOfView(view);
  const call = (shares.findLast((share) => share.edited === true) ?? shares.at(-1))?.call;
  if (edited === undefined || shown === undefined || call === undefined || edited === shown) return undefined;
  const [from, to] = [await redact(edited), await redact(shown)];
  const file = nameAfter(change);
  const permission = { verdict: "allow", reasons: [], real: file.path } as const;
  const base = { text: from, sha256: "", version: undefined };
  const update = { kind: "update", file, permission, base, edits: lineEdits(from, to), hunks: [] } as const;
  return { call, difference: printPatch([update], nameOf) };
}
