// The room of the actions: what can be asked from where the code, the terminal or the changes are.
import type { ReadTerminal } from "../attach/terminal-text.ts";
import { commands } from "../manifest.ts";
import { type AskNeeds, createAsk } from "./ask.ts";
import { createCellReview } from "./cell-review.ts";
import { createCommitMessage } from "./commit-message.ts";
import { createEditCommands, type EditCommandNeeds } from "./edit-commands.ts";
import { createExplainTerminal } from "./explain-terminal.ts";
import { createNotebookCells } from "./notebook-cells.ts";
import { createSavedPrompts } from "./saved-prompts.ts";

export interface ActionNeeds extends AskNeeds, Pick<EditCommandNeeds, "placeOf"> {
  readonly readTerminal: ReadTerminal;
}

export function createActions(needs: ActionNeeds) {
  const { assistant, placeOf } = needs;
  const ask = createAsk(needs);
  return {
    ...createEditCommands({ ask, assistant, placeOf }),
    ...createNotebookCells({ ask, assistant, review: createCellReview() }),
    [commands.runSavedPrompt]: createSavedPrompts({ ask, assistant }),
    [commands.explainTerminal]: createExplainTerminal(ask, needs.readTerminal),
    [commands.commitMessage]: createCommitMessage({ ask }),
  };
}
