// The room of the actions: what can be asked from where the code, the terminal or the changes are.
import type { ReadTerminal } from "../attach/terminal-text.ts";
import type { FindingsRoom } from "../findings/findings-room.ts";
import { createReviewCode } from "../findings/review-code.ts";
import { commands } from "../manifest.ts";
import { type AskNeeds, createAsk } from "./ask.ts";
import { createCellReview } from "./cell-review.ts";
import { createCommitMessage } from "./commit-message.ts";
import { createEditCommands, type EditCommandNeeds } from "./edit-commands.ts";
import { createEditHere, type EditHereNeeds } from "./edit-here.ts";
import { createExplainTerminal } from "./explain-terminal.ts";
import { createNotebookCells } from "./notebook-cells.ts";
import { createSavedPrompts, type SavedPromptNeeds } from "./saved-prompts.ts";

export interface ActionNeeds
  extends AskNeeds,
    EditHereNeeds,
    Pick<EditCommandNeeds, "placeOf">,
    Pick<SavedPromptNeeds, "prompts"> {
  readonly readTerminal: ReadTerminal;
  readonly findings: Pick<FindingsRoom, "list" | "placeOf">;
  /** Brings what was found into sight. */
  showFindings(): Promise<void>;
}

export function createActions(needs: ActionNeeds) {
  const { session, findings, settings, noteContext, weigh, report } = needs;
  const ask = createAsk(needs);
  const here = createEditHere(needs);
  const editor = () => needs.threads.editor;
  const placeOf = (argument: unknown) => findings.placeOf(argument) ?? needs.placeOf(argument);
  return {
    ...createEditCommands({ ask, here, editor, session, settings, noteContext, placeOf }),
    ...here.commands,
    ...createNotebookCells({ ask, session, review: createCellReview() }),
    [commands.reviewCode]: createReviewCode({
      ...{ ask, session, editor, weigh, report },
      findings: findings.list,
      showList: needs.showFindings,
    }),
    [commands.runSavedPrompt]: createSavedPrompts({ ask, session, prompts: needs.prompts }),
    [commands.explainTerminal]: createExplainTerminal(ask, needs.readTerminal),
    [commands.commitMessage]: createCommitMessage({ ask }),
  };
}
