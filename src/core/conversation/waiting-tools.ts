// What in a turn waits for a person: a tool that asks. The turn runs on only when it is answered.
import type { Part, Turn } from "./state.ts";

export const asking = ({ parts }: Turn): readonly Part[] => parts.filter(asks);

/** Of a part, or of the event that makes it one. */
export const asks = (what: { readonly type: string; readonly status?: unknown }): boolean =>
  what.type === "tool" && what.status === "asked";
