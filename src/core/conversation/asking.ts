// What in a turn waits for a person: a tool or a patch that asks. The turn runs on only when it is answered.
import type { Part, Turn } from "./state.ts";

export const asking = ({ parts }: Turn): readonly Part[] =>
  parts.filter(
    (part) =>
      (part.type === "tool" && part.status === "asked") ||
      (part.type === "patch" && part.status === "proposed"),
  );
