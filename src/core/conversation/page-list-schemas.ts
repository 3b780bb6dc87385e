// What a page lists around a conversation, in the form in which it gets it: the models to choose from, the ways to ask that are
// saved, what waits behind an answer. Apart from what is made of them: activation reads models, and needs no schema.

import * as z from "zod/mini";
import { Message } from "../messages/schema.ts";
import { routes } from "./models.ts";

export const ModelChoice = z.object({
  id: z.string(),
  label: z.string(),
  route: z.enum(routes),
  /** As the user says; the service does not tell. */
  vision: z.optional(z.boolean()),
  /** The user named it; whether the service has it nobody has checked. */
  added: z.optional(z.boolean()),
});
export type ModelChoice = Readonly<z.infer<typeof ModelChoice>>;

/** A saved way to ask: `/explain`. */
export const PromptCommand = z.object({ name: z.string(), detail: z.union([z.string(), Message]) });
export type PromptCommand = Readonly<z.infer<typeof PromptCommand>>;

/** Asked while a turn was running, under the name that its own will have. */
export const QueuedPrompt = z.object({ id: z.string(), prompt: z.string() });
export type QueuedPrompt = Readonly<z.infer<typeof QueuedPrompt>>;
