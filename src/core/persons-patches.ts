// Patches that a person makes of an answer's code: planned, shown, decided and carried out like those of the model, as
// part of the turn whose answer it was. The model hears nothing of them; what became of them stands in the conversation.
import type { ConversationRecorder } from "./conversation-recorder.ts";
import type { ConversationWorld } from "./conversation-world.ts";
import type { Proposals } from "./tools/proposals.ts";
import { reviewPatch } from "./tools/review-patch.ts";
import type { PatchKeeper, PatchShown } from "./tools/tool.ts";
import type { Decisions } from "./turn/decisions.ts";
import { HumanError } from "./util/human-error.ts";
import type { Log } from "./util/log.ts";
import type { Workspace } from "./workspace.ts";

export interface PersonsPatchesNeeds {
  readonly recorder: Pick<ConversationRecorder, "take">;
  readonly world: Pick<ConversationWorld, "files" | "protection">;
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
  propose(turn: string, patch: string): Promise<string> {
    const { log, newId } = this.#needs;
    const call = `person-${newId()}`;
    return new Promise((resolve, reject) => {
      this.#review(turn, call, patch, ({ status, message }) => {
        if (status === "proposed") resolve(call);
        else if (status === "failed") reject(new HumanError(message ?? ""));
      }).catch((error: unknown) => {
        log.error("A proposed edit could not be reviewed.", error);
        reject(error);
      });
    });
  }

  /** What waits is not decided any more. */
  stop(): void {
    this.#stopping.abort();
  }

  async #review(turn: string, call: string, patch: string, told: (shown: PatchShown) => void): Promise<void> {
    const { recorder, world, workspace, decisions, proposals, keptPatches: kept } = this.#needs;
    const { files, protection } = world;
    const { signal } = this.#stopping;
    let isShown = false;
    const show = async (shown: PatchShown) => {
      told(shown);
      isShown ||= shown.status === "proposed";
      // Nobody was told anything of a model: what it would hear is not kept.
      const { output: _, ...rest } = shown;
      if (isShown) await recorder.take({ type: "patch", turn, part: call, call, by: "person", ...rest });
    };
    const around = { files, protection, workspace, proposals, kept, atomic: true };
    const ask = () => decisions.ask(call, signal);
    await reviewPatch(patch, { ...around, turn, call, permission: "ask", show, ask }, signal);
  }
}
