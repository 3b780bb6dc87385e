// A receipt of the service, recorded as it came. How to verify one is not published, so nothing here says "valid".
import * as z from "zod/mini";

export const Receipt = z.object({
  operation: z.string(),
  nonce: z.string(),
  timestamp: z.string(),
  signature: z.string(),
  requestSha256: z.string(),
  responseSha256: z.string(),
  responseWhole: z.boolean(),
  model: z.optional(z.string()),
  responseId: z.optional(z.string()),
  at: z.number(),
});
export type Receipt = Readonly<z.infer<typeof Receipt>>;
