// What the built-in slash commands tell the model: `/explain`, `/fix`, `/commit` and others.
import { message } from "../../conversation/messages.ts";
import type { PromptCommand } from "../../conversation/state.ts";

interface BuiltInPrompt extends PromptCommand {
  readonly prompt: string;
  readonly mode: "ask" | "edit";
}

/** Attachments around the code of an action state their own role (editor/actions/code-surroundings.ts). */
const around = "what else is attached is there to be understood";
/** An edit task ends with such a reply if no check is due (turn-request.ts). */
const inOneReply = "and propose the patch in the same reply; where it fits, the task is over";

/**
 * They are short and cover only the task; how to work with tools is described once, in instructions.ts.
 */
export const builtInPrompts: readonly BuiltInPrompt[] = [
  {
    name: "explain",
    detail: message("commandExplain"),
    mode: "ask",
    prompt: `Explain the selected code; ${around}. Begin with one sentence on what it is for; then how it works, step by step; then what is easy to miss about it.`,
  },
  {
    name: "fix",
    detail: message("commandFix"),
    mode: "edit",
    prompt: `Fix the problem in the selected code; ${around}. Find the cause first, which may lie elsewhere, and touch as little as possible. Say in a few sentences what the cause was and how to check that it works now, ${inOneReply}.`,
  },
  {
    name: "refactor",
    detail: message("commandRefactor"),
    mode: "edit",
    prompt: `Refactor the selected code so that it is easier to read; ${around}. Keep its behaviour, its interface and the style of the code around it. Say in one or two sentences what is better now ${inOneReply}.`,
  },
  {
    name: "tests",
    detail: message("commandTests"),
    mode: "edit",
    prompt: `Write tests for the selected code; ${around}. Use the test framework, the folders and the style that this workspace already has. Cover what is ordinary, what lies at the edges and what fails. Leave the code itself as it is unless it cannot be tested that way, and say why. Say in one or two sentences what is covered ${inOneReply}.`,
  },
  {
    name: "docs",
    detail: message("commandDocs"),
    mode: "edit",
    prompt: `Document the selected code; ${around}. Write comments in the documentation style of its language for what other code uses, and for what is not obvious. Keep its behaviour. Say what you did in one sentence ${inOneReply}.`,
  },
  {
    name: "review",
    detail: message("commandReview"),
    mode: "ask",
    prompt: `Review the selected code like a careful colleague; ${around}. List what is wrong or risky, the most serious first: the line, what can happen, and how to do it better. Leave out matters of taste. If there is nothing to say, say so.`,
  },
  {
    name: "edit",
    detail: message("commandEdit"),
    mode: "edit",
    prompt: `Edit the selected lines as the user describes; ${around}. Beyond the selection change only what the edit would break otherwise – imports, types, texts, callers, tests of the old behaviour, in other files too – and look there before you propose it. Add no other tests or documents unless the user asks; a like fault elsewhere is named, not changed. Say what you did in one or two sentences ${inOneReply}.`,
  },
  {
    name: "terminal",
    detail: message("commandTerminal"),
    mode: "ask",
    prompt:
      "Explain the text of the terminal: what was run, what came of it, and, where something failed, why and what to do next. Show commands as text; the user runs them.",
  },
  {
    name: "cell",
    detail: message("commandCell"),
    mode: "ask",
    prompt:
      "Rewrite the cell to edit as the user describes, and change nothing else about it; its output is there to be understood. Answer with one sentence and then the whole new text of the cell in one fenced code block. No patch is needed: the user takes the text from there.",
  },
  {
    name: "commit",
    detail: message("commandCommit"),
    mode: "ask",
    prompt:
      "Write a commit message for the attached changes: a subject of at most 72 characters in the imperative; then, only if it says something more, a blank line and a short body. Answer with the message alone: no quotes, no Markdown.",
  },
];
