// Saves what happens to a change set, whatever the disk says: where it takes nothing for a while, what is proposed goes on in
// memory and is saved once it does; where there is no room, what was decided long ago is let go first. Decides nothing itself.
import type { InOrder } from "../util/in-order.ts";
import type { Log } from "../util/log.ts";
import type { ChangeSetState } from "./change-set-state.ts";
import type { ChangeFile } from "./kept-changes.ts";

export interface ChangeSaverDeps {
  readonly log: Log;
  /** Of an error of the store: it keeps as much as it may, and would take nothing more. */
  isFull(error: unknown): boolean;
}

const retryEvery = 5000;

export class ChangeSaver {
  readonly #file: Pick<ChangeFile, "write" | "tidy">;
  readonly #state: Pick<ChangeSetState, "kept" | "forgetDecided">;
  readonly #oneByOne: InOrder;
  readonly #deps: ChangeSaverDeps;
  /** The disk has refused the latest of it. */
  #isUnsaved = false;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** `oneByOne`: what is done to the set runs in it; so does each later try. */
  constructor(
    file: Pick<ChangeFile, "write" | "tidy">,
    state: Pick<ChangeSetState, "kept" | "forgetDecided">,
    oneByOne: InOrder,
    deps: ChangeSaverDeps,
  ) {
    this.#file = file;
    this.#state = state;
    this.#oneByOne = oneByOne;
    this.#deps = deps;
  }

  /** @throws where there is no room for it, once what was decided long ago is let go. */
  async save(): Promise<void> {
    clearTimeout(this.#retry);
    try {
      await this.#file.write(this.#state.kept);
      this.#isUnsaved = false;
    } catch (error) {
      if (!this.#deps.isFull(error)) return this.#saveLater(error);
      if (!this.#state.forgetDecided()) throw error;
      await this.#file.tidy(this.#state.kept);
      return this.save();
    }
  }

  /** What the disk has refused is tried once more, and never again. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#saveAgain();
  }

  /** The disk refuses everything now, which the conversation says. */
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
