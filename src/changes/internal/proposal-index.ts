// The ordered proposals of a session, indexed by id and by the names they lead to and start from. Which ones are open
// is tracked incrementally, because a patch over a thousand files asks for each of them.
import type { FileName } from "../../patch/model.ts";
import { permissionFor } from "../../patch/paths.ts";
import type { PathLookup } from "../plan-undo.ts";
import { deriveView, isOpen, isSameFile, keyOf, type Proposal, type ProposalView } from "../proposal.ts";

export class Proposals {
  readonly #all: Proposal[] = [];
  readonly #places = new Map<string, number>();
  readonly #leading = new PlacesByName();
  readonly #beginning = new PlacesByName();
  readonly #open = new Map<string, Proposal>();
  /** Cached until a proposal changes. */
  #listed: readonly Proposal[] | undefined;

  constructor(all: readonly Proposal[] = []) {
    for (const each of all) this.put(each);
  }

  /** A snapshot, unaffected by later changes. */
  get all(): readonly Proposal[] {
    return [...this.#all];
  }

  /** Proposals with undecided changes. */
  get open(): readonly Proposal[] {
    this.#listed ??= [...this.#open.values()];
    return this.#listed;
  }

  /** Proposals whose result has this name or deletes the file of this name. */
  leadingTo(file: FileName): readonly Proposal[] {
    return this.#leading.at(file).flatMap((place) => this.#all[place] ?? []);
  }

  /** The open proposals whose base has this name. */
  openOn(file: FileName): readonly Proposal[] {
    const found = this.#beginning.at(file).flatMap((place) => this.#all[place] ?? []);
    return found.filter((each) => this.isOpen(each));
  }

  find(id: string): Proposal | undefined {
    return this.#all[this.#places.get(id) ?? -1];
  }

  isOpen({ id }: Proposal): boolean {
    return this.#open.has(id);
  }

  /** Replaces the proposal with the same id, or appends it, and returns it. */
  put(next: Proposal): Proposal {
    const place = this.#places.get(next.id) ?? this.#all.length;
    const before = this.#all[place];
    this.#all[place] = next;
    this.#places.set(next.id, place);
    this.#leading.move(place, before?.proposed ?? before?.base, next.proposed ?? next.base);
    this.#beginning.move(place, before?.base, next.base);
    if (isOpen(next)) this.#open.set(next.id, next);
    else this.#open.delete(next.id);
    this.#listed = undefined;
    return next;
  }
}

/** Ascending positions in a list by file name. */
class PlacesByName {
  readonly #places = new Map<string, number[]>();

  at(file: FileName): readonly number[] {
    return this.#places.get(keyOf(file)) ?? [];
  }

  move(place: number, from: Named, to: Named): void {
    const [before, after] = [from, to].map((named) => named && keyOf(named.file));
    if (before === after) return;
    const others = (name: string) => (this.#places.get(name) ?? []).filter((each) => each !== place);
    if (before !== undefined) this.#places.set(before, others(before));
    if (after !== undefined)
      this.#places.set(
        after,
        [...others(after), place].sort((one, other) => one - other),
      );
  }
}

type Named = { readonly file: FileName } | undefined;

// The file names that proposals take and free. A proposal may depend on another one that moves or deletes the file at
// its name, which also affects its view.

/** Proposals with undecided changes. */
export interface OpenProposals {
  readonly open: readonly Proposal[];
  /** The open proposals whose base has this name. */
  openOn(file: FileName): readonly Proposal[];
}

/** The file names that determine the view of a proposal: its current one and the proposed one. */
export function pathsOf({ base, proposed }: Proposal): readonly FileName[] {
  if (base === undefined) return proposed === undefined ? [] : [proposed.file];
  const stays = proposed === undefined || isSameFile(base.file, proposed.file);
  return stays ? [base.file] : [base.file, proposed.file];
}

/** The proposals that rename a file. */
export function movesIn(
  proposals: readonly Proposal[],
): { readonly file: FileName; readonly to: FileName }[] {
  return proposals.flatMap(({ base, proposed }) => {
    const isMove = base !== undefined && proposed !== undefined && !isSameFile(base.file, proposed.file);
    return isMove ? [{ file: base.file, to: proposed.file }] : [];
  });
}

/** Returns the view of a proposal and the ids of those that must be accepted first, because they free its name. */
export function viewProposal(
  proposal: Proposal,
  among: OpenProposals,
  lookUp: PathLookup,
): { readonly view: ProposalView; readonly requires: readonly string[] } {
  const { base, proposed } = proposal;
  const nobody = { kind: "nothing" } as const;
  const live = base === undefined ? nobody : lookUp(base.file).live;
  if (proposed === undefined) return { view: deriveView(proposal, live, nobody), requires: [] };
  const frees = findFreeingProposal(proposal, among, lookUp);
  return frees === undefined
    ? { view: deriveView(proposal, live, lookUp(proposed.file).live), requires: [] }
    : { view: deriveView(proposal, live, nobody), requires: [frees.id] };
}

/**
 * Finds the proposal that must come first because it frees the name of this one. `asking` holds the ids already being
 * resolved. In a cycle each counts as fitting: the patch that closes the cycle is refused as a whole.
 */
export function findFreeingProposal(
  proposal: Proposal,
  among: OpenProposals,
  lookUp: PathLookup,
  asking: Set<string> = new Set(),
): Proposal | undefined {
  const { id, base, proposed } = proposal;
  if (proposed === undefined || (base !== undefined && isSameFile(base.file, proposed.file)))
    return undefined;
  if (lookUp(proposed.file).live.kind === "nothing") return undefined;
  asking.add(id);
  return among.openOn(proposed.file).find((each) => each.id !== id && isLetIn(each, among, lookUp, asking));
}

/** Whether the proposal removes its file from its name and nothing prevents that. */
function isLetIn(proposal: Proposal, among: OpenProposals, lookUp: PathLookup, asking: Set<string>): boolean {
  const { id, base, proposed } = proposal;
  if (base === undefined || (proposed !== undefined && isSameFile(proposed.file, base.file))) return false;
  const isDenied = (file: FileName) => permissionFor(file, lookUp(file).info).verdict === "deny";
  if (pathsOf(proposal).some(isDenied)) return false;
  const { live } = lookUp(base.file);
  if (live.kind !== "text") return false;
  // A deletion that conflicts with the file frees nothing.
  if (proposed === undefined) return live.text === base.text;
  const isFree = lookUp(proposed.file).live.kind === "nothing";
  return isFree || asking.has(id) || findFreeingProposal(proposal, among, lookUp, asking) !== undefined;
}
