// A way to ask that has a name, as a person saves it or brings it along. Knows none of ours: settings are read before
// anybody asks. Pure.

import type { PromptCommand } from "./page-list-schemas.ts";

export interface SavedPrompt extends PromptCommand {
  /** What the model is told. */
  readonly prompt: string;
  /** Whether it is about changing files, which only some models can. */
  readonly mode: PromptMode;
  readonly origin: "built-in" | "user" | "workspace";
}

export const promptModes = ["ask", "edit"] as const;
export type PromptMode = (typeof promptModes)[number];

/** A prompt that the user saved under a title. */
export function savedPrompt(title: string, prompt: string, mode: PromptMode): SavedPrompt {
  return { name: nameFrom(title), detail: title.trim(), prompt, mode, origin: "user" };
}

/** `Release notes` is called by `/release-notes`. */
export function nameFrom(title: string): string {
  const words =
    title
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.join("-").slice(0, 64);
}
