// All proposals of a session in their order, found by their id and by the name that they lead to. What is open is known as
// they change: a patch over a thousand files asks for each of them.
import type { FileName } from "../patch/model.ts";
import { isOpen, keyOf, type Proposal } from "./proposal.ts";

export class Proposals {
  readonly #all: Proposal[] = [];
  readonly #places = new Map<string, number>();
  /** Places by name, rising. */
  readonly #leading = new Map<string, number[]>();
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
    return (this.#leading.get(keyOf(file)) ?? []).flatMap((place) => this.#all[place] ?? []);
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
    const [before, after] = [this.#all[place], next].map(nameOf);
    this.#all[place] = next;
    this.#places.set(next.id, place);
    if (before !== after) {
      if (before !== undefined)
        this.#leading.set(
          before,
          this.#at(before).filter((each) => each !== place),
        );
      if (after !== undefined)
        this.#leading.set(
          after,
          [...this.#at(after), place].sort((one, other) => one - other),
        );
    }
    if (isOpen(next)) this.#open.set(next.id, next);
    else this.#open.delete(next.id);
    this.#listed = undefined;
  }

  #at(name: string): readonly number[] {
    return this.#leading.get(name) ?? [];
  }
}

function nameOf(proposal: Proposal | undefined): string | undefined {
  const file = (proposal?.proposed ?? proposal?.base)?.file;
  return file && keyOf(file);
}
