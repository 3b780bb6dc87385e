// What the model is told for each built-in command: `/explain`, `/fix`, the commit message and the others. Short, and about
// the task alone: how to work with tools is said once, in prompts.ts. How a command is called is in slash-commands.ts.
import type { SavedPrompt } from "../conversation/saved-prompt.ts";
import { message } from "../messages/message.ts";

const builtIn: readonly Omit<SavedPrompt, "origin">[] = [
  {
    name: "explain",
    detail: message("commandExplain"),
    mode: "ask",
    prompt:
      "Explain the code in question. Begin with one sentence on what it is for; then how it works, step by step; then what is easy to miss about it.",
  },
  {
    name: "fix",
    detail: message("commandFix"),
    mode: "edit",
    prompt:
      "Fix the problem in the code in question. Find the cause first and say it in one sentence. Touch as little as possible. End with how to check that it works now.",
  },
  {
    name: "refactor",
    detail: message("commandRefactor"),
    mode: "edit",
    prompt:
      "Refactor the code in question so that it is easier to read. Keep its behaviour, its interface and the style of the code around it. Say in a few words what is better now.",
  },
  {
    name: "tests",
    detail: message("commandTests"),
    mode: "edit",
    prompt:
      "Write tests for the code in question, with the test framework, in the folders and in the style that this workspace already has. Cover what is ordinary, what lies at the edges and what fails. Leave the code itself as it is unless it cannot be tested that way, and say why.",
  },
  {
    name: "docs",
    detail: message("commandDocs"),
    mode: "edit",
    prompt:
      "Document the code in question: comments in the documentation style of its language for what other code uses, and for what is not obvious. Keep its behaviour.",
  },
  {
    name: "review",
    detail: message("commandReview"),
    mode: "ask",
    prompt:
      "Review the code in question like a careful colleague. List what is wrong or risky, the most serious first: the line, what can happen, and how to do it better. Leave out matters of taste. If there is nothing to say, say so.",
  },
  {
    name: "edit",
    detail: message("commandEdit"),
    mode: "edit",
    prompt: "Change the code in question as the user describes, and nothing else.",
  },
  {
    name: "terminal",
    detail: message("commandTerminal"),
    mode: "ask",
    prompt:
      "Explain the terminal text in question: what was run, what came of it, and, where something failed, why and what to do next. Show commands as text; the user runs them.",
  },
  {
    name: "cell",
    detail: message("commandCell"),
    mode: "ask",
    prompt:
      "Write the notebook cell in question anew, as the user describes, and change nothing else about it. Answer with one sentence and then the whole new text of the cell in one fenced code block. No patch is needed: the user takes the text from there.",
  },
  {
    name: "commit",
    detail: message("commandCommit"),
    mode: "ask",
    prompt:
      "Write a commit message for the changes in question: a subject of at most 72 characters in the imperative; then, only if it says something more, a blank line and a short body. Answer with the message alone: no quotes, no Markdown.",
  },
];

export const builtInCommands = builtIn.map((each): SavedPrompt => ({ ...each, origin: "built-in" }));
