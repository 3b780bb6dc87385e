// All proposals of a session in their order, found by their id, by the name that they lead to and by the one they begin at.
// What is open is known as they change: a patch over a thousand files asks for each of them.
import type { FileName } from "../patch/model.ts";
import { isOpen, keyOf, type Proposal } from "./proposal.ts";

export class Proposals {
  readonly #all: Proposal[] = [];
  readonly #places = new Map<string, number>();
  readonly #leading = new PlacesByName();
  readonly #beginning = new PlacesByName();
  readonly #open = new Map<string, Proposal>();
  /** Known until one of them changes. */
  #listed: readonly Proposal[] | undefined;

  constructor(all: readonly Proposal[] = []) {
    for (const each of all) this.put(each);
  }

  /** As they are now, whatever comes. */
  get all(): readonly Proposal[] {
    return [...this.#all];
  }

  /** Those in which something may wait for a decision. */
  get open(): readonly Proposal[] {
    this.#listed ??= [...this.#open.values()];
    return this.#listed;
  }

  /** Those after which a file would have this name, or, where they delete it, has it no more. */
  leadingTo(file: FileName): readonly Proposal[] {
    return this.#leading.at(file).flatMap((place) => this.#all[place] ?? []);
  }

  /** Those of the open ones that were built on what stands at this name. */
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

  /** In the place of the one with its id, or behind all others. */
  put(next: Proposal): void {
    const place = this.#places.get(next.id) ?? this.#all.length;
    const before = this.#all[place];
    this.#all[place] = next;
    this.#places.set(next.id, place);
    this.#leading.move(place, before?.proposed ?? before?.base, next.proposed ?? next.base);
    this.#beginning.move(place, before?.base, next.base);
    if (isOpen(next)) this.#open.set(next.id, next);
    else this.#open.delete(next.id);
    this.#listed = undefined;
  }
}

/** Places in a list by the names of files, rising. */
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
