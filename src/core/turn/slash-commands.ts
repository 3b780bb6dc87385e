// Slash commands, from the box or from a command of the editor: the built-in ones and those a user has saved. What a person
// sees of such a question is what they could have typed themselves; what the model is told is made from that here, so a
// question can be edited and asked again without anything else being remembered. Pure.

import { type CleanText, verbatim } from "../conversation/content.ts";
import type { SavedPrompt } from "../conversation/saved-prompt.ts";
import { takeOutSecrets } from "../files/secrets.ts";
import { builtInCommands } from "./command-prompts.ts";

/** What can be typed behind the slash: words of any script, joined by lines. */
const nameForm = /^[\p{L}\p{N}_-]{1,64}$/u;

/** What the page itself does when they are typed. */
const ofThePage = ["model", "clear", "compact", "help"];

/** Earlier ones come first and keep their names: ours, then the user's, then the workspace's. */
export function allCommands(...saved: readonly (readonly SavedPrompt[])[]): readonly SavedPrompt[] {
  const names = new Set(ofThePage);
  return [builtInCommands, ...saved].flat().filter(({ name, prompt }) => {
    if (names.has(name) || !nameForm.test(name) || prompt.trim() === "") return false;
    names.add(name);
    return true;
  });
}

/** The question as it stands in the conversation; `about` names what is attached where a person said nothing. */
export function shownPrompt(prompt: string, command: string | undefined, about: readonly string[]): string {
  if (command === undefined) return prompt;
  const words = prompt.trim() === "" ? about.join("; ") : prompt;
  return words === "" ? `/${command}` : `/${command} ${words}`;
}

const calling = /^\/([\p{L}\p{N}_-]+)(?:\s+|$)/u;

/** The name that a question calls a way to ask by; there need not be one of that name. */
export const calledIn = (shown: string): string | undefined => calling.exec(shown)?.[1];

/** What the model is told for it. */
export function promptForModel(shown: string, commands: readonly SavedPrompt[]): CleanText {
  const [whole, name] = calling.exec(shown) ?? [];
  const command = commands.find((each) => each.name === name);
  if (whole === undefined || command === undefined) return verbatim(shown);
  const words = shown.slice(whole.length);
  // It may be a file of the workspace.
  const { text } = takeOutSecrets(command.prompt);
  return words.trim() === "" ? text : verbatim(`${text}\n\nThe user says: ${words}`);
}
