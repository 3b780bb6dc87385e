// What a person can answer when a tool asks. The question is an event (`tool` asked); this is the action that comes back,
// whoever brings it.
import * as z from "zod/mini";

const reason = z.optional(z.string().check(z.maxLength(4000)));

export const Decision = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("accept") }),
  /** The reason is told to the model. */
  z.object({ kind: z.literal("reject"), reason }),
]);
export type Decision = Readonly<z.infer<typeof Decision>>;
