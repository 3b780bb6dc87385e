// The room of the actions: what can be asked from where the code, the terminal or the changes are.
import type { ReadTerminal } from "../attach/terminal-text.ts";
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
}

export function createActions(needs: ActionNeeds) {
  const { session, placeOf, settings } = needs;
  const ask = createAsk(needs);
  const here = createEditHere(needs);
  const editor = () => needs.threads.editor;
  return {
    ...createEditCommands({ ask, here, editor, session, settings, placeOf }),
    ...here.commands,
    ...createNotebookCells({ ask, session, review: createCellReview() }),
    [commands.runSavedPrompt]: createSavedPrompts({ ask, session, prompts: needs.prompts }),
    [commands.explainTerminal]: createExplainTerminal(ask, needs.readTerminal),
    [commands.commitMessage]: createCommitMessage({ ask }),
  };
}
