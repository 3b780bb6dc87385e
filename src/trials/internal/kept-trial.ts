// Tries as they are kept beside their conversation, so that another window can take one of them.
import * as z from "zod/mini";
import { Attachment } from "../../conversation/state.ts";
import { KeptSideTurn } from "../../session/side-turn.ts";
import { candidateStates, Facts, Quote, trialWays } from "../candidate.ts";

export const KeptCandidate = z.object({
  model: z.string(),
  effort: z.optional(z.string()),
  state: z.enum(candidateStates),
  quote: z.optional(Quote),
  facts: Facts,
  /** Tokens that were used for it before it was asked again. */
  spent: z.optional(z.number()),
  /** Set once it has ended. */
  side: z.optional(KeptSideTurn),
});
export type KeptCandidate = Readonly<z.infer<typeof KeptCandidate>>;

export const KeptTrial = z.object({
  version: z.literal(1),
  /** The question, as it is shown. */
  words: z.string(),
  /** With those attachments that a draft keeps, too. */
  asked: z.optional(
    z.object({
      prompt: z.string(),
      command: z.optional(z.string()),
      attachments: z.optional(z.array(Attachment)),
    }),
  ),
  way: z.enum(trialWays),
  /** The turn in whose place it is asked. */
  insteadOf: z.optional(z.string()),
  /** A person has agreed to the quote. */
  isStarted: z.boolean(),
  candidates: z.array(KeptCandidate),
});
export type KeptTrial = Readonly<z.infer<typeof KeptTrial>>;
