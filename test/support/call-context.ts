// What a tool is given when a test calls it alone: files, and nobody to ask.
import type { GuardedFiles } from "../../src/core/tools/guarded-files.ts";
import type { CallContext } from "../../src/core/tools/tool.ts";

export const callContext = (files: GuardedFiles): CallContext => ({
  files,
  permission: "auto",
  show: async () => {},
  ask: async () => ({ kind: "reject" }),
});
