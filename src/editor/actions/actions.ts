// The actions: what can be asked from the code, the terminal or the changes.
import type { Uri } from "vscode";
import type { ReadTerminal } from "../attach/terminal-text.ts";
import { commands } from "../manifest.ts";
import { type Ask, type AskDeps, createAsk, createExplainTerminal } from "./ask.ts";
import { type CodePlace, createEditCommands, type EditCommandDeps } from "./edit-commands.ts";
import { createCommitMessage } from "./internal/commit-message-box.ts";
import { createEditHere, type EditHereDeps } from "./internal/edit-here.ts";
import { createCellReview, createNotebookCells } from "./internal/notebook-cells.ts";
import { createSavedPrompts, type SavedPromptDeps } from "./internal/saved-prompts.ts";

interface ActionDeps
  extends AskDeps,
    EditHereDeps,
    Pick<EditCommandDeps, "placeOf">,
    Pick<SavedPromptDeps, "prompts"> {
  readonly readTerminal: ReadTerminal;
  /** The code that a finding of a review is about, if a command was started on one. */
  placeOfFinding(argument: unknown): CodePlace | undefined;
  /** What was checked before these files were accepted, a line each. */
  acceptedEvidence(files: readonly Uri[]): Promise<readonly string[]>;
  /** The command that reviews code, which asks as the other actions do. */
  reviewCode(ask: Ask): (argument?: unknown) => Promise<void>;
}

export function createActions(deps: ActionDeps) {
  const { session, settings, noteContext } = deps;
  const ask = createAsk(deps);
  const here = createEditHere(deps);
  const { firstBoxOf, threads } = deps.boxes;
  const editor = () => threads.editor;
  const placeOf = (argument: unknown) => deps.placeOfFinding(argument) ?? deps.placeOf(argument);
  return {
    ...createEditCommands({ ask, here, editor, session, settings, noteContext, placeOf, firstBoxOf }),
    ...here.commands,
    ...createNotebookCells({ ask, session, review: createCellReview() }),
    [commands.reviewCode]: deps.reviewCode(ask),
    [commands.runSavedPrompt]: createSavedPrompts({ ask, session, prompts: deps.prompts }),
    [commands.explainTerminal]: createExplainTerminal(ask, deps.readTerminal),
    [commands.commitMessage]: createCommitMessage({ ask, evidenceOf: deps.acceptedEvidence }),
  };
}
