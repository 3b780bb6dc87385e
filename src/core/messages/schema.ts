// A message as it comes from the disk or over the wall to the page: whatever has no code of ours is none.
import * as z from "zod/mini";
import { type Code, catalogue } from "./catalogue.ts";
import type { Message as AMessage, Argument as AnArgument } from "./message.ts";

const isCode = (code: unknown): code is Code => typeof code === "string" && Object.hasOwn(catalogue, code);

const Argument: z.ZodMiniType<AnArgument> = z.lazy(() =>
  z.union([
    z.string(),
    z.number(),
    z.object({ milliseconds: z.number() }),
    z.object({ at: z.number() }),
    Message,
    z.array(Message),
  ]),
);

export type Message = AMessage;
export const Message: z.ZodMiniType<AMessage> = z.object({
  code: z.custom<Code>(isCode),
  args: z.optional(z.record(z.string(), Argument)),
});
