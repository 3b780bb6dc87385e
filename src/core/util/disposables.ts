// Owns things that live and must end. A late `add` to an ended store ends the newcomer at once.

export interface Disposable {
  dispose(): void;
}

export class Disposables implements Disposable {
  readonly #owned = new Set<Disposable>();
  #ended = false;

  add<T extends Disposable>(thing: T): T {
    if (this.#ended) thing.dispose();
    else this.#owned.add(thing);
    return thing;
  }

  dispose(): void {
    this.#ended = true;
    const owned = [...this.#owned].reverse();
    this.#owned.clear();
    for (const thing of owned) thing.dispose();
  }
}
