// What a tool is given when a test calls it alone: files, and nobody to ask.
import type { GuardedFiles } from "../../src/core/tools/guarded-files.ts";
import { Proposals } from "../../src/core/tools/proposals.ts";
import type { CallContext } from "../../src/core/tools/tool.ts";
import { noWorkspace } from "../../src/core/workspace.ts";

export const callContext = (files: GuardedFiles): CallContext => ({
  files,
  workspace: noWorkspace,
  proposals: new Proposals(),
  protection: () => undefined,
  atomic: true,
  turn: "turn",
  call: "call",
  permission: "auto",
  show: async () => {},
  ask: async () => ({ kind: "reject" }),
});
