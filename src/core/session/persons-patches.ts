// Patches that a person makes of an answer's code: planned, shown, decided and carried out like those of the model, as
// part of the turn whose answer it was. The model hears nothing of them; what became of them stands in the conversation.

import { message } from "../messages/message.ts";
import { MessageError } from "../messages/message-error.ts";
import type { Proposals } from "../tools/proposals.ts";
import { reviewPatch } from "../tools/review-patch.ts";
import type { CallContext, PatchKeeper, PatchShown } from "../tools/tool.ts";
import type { Decisions } from "../turn/decisions.ts";
import type { Log } from "../util/log.ts";
import type { Workspace } from "../workspace.ts";
import type { Recorder } from "./recorder.ts";
import type { TurnInputs } from "./turn-inputs.ts";

export interface PersonsPatchesNeeds {
  readonly recorder: Pick<Recorder, "take">;
  readonly inputs: Pick<TurnInputs, "files" | "protection">;
  readonly workspace: Workspace;
  readonly decisions: Decisions;
  readonly proposals: Proposals;
  readonly keptPatches: PatchKeeper | undefined;
  readonly log: Log;
  newId(): string;
}

export class PersonsPatches {
  readonly #needs: PersonsPatchesNeeds;
  readonly #stopping = new AbortController();

  constructor(needs: PersonsPatchesNeeds) {
    this.#needs = needs;
  }

  /** Resolves with the name of the patch once it waits; what does not fit the files is nobody's card. */
  async propose(turn: string, patch: string): Promise<string> {
    const call = `person-${this.#needs.newId()}`;
    await new Promise<void>((resolve, reject) => {
      let last: PatchShown | undefined;
      const show = async (shown: PatchShown) => {
        if (last === undefined && shown.status === "failed")
          return reject(new MessageError(shown.message ?? message("patchAsItIs")));
        last = shown;
        await this.#show(turn, call, shown);
        resolve();
      };
      this.#review(turn, call, patch, show).catch(async (error: unknown) => {
        this.#needs.log.error("A proposed edit could not be reviewed.", error);
        reject(error);
        const moving = { status: "failed", message: message("toolPatchMoving") } as const;
        if (last !== undefined) await this.#show(turn, call, { ...last, ...moving });
      });
    });
    return call;
  }

  /** What waits is not decided any more. */
  stop(): void {
    this.#stopping.abort();
  }

  #review(turn: string, call: string, patch: string, show: CallContext["show"]): Promise<unknown> {
    const { inputs, workspace, decisions, proposals, keptPatches: kept } = this.#needs;
    const { files, protection } = inputs;
    const { signal } = this.#stopping;
    const ask = () => decisions.ask(call, signal);
    const around = { files, protection, workspace, proposals, kept, atomic: true };
    return reviewPatch(patch, { ...around, turn, call, permission: "ask", show, ask }, signal);
  }

  /** No model is told anything: what it would hear is not kept. */
  #show(turn: string, call: string, { output: _, ...shown }: PatchShown): Promise<void> {
    return this.#needs.recorder.take({ type: "patch", turn, id: call, call, by: "person", ...shown });
  }
}
