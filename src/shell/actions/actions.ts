// The room of the actions: what can be asked from where the code, the terminal or the changes are.
import type { ReadTerminal } from "../attach/terminal-text.ts";
import type { Findings } from "../findings/findings.ts";
import { createReviewCode } from "../findings/review-code.ts";
import { commands } from "../manifest.ts";
import { type AskDeps, createAsk } from "./ask.ts";
import { createCellReview } from "./cell-review.ts";
import { createCommitMessage } from "./commit-message.ts";
import { createEditCommands, type EditCommandDeps } from "./edit-commands.ts";
import { createEditHere, type EditHereDeps } from "./edit-here.ts";
import { createExplainTerminal } from "./explain-terminal.ts";
import { createNotebookCells } from "./notebook-cells.ts";
import { createSavedPrompts, type SavedPromptDeps } from "./saved-prompts.ts";

export interface ActionDeps
  extends AskDeps,
    EditHereDeps,
    Pick<EditCommandDeps, "placeOf">,
    Pick<SavedPromptDeps, "prompts"> {
  readonly readTerminal: ReadTerminal;
  readonly findings: Pick<Findings, "list" | "placeOf">;
  /** Brings what was found into sight. */
  showFindings(): Promise<void>;
}

export function createActions(deps: ActionDeps) {
  const { session, findings, settings, noteContext, weigh, report } = deps;
  const ask = createAsk(deps);
  const here = createEditHere(deps);
  const editor = () => deps.threads.editor;
  const placeOf = (argument: unknown) => findings.placeOf(argument) ?? deps.placeOf(argument);
  return {
    ...createEditCommands({ ask, here, editor, session, settings, noteContext, placeOf }),
    ...here.commands,
    ...createNotebookCells({ ask, session, review: createCellReview() }),
    [commands.reviewCode]: createReviewCode({
      ...{ ask, session, editor, weigh, report },
      findings: findings.list,
      showList: deps.showFindings,
    }),
    [commands.runSavedPrompt]: createSavedPrompts({ ask, session, prompts: deps.prompts }),
    [commands.explainTerminal]: createExplainTerminal(ask, deps.readTerminal),
    [commands.commitMessage]: createCommitMessage({ ask }),
  };
}
