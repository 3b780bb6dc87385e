// A question before it is a turn: a way to ask that a person has saved under a name or brings along, and one that waits behind
// an answer. Knows none of our own ways: settings are read before anybody asks. Pure.

import * as z from "zod/mini";
import { Message } from "../messages/schema.ts";

/** A saved way to ask, as a menu shows it: `/explain`. */
export const PromptCommand = z.object({ name: z.string(), detail: z.union([z.string(), Message]) });
export type PromptCommand = Readonly<z.infer<typeof PromptCommand>>;

/** Asked while a turn was running, under the name that its own will have. */
export const QueuedPrompt = z.object({ id: z.string(), prompt: z.string() });
export type QueuedPrompt = Readonly<z.infer<typeof QueuedPrompt>>;

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
