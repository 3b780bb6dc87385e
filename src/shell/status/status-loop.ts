// When the status bar is drawn: at once when its state changes, once a second while a response arrives, and when a
// countdown moves on by itself. Knows no editor.
import type { Disposable } from "../../core/util/disposables.ts";
import type { StatusFace, StatusState } from "./status-text.ts";

export interface StatusLoopDeps {
  /** Cheap: asked at every event. */
  state(): StatusState;
  face(): StatusFace;
  draw(face: StatusFace): void;
  now(): number;
}

const rhythm = 1000;

export class StatusLoop implements Disposable {
  readonly #needs: StatusLoopDeps;
  #timer: NodeJS.Timeout | undefined;
  #drawn: { readonly state: StatusState; readonly at: number } | undefined;
  #ended = false;

  constructor(deps: StatusLoopDeps) {
    this.#needs = deps;
  }

  /** Something has happened. */
  refresh(): void {
    const state = this.#needs.state();
    const isSoon = this.#drawn !== undefined && this.#needs.now() - this.#drawn.at < rhythm;
    // The next second is on its way.
    if (state === "streaming" && this.#drawn?.state === "streaming" && isSoon) return;
    this.#draw(state);
  }

  dispose(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  #draw(state: StatusState): void {
    if (this.#ended) return;
    clearTimeout(this.#timer);
    const face = this.#needs.face();
    this.#needs.draw(face);
    this.#drawn = { state, at: this.#needs.now() };
    if (face.again !== undefined)
      this.#timer = setTimeout(() => this.#draw(this.#needs.state()), Math.max(1, face.again));
  }
}
