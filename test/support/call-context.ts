// What a tool is given when a test calls it alone: files, and nobody to ask.

import { noWorkspace } from "../../src/core/changes/workspace.ts";
import type { GuardedFiles } from "../../src/core/files/guarded-files.ts";
import type { CallContext } from "../../src/core/tools/tool.ts";

export const callContext = (files: GuardedFiles): CallContext => ({
  files,
  workspace: noWorkspace,
  proposed: 0,
  overlay: async () => ({ files, workspace: noWorkspace, proposed: 0 }),
  changes: { propose: async () => "kept", fatesOf: () => new Map() },
  protection: () => undefined,
  turn: "turn",
  call: "call",
  show: async () => {},
});
