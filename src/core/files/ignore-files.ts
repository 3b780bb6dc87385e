// Files of ignore rules that lie in a workspace, however often they are asked for: only as much of one as people
// write, and understood once for each text. A text that is the same gives the same rules, whatever a clock says.
import { createRemembered } from "../util/remembered.ts";
import { type IgnoreRules, readIgnoreRules } from "./ignore-rules.ts";

/** In bytes. Nobody writes more by hand, and all of it would be read before each file. */
export const maxIgnoreBytes = 64 * 1024;

/** The rules of Git's own ignore files: a line that Git leaves out is left out. */
export const gitIgnoreRules: (text: string) => IgnoreRules = createRemembered((text) =>
  readIgnoreRules(text.split("\n"), { tolerant: true }),
);
