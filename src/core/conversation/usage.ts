// Token usage of one request, as the service reported it. Absent numbers stay absent: never 0.
import * as z from "zod/mini";

const count = z.optional(z.number());

export const Usage = z.object({
  input: count,
  cached: count,
  cacheWrite: count,
  output: count,
  reasoning: count,
  total: count,
});
export type Usage = Readonly<z.infer<typeof Usage>>;
